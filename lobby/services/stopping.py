"""End searches for an opponent ("Play now"): cancel, withdraw, or close with a match."""

from collections.abc import Collection
from datetime import datetime
from functools import partial
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.broadcast import nudge
from accounts.shared.refusals import Refused
from accounts.shared.transactions import announce_after_commit, write_transaction
from games.models import Match
from games.models.actor import Actor
from lobby import broadcast
from lobby.models import Search, Seek
from lobby.services import ending


def cancel(person: Actor, now: datetime) -> None:
    """End the person's open search and release its stake. Idempotent.

    Raises Refused("found") if their last search led to a match that is not over, also if its
    announcement was joined just now.
    """
    with write_transaction():
        search = open_of(person).select_for_update(no_key=True, of=("self",)).first()
        if search is not None:
            stop(search, Search.State.CANCELED, now)
    if _has_new_match(person):
        raise Refused("found")


def stop(search: Search, state: Search.State, now: datetime) -> None:
    """End a locked open search, and its announcement if that is still open.

    A search whose announcement was joined meanwhile leads to that match.
    """
    if search.seek_id is None:
        return close(search, state, now)
    seek = Seek.objects.select_for_update(no_key=True).get(pk=search.seek_id)
    if seek.state == Seek.State.JOINED:
        return close(search, Search.State.FOUND, now, Match.objects.get(seek=seek))
    if seek.state == Seek.State.OPEN:
        ending.close(seek, Seek.State.CANCELED, now)
    return close(search, state, now)


def withdraw(person: Actor, now: datetime) -> None:
    """End the person's open search, in the caller's transaction."""
    for search in open_of(person).select_for_update(no_key=True, of=("self",)):
        stop(search, Search.State.CANCELED, now)


def withdraw_friendly(user_ids: Collection[int], now: datetime) -> None:
    """End the members' searches without a stake, in a transaction that locked their accounts.

    Skips a search that is being paired: that pairing waits for one of these accounts, and then
    sees what the caller began.
    """
    rows = Search.objects.select_for_update(no_key=True, skip_locked=True)
    for search in rows.filter(user__in=user_ids, seek=None, state=Search.State.OPEN):
        close(search, Search.State.CANCELED, now)


def withdraw_guests(guests: Collection[UUID], now: datetime) -> None:
    """End the guests' searches, in the caller's transaction, which has locked no wallet account."""
    rows = Search.objects.select_for_update(no_key=True).order_by("pk")
    for search in rows.filter(guest__in=guests, state=Search.State.OPEN):
        close(search, Search.State.CANCELED, now)


def close(search: Search, state: Search.State, now: datetime, match: Match | None = None) -> None:
    """End a locked search alone; `stop` ends its announcement too."""
    search.state, search.closed_at, search.match = state, now, match
    search.save(update_fields=["state", "closed_at", "match"])
    if search.user_id is not None:
        id = match.public_id if match else None
        announce_after_commit(partial(nudge, search.user_id, broadcast.MATCH, id))


def open_of(person: Actor) -> QuerySet[Search]:
    rows = Search.objects.filter(state=Search.State.OPEN)
    return rows.filter(_by(person))


def _by(person: Actor) -> Q:
    if person.user_id is not None:
        return Q(user_id=person.user_id)
    return Q(guest=person.guest, guest__isnull=False)


def _has_new_match(person: Actor) -> bool:
    last = Search.objects.filter(_by(person)).select_related("match").first()
    return last is not None and last.match is not None and not last.match.is_finished
