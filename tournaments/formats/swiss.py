"""Swiss: each round pairs entrants with equally many wins who have not met.

The order of a round is a shuffle, sorted by wins (stable, most wins first). A *repeat* is a pair
who have met before. In an odd field the bye, which counts as a win, goes to an entrant who has had
none: to the last in this order whose bye leaves the fewest repeats. If the whole field has had a
bye, everyone may get another. Of all pairings with the fewest repeats, the first one in this order
is played: the first entrant meets the earliest possible opponent, and so on.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.draw.stream import DrawStream
from tournaments.formats.matching import Graph, Matching, grow
from tournaments.formats.tie_breaks import Table
from tournaments.formats.values import (
    Pairing,
    PlayedRound,
    Round,
    Standing,
    check_entrants,
    entrants_in,
)


@dataclass(frozen=True, slots=True)
class Swiss:
    tie_breaks: tuple[str, ...] = ("buchholz", "sonneborn_berger", "cumulative", "points")

    def rounds_at_most(self, size: int) -> int:
        """Return the number of rounds that usually leaves one entrant unbeaten.

        In odd and small fields two may still be unbeaten, since avoiding repeats comes first.
        """
        return (size - 1).bit_length()

    def first_round(self, entrants: Sequence[int], stream: DrawStream) -> Round:
        check_entrants(entrants)
        return _round(stream.shuffled(entrants), ())

    def next_round(
        self, entrants: Sequence[int], rounds: Sequence[PlayedRound], stream: DrawStream
    ) -> Round | None:
        """Pair those who still take part; the whole field's size gives the number of rounds."""
        everyone = entrants_in(rounds[0])
        if len(rounds) == self.rounds_at_most(len(everyone)) or len(entrants) < 2:
            return None
        wins = Table(sorted(everyone), rounds, is_swiss=True).wins
        order = sorted(stream.shuffled(entrants), key=lambda entrant: -wins[entrant])
        return _round(order, rounds)

    def standings(self, entrants: Sequence[int], rounds: Sequence[PlayedRound]) -> list[Standing]:
        table = Table(entrants, rounds, is_swiss=True)
        return table.standings(
            {
                entrant: (
                    table.buchholz(entrant),
                    table.sonneborn_berger(entrant),
                    table.cumulative(entrant),
                    table.point_difference(entrant),
                )
                for entrant in entrants
            }
        )


def _round(order: list[int], rounds: Sequence[PlayedRound]) -> Round:
    graph = _not_met(order, rounds)
    if len(order) % 2 == 0:
        return tuple(_pairs(order, graph, set()))
    had_bye = {played.first for each in rounds for played in each if played.second is None}
    places = [place for place, entrant in enumerate(order) if entrant not in had_bye]
    bye_place = _best_bye(graph, reversed(places or range(len(order))))
    return (*_pairs(order, graph, {bye_place}), Pairing(order[bye_place], None))


def _not_met(order: Sequence[int], rounds: Sequence[PlayedRound]) -> Graph:
    """Return, for each place of the order, the places of those whom its entrant may still meet."""
    place_of = {entrant: place for place, entrant in enumerate(order)}
    graph = [set(range(len(order))) - {place} for place in range(len(order))]
    for played_round in rounds:
        for played in played_round:
            one = place_of.get(played.first)
            other = None if played.second is None else place_of.get(played.second)
            if one is not None and other is not None:
                graph[one].discard(other)
                graph[other].discard(one)
    return graph


def _best_bye(graph: Graph, places: Iterable[int]) -> int:
    """Return the first of `places` whose bye leaves the fewest repeats among the others."""
    best, fewest = -1, len(graph)
    for place in places:
        alone = grow(graph, [None] * len(graph), {place})
        if alone < fewest:
            best, fewest = place, alone
        if alone == 0:
            break
    return best


def _pairs(order: Sequence[int], graph: Graph, left_out: set[int]) -> Iterable[Pairing]:
    """Pair everyone but `left_out`: the first pairing in the order that has the fewest repeats.

    A pair is kept if the others can still be paired without further repeats. To test this, its two
    places are taken out of a maximum matching, which then grows again.
    """
    taken = set(left_out)
    matching: Matching = [None] * len(order)
    alone = grow(graph, matching, taken)
    for place, entrant in enumerate(order):
        if place in taken:
            continue
        for other in range(place + 1, len(order)):
            if other in taken:
                continue
            trial = _without(matching, place, other)
            rest = grow(graph, trial, taken | {place, other})
            # A pair that has met is one of the repeats, so two fewer places stay unmatched.
            if rest == (alone if other in graph[place] else alone - 2):
                matching, alone = trial, rest
                taken |= {place, other}
                yield Pairing(entrant, order[other])
                break


def _without(matching: Matching, *places: int) -> Matching:
    trial = list(matching)
    for place in places:
        partner = trial[place]
        if partner is not None:
            trial[place] = trial[partner] = None
    return trial
