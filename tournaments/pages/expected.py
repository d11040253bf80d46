"""The expected length of a tournament, and a member's other tournaments that overlap with it."""

from datetime import datetime, timedelta

from accounts.models import User
from games.rulebook.summary import likely_minutes
from tournaments import states
from tournaments.formats import FORMATS
from tournaments.models import Entrant, Tournament

# Expected time between two rounds: the join window and the wait for other tables.
PAUSE_MINUTES = 5


def expected_minutes(tournament: Tournament, entrant_count: int) -> int:
    size = max(entrant_count, tournament.min_entrants)
    rounds = FORMATS[tournament.format].rounds_at_most(size)
    return rounds * (likely_minutes(tournament.match_rules) + PAUSE_MINUTES)


def expected_end(tournament: Tournament, entrant_count: int) -> datetime:
    begin = tournament.started_at or tournament.starts_at
    return begin + timedelta(minutes=expected_minutes(tournament, entrant_count))


def collisions(tournament: Tournament, entrant_count: int, member: User) -> list[Tournament]:
    """Return the other tournaments of the member whose expected times overlap with this one."""
    others = Tournament.objects.filter(
        pk__in=Entrant.objects.filter(user=member, state=Entrant.State.ENTERED).values(
            "tournament"
        ),
        state__in=(states.ANNOUNCED, states.RUNNING),
    ).exclude(pk=tournament.pk)
    return [other for other in others if _overlap(tournament, entrant_count, other)]


def _overlap(tournament: Tournament, entrant_count: int, other: Tournament) -> bool:
    begins = (each.started_at or each.starts_at for each in (tournament, other))
    ends = (expected_end(tournament, entrant_count), expected_end(other, other.min_entrants))
    return max(begins) < min(ends)
