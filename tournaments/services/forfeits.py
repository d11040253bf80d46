"""Decide fixtures without a game: by staff, or because an entrant no longer takes part."""

from datetime import datetime

from accounts.shared import deadlines
from games.models import Match
from games.services import voiding
from tournaments import broadcast
from tournaments.models import Entrant, Fixture, Tournament
from tournaments.services import ending, timeline
from tournaments.services.tables import ROUNDS
from tournaments.services.timeline import Event, Ruling


def exclude(
    tournament: Tournament,
    entrant: Entrant,
    now: datetime,
    left_because: str,
    cause: str = Fixture.Cause.STAFF,
    ruling: Ruling | None = None,
) -> None:
    """Take an entrant out of a locked running tournament; the opponent wins their open fixture.

    `left_because` is the cause that the timeline names, `cause` the one stored with the fixture.
    """
    ending.leave_out(tournament, entrant, now, left_because, ruling)
    for fixture_id in _open_fixtures(tournament, entrant):
        fixture = lock_open_to_ruling(fixture_id)
        if fixture is not None and fixture.finished_at is None:
            other = fixture.second_id if fixture.first_id == entrant.pk else fixture.first_id
            decide(tournament, fixture, other, now, cause, ruling)
    broadcast.members_changed([entrant.user_id], tournament.public_id)


def _open_fixtures(tournament: Tournament, entrant: Entrant) -> list[int]:
    fixtures = Fixture.objects.filter(round__tournament=tournament, finished_at__isnull=True)
    own = fixtures.filter(first=entrant) | fixtures.filter(second=entrant)
    return list(own.values_list("pk", flat=True))


def lock_open_to_ruling(fixture_id: int) -> Fixture | None:
    """Lock the fixture's match, then the fixture.

    Return None once the round has led to the next one or to the end. The worker may give the
    fixture another match between the read and the lock: then both are locked again.
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


def decide(
    tournament: Tournament,
    fixture: Fixture,
    winner_id: int | None,
    now: datetime,
    cause: str = Fixture.Cause.STAFF,
    ruling: Ruling | None = None,
) -> None:
    """Decide a locked fixture without points; without a winner both entrants lose.

    The result is stored before the match in play is called off: the receiver of the match's end
    must find the fixture decided.
    """
    fixture.winner_id, fixture.cause = winner_id, cause
    fixture.first_points = fixture.second_points = 0
    fixture.finished_at = now
    fixture.save(update_fields=["winner", "cause", "first_points", "second_points", "finished_at"])
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
