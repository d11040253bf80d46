"""Decisions of staff, each with a reason on the timeline: void, adjudicate, postpone, remove."""

from datetime import datetime

from accounts.mail import member_emails
from accounts.shared import deadlines
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.conduct import commitments
from games.models import Match
from games.services import voiding
from tournaments import broadcast, states
from tournaments.models import Entrant, Fixture, Tournament
from tournaments.services import forfeits, purse, reminders, starting, timeline
from tournaments.services.announcing import STARTS
from tournaments.services.entering import entered, take_back
from tournaments.services.locking import lock, may_start_at, move_to
from tournaments.services.timeline import Event, Ruling


def void(tournament_id: int, ruling: Ruling, now: datetime) -> bool:
    """Call a tournament off and give every fee back; return False if it is over or a proposal."""
    with write_transaction():
        tournament = lock(tournament_id)
        if tournament.state == states.ANNOUNCED:
            entrants = list(entered(tournament))
            starting.cancel(tournament, entrants, now, starting.BY_STAFF, ruling)
            return True
        if tournament.state != states.RUNNING:
            return False
        move_to(tournament, states.VOID, now)
        timeline.add(tournament, Event.VOID, now, ruling)
        for public_id in _live_matches(tournament):
            voiding.call_off(public_id, now)
        drawn = list(Entrant.objects.filter(pk__in=tournament.entrant_ids))
        reminders.tell_news(tournament, drawn, now)
        broadcast.members_changed((each.user_id for each in drawn), tournament.public_id)
        purse.refund(tournament, drawn, ruling.reason, ruling.by_id, now)
    return True


def _live_matches(tournament: Tournament) -> list[str]:
    """Return the public ids of the matches in play, in the order in which they are locked."""
    live = Match.objects.filter(fixture__round__tournament=tournament, finished_at__isnull=True)
    return list(live.order_by("pk").values_list("public_id", flat=True))


def postpone(tournament_id: int, starts_at: datetime, ruling: Ruling, now: datetime) -> bool:
    """Move the start of an announced tournament.

    Return False if it is not announced, or the new start has passed. Raises Refused: `start_taken`
    if another tournament of its schedule has this start.
    """
    with write_transaction():
        tournament = lock(tournament_id)
        if tournament.state != states.ANNOUNCED or starts_at <= now:
            return False
        if not may_start_at(tournament, starts_at):
            raise Refused("start_taken")
        tournament.starts_at = starts_at
        tournament.save(update_fields=["starts_at"])
        commitments.postpone(tournament.reference, starts_at)
        entrants = list(entered(tournament))
        reminders.move(tournament, entrants, now)
        timeline.add(tournament, Event.POSTPONED, now, ruling, starts_at=starts_at.isoformat())
        deadlines.note(STARTS, starts_at)
        reminders.tell_news(tournament, entrants, now)
        broadcast.members_changed((each.user_id for each in entrants), tournament.public_id)
    return True


def adjudicate(fixture_id: int, winner_id: int | None, ruling: Ruling, now: datetime) -> bool:
    """Decide a fixture of the running round, even if it has a result; call off a match in play.

    None as the winner means that neither entrant wins. Return False once the next round has begun
    or the tournament is over, for a fixture without an opponent, and for a winner who does not play
    in it.
    """
    with write_transaction():
        found = Fixture.objects.select_related("round").get(pk=fixture_id)
        tournament = lock(found.round.tournament_id)
        fixture = forfeits.lock_open_to_ruling(fixture_id)
        if tournament.state != states.RUNNING or fixture is None or fixture.second_id is None:
            return False
        if winner_id not in (None, fixture.first_id, fixture.second_id):
            return False
        forfeits.decide(tournament, fixture, winner_id, now, ruling=ruling)
    return True


def remove(entrant_id: int, ruling: Ruling, now: datetime) -> bool:
    """Remove an entrant and email them. Return False if they are out or the tournament is over.

    Before the start the fee is given back; later the opponent wins their open fixture.
    """
    with write_transaction():
        tournament = lock(Entrant.objects.values_list("tournament", flat=True).get(pk=entrant_id))
        entrant = entered(tournament).filter(pk=entrant_id).first()
        if entrant is None:
            return False
        if tournament.state not in (states.ANNOUNCED, states.RUNNING):
            return False
        _tell_removed(tournament, entrant, ruling)
        if tournament.state == states.ANNOUNCED:
            take_back(tournament, [entrant], now, ruling)
        else:
            forfeits.exclude(tournament, entrant, now, "staff", ruling=ruling)
    return True


def _tell_removed(tournament: Tournament, entrant: Entrant, ruling: Ruling) -> None:
    """Email the reason to an entrant whom staff remove, and whether the fee is given back."""
    if not entrant.bot:
        is_returned = tournament.state == states.ANNOUNCED
        about = {"tournament": tournament, "reason": ruling.reason, "is_returned": is_returned}
        member_emails.write(entrant.user_id, "tournament_removed", about)
