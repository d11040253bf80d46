"""Rollouts with variance reduction: the net plays both sides at 0-ply.

A `Roller` is not thread-safe.
"""

from typing import NamedTuple

import numpy as np
from numba import config

from games.ai.kernel import net, rollouts
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.search import make_search_buffers
from games.ai.net.search import Stakes
from games.engine.board.legal import Dice

# All 36 rolls, both orders of the dice; `rolls.ROLLS` are the 21 distinct ones.
_ORDERED_ROLLS = np.array([(d1, d2) for d1 in range(1, 7) for d2 in range(1, 7)])


class Weighed(NamedTuple):
    """Luck of a roll and its value when played best, to the side on roll."""

    luck: float
    worth: float


def is_fast() -> bool:
    """Return whether the code is compiled; in interpreted code a rollout takes minutes."""
    return not config.DISABLE_JIT  # type: ignore[attr-defined]


def dice_of(trials: int, turns: int, seed: list[int]) -> IntArray:
    """Return the rolls of each trial; each block of 36 trials has all 36 rolls at every turn."""
    blocks = -(-trials // len(_ORDERED_ROLLS))
    numbers = np.tile(np.arange(len(_ORDERED_ROLLS)), (blocks, turns, 1))
    mixed = np.random.default_rng(seed).permuted(numbers, axis=2)
    dice: IntArray = _ORDERED_ROLLS[mixed.swapaxes(1, 2).reshape(-1, turns)[:trials]]
    return dice


class Roller:
    """Rollouts with one net, on kernel boards."""

    def __init__(self, variant: int, weights: net.Weights) -> None:
        self._variant, self._weights = variant, weights
        self._buffers = make_search_buffers(weights)
        self._after = np.empty(26, np.int8)

    def weigh(self, board: IntArray, dice: Dice, flags: int, kinds: int, stakes: Stakes) -> Weighed:
        """Evaluate the roll of the side that sees the board."""
        luck, worth, _over = rollouts.weigh_roll(
            self._variant, board, *dice, flags, kinds, 0, stakes.rows(), self._weights,
            self._buffers, self._after,
        )  # fmt: skip
        return Weighed(luck, worth)

    def roll_out(
        self, after: IntArray, dice: IntArray, flags: int, kinds: int, stakes: Stakes
    ) -> FloatArray:
        """Return the values of a turn to the side that played it, one for each trial of `dice_of`.

        `after` is the resulting board, still seen by that side; `flags` are those of its turn.
        """
        found = np.empty(len(dice))
        rollouts.roll_out(
            self._variant, after, dice, flags, kinds, stakes.rows(), self._weights, self._buffers,
            found,
        )  # fmt: skip
        return found
