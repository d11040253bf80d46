"""Choice of a whole turn at 0, 1 or 2 plies, for either variant, cubeless.

`Stakes` gives the value of each way the game can end. A finished game counts exactly. If `flags`
have a parity bit (`parity_flags`), a game goes on after the side that moved first has borne off:
the other side has one turn more.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from games.ai.kernel import game, last_turn, net
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.search import MAX_PLIES, MAX_REPLIES, Filters, make_search_buffers, search
from games.engine.board.legal import Dice
from games.engine.rules import Rules

__all__ = ["FILTERS", "MAX_PLIES", "Candidate", "Filters", "Searcher", "Stakes", "parity_flags"]

# Filters by variant. Twice as many candidates improve a turn by less than 0.001 of equity.
FILTERS = {
    game.SHORT: Filters(
        most_1=12, gap_1=0.25, most_2=6, gap_2=0.12, most_replies=2, gap_replies=0.04
    ),
    game.LONG: Filters(most_1=16, gap_1=0.4, most_2=5, gap_2=0.1, most_replies=2, gap_replies=0.05),
}


def parity_flags(rules: Rules, began: bool | None) -> int:
    """Return the parity bits of a turn's flags; `began`: the side on turn moved first in the game.

    If `began` is None, parity is ignored: the side that bears off first wins at once.
    """
    if not rules.parity or began is None:
        return 0
    return last_turn.BEGAN if began else last_turn.BEGAN << 1


class Stakes(NamedTuple):
    """Values of the results of a game to the side that plays, cubeless."""

    win: float
    win_mars: float
    win_koks: float
    loss: float
    loss_mars: float
    loss_koks: float

    @classmethod
    def of(cls, rules: Rules, cube: int = 1, utility: Callable[[int], float] = float) -> "Stakes":
        """Return the stakes under these rules; `utility` maps points won to their value."""
        mars = 2 if rules.mars else 1
        koks = 3 if rules.koks else mars
        points = (1, mars, koks, -1, -mars, -koks)
        return cls(*(utility(cube * each) for each in points))

    def rows(self) -> FloatArray:
        """Return the rows of stakes of `kernel.search`: this side's and the other's."""
        other = Stakes(*(-each for each in (*self[3:], *self[:3])))
        return np.array([self._row(), other._row()])

    def _row(self) -> tuple[float, ...]:
        return (
            self.win - self.loss,
            self.win_mars - self.win,
            self.win_koks - self.win_mars,
            self.loss_mars - self.loss,
            self.loss_koks - self.loss_mars,
            self.loss,
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A result of a turn: its equity, the depth of the search, and the mover's chances."""

    after: IntArray
    equity: float
    plies: int
    chances: tuple[float, ...]


class Searcher:
    """Lookahead with a net, on kernel boards; not thread-safe."""

    def __init__(self, variant: int, weights: net.Weights, filters: Filters | None = None) -> None:
        self._variant, self._weights = variant, weights
        self._filters = filters or FILTERS[variant]
        if not 1 <= self._filters.most_replies <= MAX_REPLIES:
            raise ValueError(self._filters)
        self._buffers = make_search_buffers(weights)

    def choose(
        self, board: IntArray, dice: Dice, flags: int, kinds: int, plies: int, stakes: Stakes
    ) -> IntArray:
        """Return the board after the best turn, still seen by the mover."""
        _found, best = self._search(board, dice, flags, kinds, plies, False, stakes)
        after: IntArray = self._buffers.results.boards[best].copy()
        return after

    def ranked(
        self, board: IntArray, dice: Dice, flags: int, kinds: int, plies: int, stakes: Stakes
    ) -> list[Candidate]:
        """Return all results: the deepest searched first, by equity within a depth."""
        found, _best = self._search(board, dice, flags, kinds, plies, True, stakes)
        results = self._buffers.results
        order = np.lexsort((-results.worths[:found], -results.plies[:found]))
        return [
            Candidate(
                results.boards[row].copy(),
                float(results.worths[row]),
                int(results.plies[row]),
                tuple(float(chance) for chance in results.chances[row]),
            )
            for row in order
        ]

    def _search(
        self,
        board: IntArray,
        dice: Dice,
        flags: int,
        kinds: int,
        plies: int,
        to_compare: bool,
        stakes: Stakes,
    ) -> tuple[int, int]:
        if not 0 <= plies <= MAX_PLIES:
            raise ValueError(plies)
        scale = (stakes.win - stakes.loss) / 2
        limits = self._filters
        filters = limits._replace(
            gap_1=limits.gap_1 * scale,
            gap_2=limits.gap_2 * scale,
            gap_replies=limits.gap_replies * scale,
        )
        return search(
            self._variant, board, *dice, flags, kinds, plies, to_compare, stakes.rows(), filters,
            self._weights, self._buffers,
        )  # fmt: skip
