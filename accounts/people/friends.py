"""Friends: ask, accept, decline, cancel, remove.

Each service locks both members: if the same call comes several times at once, the first has an
effect, and the others find its result and return without an error.
"""

from datetime import datetime, timedelta

from django.db.models import Q

from accounts import broadcast
from accounts.models import Friendship, User
from accounts.people.locks import lock_people
from accounts.selectors import blocks, find_friendship
from accounts.shared.refusals import Refused
from accounts.shared.transactions import announce_after_commit, write_transaction

State = Friendship.State

# Most players whom a member may ask in PERIOD. A second request between the same two members within
# PERIOD appears without an alert.
MOST_ASKED = 20
PERIOD = timedelta(days=1)
# Most friends of one member.
MOST_FRIENDS = 500
# Time for which a member cannot ask a player who declined their request or ended the friendship.
ASK_AGAIN_AFTER = timedelta(days=30)


def ask(asker_id: int, other_id: int, now: datetime) -> None:
    """Ask a member to be friends; accept their request if they asked first. Idempotent.

    Raises Refused: `oneself`, `not_member`; `blocked` if the asker blocks the other;
    `unavailable` for reasons on the other's side, which stay secret; `many_requests` after
    MOST_ASKED in PERIOD; `many_friends` if the asker has MOST_FRIENDS or, when this accepts a
    request, either has.
    """
    if asker_id == other_id:
        raise Refused("oneself")
    with write_transaction():
        row = _locked(asker_id, other_id)
        if row is not None and (row.state == State.FRIENDS or _waits_for(row, other_id)):
            return
        if row is not None and row.state == State.ASKED:
            _befriend(row, now)
            return
        _check_may_ask(asker_id, other_id, row, now)
        if row is None:
            first, second = sorted((asker_id, other_id))
            row = Friendship(first_id=first, second_id=second, told_at=now)
        elif row.told_at <= now - PERIOD:
            row.told_at = now
        row.asker_id, row.state, row.asked_at = asker_id, State.ASKED, now
        row.accepted_at = row.closed_at = row.closed_by_id = None
        row.save()
        _refresh_pages(asker_id, other_id)


def accept(user_id: int, asker_id: int, now: datetime) -> None:
    """Accept the request of the asker. Idempotent.

    Raises Refused: `gone` if there is no request, `many_friends`.
    """
    with write_transaction():
        row = _locked(user_id, asker_id)
        if row is not None and row.state == State.FRIENDS:
            return
        if row is None or not _waits_for(row, user_id):
            raise Refused("gone")
        _befriend(row, now)


def decline(user_id: int, asker_id: int, now: datetime) -> None:
    """Decline the request of the asker, who is not notified. Idempotent.

    Raises Refused("gone") if they are friends, or if the request is the user's own.
    """
    with write_transaction():
        row = _locked(user_id, asker_id)
        if row is None or row.state == State.CLOSED:
            return
        if not _waits_for(row, user_id):
            raise Refused("gone")
        _close(row, now, by=user_id)
        _refresh_pages(user_id)


def cancel(asker_id: int, other_id: int, now: datetime) -> None:
    """Take a request back. Idempotent.

    Raises Refused("gone") if they are friends, or if the request is the other member's.
    """
    with write_transaction():
        row = _locked(asker_id, other_id)
        if row is None or row.state == State.CLOSED:
            return
        if not _waits_for(row, other_id):
            raise Refused("gone")
        _close(row, now, by=None)
        _refresh_pages(asker_id, other_id)


def remove(user_id: int, friend_id: int, now: datetime) -> None:
    """End a friendship; the other member is not notified. Idempotent."""
    with write_transaction():
        row = _locked(user_id, friend_id)
        if row is not None and row.state == State.FRIENDS:
            _close(row, now, by=user_id)
            _refresh_pages(user_id)


def end(owner_id: int, blocked_id: int, now: datetime) -> None:
    """End the friendship and requests when one member blocks another. The caller locks both."""
    row = find_friendship(owner_id, blocked_id)
    if row is not None and row.state != State.CLOSED:
        _close(row, now, by=owner_id)
        _refresh_pages(owner_id)


def _locked(user_id: int, other_id: int) -> Friendship | None:
    lock_people(user_id, other_id)
    return find_friendship(user_id, other_id)


def _waits_for(row: Friendship, user_id: int) -> bool:
    """Return whether the row is a request that the user has not answered."""
    return row.state == State.ASKED and row.asker_id != user_id


def _check_may_ask(asker_id: int, other_id: int, row: Friendship | None, now: datetime) -> None:
    people = User.objects.in_bulk([asker_id, other_id])
    if not people[asker_id].is_member:
        raise Refused("not_member")
    if blocks(asker_id, other_id):
        raise Refused("blocked")
    if not people[other_id].is_member or blocks(other_id, asker_id):
        raise Refused("unavailable")
    if row is not None and _has_to_wait(row, other_id, now):
        raise Refused("unavailable")
    asked = Friendship.objects.filter(asker_id=asker_id, asked_at__gt=now - PERIOD)
    if asked.count() >= MOST_ASKED:
        raise Refused("many_requests")
    _check_friend_count(asker_id)


def _has_to_wait(row: Friendship, other_id: int, now: datetime) -> bool:
    if row.closed_by_id != other_id or row.closed_at is None:
        return False
    return row.closed_at > now - ASK_AGAIN_AFTER


def _check_friend_count(*user_ids: int) -> None:
    for user_id in user_ids:
        theirs = Q(first_id=user_id) | Q(second_id=user_id)
        if Friendship.objects.filter(theirs, state=State.FRIENDS).count() >= MOST_FRIENDS:
            raise Refused("many_friends")


def _befriend(row: Friendship, now: datetime) -> None:
    _check_friend_count(row.first_id, row.second_id)
    row.state, row.accepted_at = State.FRIENDS, now
    row.save(update_fields=["state", "accepted_at"])
    _refresh_pages(row.first_id, row.second_id)


def _close(row: Friendship, now: datetime, by: int | None) -> None:
    row.state, row.closed_at, row.closed_by_id = State.CLOSED, now, by
    row.save(update_fields=["state", "closed_at", "closed_by"])


def _refresh_pages(*user_ids: int) -> None:
    """After the commit, refresh the pages of these members."""
    announce_after_commit(lambda: broadcast.friends_changed(user_ids))
