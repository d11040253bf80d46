"""Queries about tournaments."""

from tournaments.formats import FORMATS, Played, PlayedRound, Standing
from tournaments.models import Fixture, Tournament


def played_rounds(tournament: Tournament) -> list[PlayedRound]:
    """Return the rounds whose fixtures are all decided, as the formats read them."""
    fixtures = Fixture.objects.filter(round__tournament=tournament)
    by_round: dict[int, list[Fixture]] = {}
    for fixture in fixtures.select_related("round").order_by("round__number", "number"):
        by_round.setdefault(fixture.round.number, []).append(fixture)
    return [
        tuple(played_of(fixture) for fixture in found)
        for found in by_round.values()
        if all(fixture.finished_at for fixture in found)
    ]


def played_of(fixture: Fixture) -> Played:
    """Return a fixture as the formats read it."""
    return Played(
        first=fixture.first_id,
        second=fixture.second_id,
        winner=fixture.winner_id,
        points=(fixture.first_points, fixture.second_points),
        walkover=fixture.is_technical,
    )


def standings_of(tournament: Tournament) -> list[Standing]:
    """Return the table after the last decided round; empty before the draw."""
    if not tournament.entrant_ids:
        return []
    rules = FORMATS[tournament.format]
    return rules.standings(tournament.entrant_ids, played_rounds(tournament))
