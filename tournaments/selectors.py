"""Queries about tournaments."""

from collections.abc import Collection

from django.core.cache import caches

from tournaments import states
from tournaments.formats import FORMATS, Played, PlayedRound, Standing
from tournaments.models import Fixture, Tournament

RUNNING_KEY = "tournaments:running"
# Seconds for which each process keeps the number of running tournaments in its cache. After a
# nudge, pages wait a little longer than this before they ask again (templates/base.html).
RUNNING_KEPT_S = 4


def running_count() -> int:
    """Return the number of running tournaments, at most RUNNING_KEPT_S seconds old."""
    found = Tournament.objects.filter(state=states.RUNNING)
    return caches["pages"].get_or_set(RUNNING_KEY, found.count, RUNNING_KEPT_S) or 0


def find_fixture(match_id: str) -> Fixture | None:
    """Find the fixture that a match decides, or whose match was drawn, by its public id."""
    fixtures = Fixture.objects.select_related("round__tournament", "first", "second")
    by_match = fixtures.filter(match__public_id=match_id).first()
    return by_match or fixtures.filter(drawn_match__public_id=match_id).first()


def played_rounds(tournament: Tournament) -> list[PlayedRound]:
    """Return the rounds whose fixtures are all decided, in the form that formats take."""
    return rounds_by_tournament([tournament.pk]).get(tournament.pk, [])


def rounds_by_tournament(tournament_ids: Collection[int]) -> dict[int, list[PlayedRound]]:
    """Return the decided rounds of each tournament that has begun. One query."""
    fixtures = Fixture.objects.filter(round__tournament__in=tournament_ids)
    by_round: dict[tuple[int, int], list[Fixture]] = {}
    for fixture in fixtures.select_related("round").order_by("round__number", "number"):
        key = (fixture.round.tournament_id, fixture.round.number)
        by_round.setdefault(key, []).append(fixture)
    rounds: dict[int, list[PlayedRound]] = {}
    for (tournament_id, _number), found in by_round.items():
        if all(fixture.finished_at for fixture in found):
            played = tuple(played_of(fixture) for fixture in found)
            rounds.setdefault(tournament_id, []).append(played)
    return rounds


def played_of(fixture: Fixture) -> Played:
    """Return a decided fixture in the form that formats take."""
    return Played(
        first=fixture.first_id,
        second=fixture.second_id,
        winner=fixture.winner_id,
        points=(fixture.first_points, fixture.second_points),
        walkover=fixture.is_technical,
    )


def standings_of(tournament: Tournament) -> list[Standing]:
    """Return the standings after the last decided round; empty before the draw."""
    if not tournament.entrant_ids:
        return []
    rules = FORMATS[tournament.format]
    return rules.standings(tournament.entrant_ids, played_rounds(tournament))
