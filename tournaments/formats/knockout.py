"""Knock-out: the draw places everyone in a bracket; the winners of neighboring pairs meet.

Byes are drawn at random, in the first round only. If both entrants of a pairing were absent, their
place stays empty, and the next opponent advances without a match. No round is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.draw.stream import DrawStream
from tournaments.formats.values import (
    Pairing,
    Played,
    PlayedRound,
    Round,
    Standing,
    check_entrants,
)

Column = tuple[tuple[int | None, int | None], ...]


@dataclass(frozen=True, slots=True)
class Knockout:
    tie_breaks: tuple[str, ...] = ()

    def rounds_at_most(self, size: int) -> int:
        return (size - 1).bit_length()

    def first_round(self, entrants: Sequence[int], stream: DrawStream) -> Round:
        check_entrants(entrants)
        pairs = 1 << (self.rounds_at_most(len(entrants)) - 1)
        line = iter(stream.shuffled(entrants))
        with_bye = set(stream.shuffled(range(pairs))[: 2 * pairs - len(entrants)])
        return tuple(
            Pairing(next(line), None if pair in with_bye else next(line)) for pair in range(pairs)
        )

    def next_round(
        self, entrants: Sequence[int], rounds: Sequence[PlayedRound], stream: DrawStream
    ) -> Round | None:
        column = columns(rounds)[-1]
        return tuple(_pairing(pair) for pair in column if pair != (None, None)) or None

    def standings(self, entrants: Sequence[int], rounds: Sequence[PlayedRound]) -> list[Standing]:
        """Order the entrants by the round in which they were eliminated.

        The last two share the first place when both were absent from the final.
        """
        lost_in = {
            entrant: number
            for number, played in enumerate(rounds)
            for pairing in played
            for entrant in (pairing.first, pairing.second)
            if entrant is not None and entrant != pairing.winner
        }
        lasted = {entrant: lost_in.get(entrant, len(rounds)) for entrant in entrants}
        won = [p.winner for played in rounds for p in played if not _is_free(p)]
        table = [
            Standing(
                place=1 + sum(other > lasted[entrant] for other in lasted.values()),
                entrant=entrant,
                wins=won.count(entrant),
                losses=int(entrant in lost_in),
                tie_breaks=(),
            )
            for entrant in entrants
        ]
        return sorted(table, key=lambda standing: standing.place)


def columns(rounds: Sequence[PlayedRound]) -> list[Column]:
    """Return the bracket: each played round with its empty places, then the round to come.

    The round to come is empty after the final.
    """
    column: Column = tuple((played.first, played.second) for played in rounds[0])
    bracket = [column]
    for played_round in rounds:
        winners = {played.first: played.winner for played in played_round}
        present = [first if first is not None else second for first, second in column]
        advanced = [None if entrant is None else winners[entrant] for entrant in present]
        column = tuple(zip(advanced[::2], advanced[1::2], strict=False))
        bracket.append(column)
    return bracket


def _pairing(pair: tuple[int | None, int | None]) -> Pairing:
    first, second = pair
    if first is None:
        first, second = second, None
    assert first is not None
    return Pairing(first, second)


def _is_free(played: Played) -> bool:
    return played.second is None
