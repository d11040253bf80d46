"""Entering a tournament, and withdrawing before it starts."""

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

# Times that a member may enter one tournament: each leaves rows, and every page hears of it.
MOST_ENTRIES = 5


def enter(public_id: str, member: User, now: datetime) -> Entrant:
    """Enter a member and reserve the fee. Idempotent.

    Raises Refused: `not_member`, `paused`, `not_found`, `entry_closed`, `full`, `too_often` after
    MOST_ENTRIES of one member, `newcomers` for two of one device where there are credits to win,
    `stake_limit` with the `limit`, OwnLimit, and NoCredits.
    """
    if suspension_of(member.pk, now) is not None:
        raise Refused("paused")
    with write_transaction():
        # Before the tournament, in the order of closing and banning an account: one that is
        # closed or banned meanwhile does not enter.
        if not User.objects.select_for_update(no_key=True).get(pk=member.pk).is_member:
            raise Refused("not_member")
        tournament = lock_public(public_id)
        if tournament.state != states.ANNOUNCED or tournament.starts_at <= now:
            raise Refused("entry_closed")
        own = list(Entrant.objects.filter(tournament=tournament, user=member))
        present = next((each for each in own if each.state == Entrant.State.ENTERED), None)
        if present is not None:
            return present
        if entered(tournament).count() >= tournament.max_entrants:
            raise Refused("full")
        if len(own) >= MOST_ENTRIES:
            raise Refused("too_often")
        if not tournament.fee_credits:  # a fee is checked where it is reserved
            own_limits.need_entry_allowed(member.pk, now)
        if tournament.fee_credits or tournament.prize_credits:
            others = entered(tournament).values_list("user", flat=True)
            limits.check_company(member.pk, list(others), now)
        entrant = Entrant(tournament=tournament, user=member, entered_at=now)
        entrant.hold_id = purse.reserve_fee(tournament, member.pk, len(own) + 1, now)
        if entrant.hold_id and not limits.may_stake(member.pk, tournament.fee_credits):
            raise Refused("stake_limit", limit=limits.stake_limit(member.pk))
        entrant.save()
        commitments.add(member.pk, tournament.reference, tournament.starts_at)
        reminders.plan(tournament, member.pk, now)
        timeline.add(tournament, Event.ENTERED, now, user=member.pk)
        broadcast.members_changed([member.pk], public_id)
    return entrant


def withdraw(public_id: str, member: User, now: datetime) -> bool:
    """Withdraw an entry and give the fee back; return False when there is none.

    Raises Refused: `not_found`, `entry_closed` from the start on.
    """
    with write_transaction():
        tournament = lock_public(public_id)
        if tournament.state != states.ANNOUNCED or tournament.starts_at <= now:
            raise Refused("entry_closed")
        return bool(take_back(tournament, entered(tournament).filter(user=member), now))


def entered(tournament: Tournament) -> QuerySet[Entrant]:
    return Entrant.objects.filter(tournament=tournament, state=Entrant.State.ENTERED)


def take_back(
    tournament: Tournament,
    entrants: Collection[Entrant],
    now: datetime,
    ruling: Ruling | None = None,
) -> int:
    """Withdraw these entries of a locked tournament that has not started; return their number."""
    leaving = list(entrants)
    for entrant in leaving:
        entrant.state, entrant.left_at = Entrant.State.WITHDRAWN, now
        entrant.has_news = False
        entrant.save(update_fields=["state", "left_at", "has_news"])
        timeline.add(tournament, Event.WITHDREW, now, ruling, user=entrant.user_id)
    user_ids = [entrant.user_id for entrant in leaving]
    commitments.remove(tournament.reference, user_ids)
    reminders.drop(tournament, user_ids)
    purse.release_fees(leaving, now)
    broadcast.members_changed(user_ids, tournament.public_id)
    return len(leaving)
