"""Decisions of staff, each with a reason on the timeline: void, adjudicate, postpone, remove."""

from datetime import datetime

from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from games.conduct import commitments
from games.models import Match
from games.services import voiding
from tournaments import broadcast, states
from tournaments.models import Entrant, Fixture, Tournament
from tournaments.services import purse, reminders, rounds, starting, timeline
from tournaments.services.announcing import STARTS
from tournaments.services.entering import entered, take_back
from tournaments.services.locking import lock, move_to
from tournaments.services.tables import ROUNDS
from tournaments.services.timeline import Event, Ruling


def void(tournament_id: int, ruling: Ruling, now: datetime) -> bool:
    """Call a tournament off and give every fee back; return False once it is over."""
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
        broadcast.members_changed((each.user_id for each in drawn), tournament.public_id)
        purse.refund(tournament, drawn, ruling.reason, ruling.by_id, now)
    return True


def _live_matches(tournament: Tournament) -> list[str]:
    """Return the public ids of the matches in play, in the order in which they are locked."""
    live = Match.objects.filter(fixture__round__tournament=tournament, finished_at__isnull=True)
    return list(live.order_by("pk").values_list("public_id", flat=True))


def postpone(tournament_id: int, starts_at: datetime, ruling: Ruling, now: datetime) -> bool:
    """Move the start of an announced tournament; return False for any other or a past moment."""
    with write_transaction():
        tournament = lock(tournament_id)
        if tournament.state != states.ANNOUNCED or starts_at <= now:
            return False
        tournament.starts_at = starts_at
        tournament.save(update_fields=["starts_at"])
        commitments.postpone(tournament.reference, starts_at)
        reminders.move(tournament, now)
        timeline.add(tournament, Event.POSTPONED, now, ruling, starts_at=starts_at.isoformat())
        deadlines.note(STARTS, starts_at)
        users = entered(tournament).values_list("user", flat=True)
        broadcast.members_changed(users, tournament.public_id)
    return True


def adjudicate(fixture_id: int, winner_id: int | None, ruling: Ruling, now: datetime) -> bool:
    """Decide a fixture of the running round, also against a result; winner None: both are out.

    A match in play is called off. Return False when the next round has begun.
    """
    with write_transaction():
        found = Fixture.objects.select_related("round").get(pk=fixture_id)
        tournament = lock(found.round.tournament_id)
        fixture = _lock_open_to_ruling(fixture_id)
        if tournament.state != states.RUNNING or fixture is None or fixture.second_id is None:
            return False
        if winner_id not in (None, fixture.first_id, fixture.second_id):
            return False
        _decide(tournament, fixture, winner_id, ruling, now)
    return True


def remove(entrant_id: int, ruling: Ruling, now: datetime) -> bool:
    """Remove an entrant: before the start with the fee back, later without.

    Their open fixture goes to the opponent. Return False for one who no longer takes part, and
    once the tournament is over.
    """
    with write_transaction():
        tournament = lock(Entrant.objects.values_list("tournament", flat=True).get(pk=entrant_id))
        entrant = entered(tournament).filter(pk=entrant_id).first()
        if entrant is None:
            return False
        if tournament.state == states.ANNOUNCED:
            return bool(take_back(tournament, [entrant], now, ruling))
        if tournament.state != states.RUNNING:
            return False
        rounds.leave_out(tournament, entrant, now, "staff", ruling)
        for fixture_id in _open_fixtures(tournament, entrant):
            fixture = _lock_open_to_ruling(fixture_id)
            if fixture is not None and fixture.finished_at is None:
                other = fixture.second_id if fixture.first_id == entrant.pk else fixture.first_id
                _decide(tournament, fixture, other, ruling, now)
        broadcast.members_changed([entrant.user_id], tournament.public_id)
    return True


def _open_fixtures(tournament: Tournament, entrant: Entrant) -> list[int]:
    fixtures = Fixture.objects.filter(round__tournament=tournament, finished_at__isnull=True)
    own = fixtures.filter(first=entrant) | fixtures.filter(second=entrant)
    return list(own.values_list("pk", flat=True))


def _lock_open_to_ruling(fixture_id: int) -> Fixture | None:
    """Lock the fixture's match, then the fixture; return None once its round is over.

    The match is read before it is locked: the worker may open a table meanwhile, so the fixture is
    read again until both belong together.
    """
    while True:
        match_id = Fixture.objects.values_list("match", flat=True).get(pk=fixture_id)
        if match_id is not None:
            Match.objects.select_for_update(no_key=True).get(pk=match_id)
        rows = Fixture.objects.select_for_update(no_key=True, of=("self",))
        fixture = rows.get(pk=fixture_id)
        if fixture.match_id in (None, match_id):
            break
    return None if fixture.round.advanced_at is not None else fixture


def _decide(
    tournament: Tournament, fixture: Fixture, winner_id: int | None, ruling: Ruling, now: datetime
) -> None:
    """Write the decision, then call off a match in play: its receiver finds the fixture decided."""
    fixture.winner_id, fixture.cause = winner_id, Fixture.Cause.STAFF
    fixture.finished_at = now
    fixture.save(update_fields=["winner", "cause", "finished_at"])
    users = [fixture.first.user_id, fixture.second.user_id if fixture.second else None]
    winner = fixture.winner.user_id if fixture.winner else None
    timeline.add(
        tournament,
        Event.RESULT,
        now,
        ruling,
        round=fixture.round.number,
        users=users,
        winner=winner,
        cause=fixture.cause,
    )
    if fixture.match is not None:
        voiding.call_off(fixture.match.public_id, now)
    deadlines.note(ROUNDS, now)
    broadcast.members_changed([user for user in users if user], tournament.public_id)
