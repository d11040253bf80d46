"""A tournament's rounds as pages show them: bracket, cross table and standings.

Everything is computed from rows that the caller has read; nothing here makes a query.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments import states
from tournaments.formats import FORMATS, PlayedRound, Standing
from tournaments.formats.knockout import columns
from tournaments.formats.values import ranked_among
from tournaments.models import Entrant, Fixture, Tournament


@dataclass(frozen=True, slots=True)
class Cell:
    """A pairing of the bracket; without a fixture it is still to come, or nobody is left in it."""

    first: Entrant | None
    second: Entrant | None
    fixture: Fixture | None


@dataclass(frozen=True, slots=True)
class Mark:
    """A result for one entrant: `won`, `lost`, `open` or `free`; `self` on the diagonal.

    `score` is empty unless the match was played.
    """

    kind: str
    score: str = ""
    is_technical: bool = False
    place: int | None = None  # the opponent's place, in a column that is a round


@dataclass(frozen=True, slots=True)
class Line:
    """The line of an entrant in the table.

    `place` is None at the end of a tournament for those who were left out.
    Cells stand for the opponents (round robin) or for the rounds (Swiss); each holds the marks of
    all fixtures against that opponent or in that round.
    """

    standing: Standing
    place: int | None
    entrant: Entrant
    cells: tuple[tuple[Mark, ...], ...]
    tie_breaks: tuple[str, ...]


def bracket(
    fixtures: Sequence[Sequence[Fixture]],
    played: Sequence[PlayedRound],
    entrants: Mapping[int, Entrant],
) -> list[list[Cell]]:
    """Return the columns of a knock-out, from the first round to the final."""
    if not fixtures:
        return []
    known = columns(played) if played else [_pairs_of(fixtures[0])]
    shown = []
    for number, column in enumerate(known):
        found = fixtures[number] if number < len(fixtures) else ()
        shown.append(_cells_of(column, found, entrants))
    while len(shown[-1]) > 1:
        shown.append([Cell(None, None, None)] * (len(shown[-1]) // 2))
    return [column for column in shown if column]


def _cells_of(
    column: Sequence[tuple[int | None, int | None]],
    fixtures: Sequence[Fixture],
    entrants: Mapping[int, Entrant],
) -> list[Cell]:
    """Return the cells of one column; a fixture is found by the first entrant that its pair has."""
    by_first = {fixture.first_id: fixture for fixture in fixtures}
    return [
        Cell(
            entrants.get(first or 0),
            entrants.get(second or 0),
            by_first.get(first if first is not None else second or 0),
        )
        for first, second in column
    ]


def _pairs_of(fixtures: Sequence[Fixture]) -> tuple[tuple[int | None, int | None], ...]:
    return tuple((fixture.first_id, fixture.second_id) for fixture in fixtures)


def table(
    tournament: Tournament,
    fixtures: Sequence[Sequence[Fixture]],
    played: Sequence[PlayedRound],
    entrants: Mapping[int, Entrant],
) -> list[Line]:
    """Return the table of a round robin (by opponents) or a Swiss tournament (by rounds).

    Once the tournament is called off, nobody plays its open fixtures: their cells are empty.
    """
    if tournament.state != states.RUNNING:
        fixtures = [[fixture for fixture in each if fixture.finished_at] for each in fixtures]
    rules = FORMATS[tournament.format]
    standings = rules.standings(tournament.entrant_ids, played)
    placed = _placed(tournament, standings, entrants)
    places = {standing.entrant: standing.place for standing in placed}
    standings = [*placed, *(each for each in standings if each.entrant not in places)]
    order = [standing.entrant for standing in standings]
    is_swiss = tournament.format == Tournament.Format.SWISS
    results = _by_round(fixtures, order, places) if is_swiss else _by_opponent(fixtures, order)
    in_halves = {"buchholz", "sonneborn_berger"}
    return [
        Line(
            standing,
            places.get(standing.entrant),
            entrants[standing.entrant],
            results[standing.entrant],
            tuple(
                _points_of_halves(value) if code in in_halves else str(value)
                for code, value in zip(rules.tie_breaks, standing.tie_breaks, strict=True)
            ),
        )
        for standing in standings
    ]


def _placed(
    tournament: Tournament, standings: Sequence[Standing], entrants: Mapping[int, Entrant]
) -> list[Standing]:
    """Return those who have a place: everyone, and at the end only those who stayed."""
    if tournament.state != states.FINISHED:
        return list(standings)
    staying = {pk for pk, each in entrants.items() if each.state == Entrant.State.ENTERED}
    return ranked_among(standings, staying)


def _points_of_halves(halves: int) -> str:
    return f"{halves // 2}½" if halves % 2 else str(halves // 2)


def _by_opponent(
    fixtures: Sequence[Sequence[Fixture]], order: Sequence[int]
) -> dict[int, tuple[tuple[Mark, ...], ...]]:
    """Return the cells of each entrant: their results against the others, in the table's order."""
    found: dict[tuple[int, int], tuple[Mark, ...]] = {}
    for fixture in (fixture for each in fixtures for fixture in each if fixture.second_id):
        for own, other in _own_and_other(fixture):
            found[own, other] = (*found.get((own, other), ()), _mark(fixture, own))
    own_cell = (Mark("self"),)
    return {
        own: tuple(own_cell if own == other else found.get((own, other), ()) for other in order)
        for own in order
    }


def _by_round(
    fixtures: Sequence[Sequence[Fixture]], order: Sequence[int], places: Mapping[int, int]
) -> dict[int, tuple[tuple[Mark, ...], ...]]:
    """Return the cells of each entrant: one for each round, empty after a withdrawal."""
    rounds = [
        {
            own: (replace(_mark(fixture, own), place=places.get(other)),)
            for fixture in each
            for own, other in _own_and_other(fixture)
        }
        for each in fixtures
    ]
    return {own: tuple(each.get(own, ()) for each in rounds) for own in order}


def _own_and_other(fixture: Fixture) -> list[tuple[int, int]]:
    if fixture.second_id is None:
        return [(fixture.first_id, 0)]
    return [(fixture.first_id, fixture.second_id), (fixture.second_id, fixture.first_id)]


def _mark(fixture: Fixture, own: int) -> Mark:
    if fixture.second_id is None:
        return Mark("free")
    if fixture.finished_at is None:
        return Mark("open")
    kind = "won" if fixture.winner_id == own else "lost"
    if fixture.is_technical:
        return Mark(kind, is_technical=True)
    points = (fixture.first_points, fixture.second_points)
    own_points, other_points = points if fixture.first_id == own else points[::-1]
    return Mark(kind, f"{own_points}:{other_points}")
