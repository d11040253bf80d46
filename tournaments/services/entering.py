"""Enter a tournament, and withdraw before it starts."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import QuerySet

from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.conduct import commitments
from games.conduct.record import suspension_of
from games.stakes import limits, own_limits
from tournaments import broadcast, states
from tournaments.models import Entrant, Tournament
from tournaments.services import purse, reminders, timeline
from tournaments.services.locking import lock_public
from tournaments.services.timeline import Event, Ruling

# Maximum number of times that a member may enter one tournament: each time stores rows and
# reloads open pages.
MOST_TIMES = 5


def enter(public_id: str, member: User, now: datetime) -> Entrant:
    """Enter a member and reserve the fee. Idempotent.

    Raises Refused: `not_member`, `paused`, `not_found`, `entry_closed`, `removed` after staff have
    removed the member, `full`, `too_often` after MOST_TIMES of one member, `newcomers` for a second
    member from one device if there are credits to win, `stake_limit` with the `limit`,
    `credits_frozen`, OwnLimit, and NoCredits.
    """
    if suspension_of(member.pk, now) is not None:
        raise Refused("paused")
    with write_transaction():
        _lock_member(member.pk)
        tournament = lock_public(public_id)
        _need_open(tournament, now)
        own = list(Entrant.objects.filter(tournament=tournament, user=member))
        present = next((each for each in own if each.state == Entrant.State.ENTERED), None)
        if present is not None:
            return present
        if own and is_removed(tournament, member.pk):
            raise Refused("removed")
        if entered(tournament).count() >= tournament.max_entrants:
            raise Refused("full")
        if len(own) >= MOST_TIMES:
            raise Refused("too_often")
        _check_limits(tournament, member.pk, now)
        entrant = Entrant(tournament=tournament, user=member, entered_at=now)
        entrant.hold_id = _reserve_fee(tournament, member.pk, len(own) + 1, now)
        entrant.save()
        commitments.add(member.pk, tournament.reference, tournament.starts_at)
        reminders.plan(tournament, member.pk, now)
        timeline.add(tournament, Event.ENTERED, now, user=member.pk)
        broadcast.members_changed([member.pk], public_id)
    return entrant


def _lock_member(user_id: int) -> None:
    """Lock a member; raise `Refused("not_member")` if the account was closed or banned meanwhile.

    Closing and banning lock the member before the tournaments, so entering does too.
    """
    if not User.objects.select_for_update(no_key=True).get(pk=user_id).is_member:
        raise Refused("not_member")


def _need_open(tournament: Tournament, now: datetime) -> None:
    if tournament.state != states.ANNOUNCED or tournament.starts_at <= now:
        raise Refused("entry_closed")


def is_removed(tournament: Tournament, user_id: int) -> bool:
    """Return whether staff removed the member.

    Of the timeline's WITHDREW entries only those of a removal name a member of the staff.
    """
    removals = tournament.timeline.filter(event=Event.WITHDREW, by__isnull=False)
    return removals.filter(detail__user=user_id).exists()


def _check_limits(tournament: Tournament, user_id: int, now: datetime) -> None:
    if not tournament.fee_credits:  # reserving a fee checks the member's own limits
        own_limits.need_entry_allowed(user_id, now)
    if tournament.fee_credits or tournament.prize_credits:
        others = entered(tournament).values_list("user", flat=True)
        limits.check_company(user_id, list(others), now)


def _reserve_fee(tournament: Tournament, user_id: int, number: int, now: datetime) -> int | None:
    """Reserve the fee of a member who enters for the `number`th time, within their stake limit."""
    hold_id = purse.reserve_fee(tournament, user_id, number, now)
    if hold_id and not limits.may_stake(user_id, tournament.fee_credits):
        raise Refused("stake_limit", limit=limits.stake_limit(user_id))
    return hold_id


def withdraw(public_id: str, member: User, now: datetime) -> bool:
    """Withdraw the member and give the fee back; return False if they had not entered.

    Raises Refused: `not_found`, `entry_closed` from the start on.
    """
    with write_transaction():
        tournament = lock_public(public_id)
        _need_open(tournament, now)
        return bool(take_back(tournament, entered(tournament).filter(user=member), now))


def entered(tournament: Tournament) -> QuerySet[Entrant]:
    return Entrant.objects.filter(tournament=tournament, state=Entrant.State.ENTERED)


def take_back(
    tournament: Tournament,
    entrants: Collection[Entrant],
    now: datetime,
    ruling: Ruling | None = None,
) -> int:
    """Withdraw entrants from a locked tournament that has not started; return their number.

    A `ruling` is the decision of staff to remove them: the timeline says so, with the reason, and
    they cannot enter again.
    """
    leaving = list(entrants)
    cause = {"cause": "removed"} if ruling else {}
    for entrant in leaving:
        entrant.state, entrant.left_at = Entrant.State.WITHDRAWN, now
        entrant.has_news = False
        entrant.save(update_fields=["state", "left_at", "has_news"])
        timeline.add(tournament, Event.WITHDREW, now, ruling, user=entrant.user_id, **cause)
    user_ids = [entrant.user_id for entrant in leaving]
    commitments.remove(tournament.reference, user_ids)
    reminders.drop(tournament, user_ids)
    purse.release_fees(leaving, now)
    broadcast.members_changed(user_ids, tournament.public_id)
    return len(leaving)
