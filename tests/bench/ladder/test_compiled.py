"""The compiled heuristic of long nardy agrees with the one in Python."""

import random
from dataclasses import astuple
from itertools import chain, islice

import numpy as np
import pytest

from games.ai.kernel.long import turns as kernel
from games.ai.net.chances import Estimate
from tests.bench.ladder import compiled, heuristic
from tests.games.ai.long_boards import BUFFER, CLASSIC, afterstates, board_from, invented, played


def python_chances(board: np.ndarray) -> Estimate:
    return heuristic.estimate(*kernel.counts_of(board))


def compiled_chances(board: np.ndarray) -> Estimate:
    """Return the compiled chances of a win, a mars and a lost mars; koks is not estimated."""
    chances = np.empty(3)
    compiled.estimate(board, chances)
    return Estimate(*chances)


def equity_of(found: Estimate) -> float:
    """Return the cubeless equity; long nardy is played without koks."""
    return 2.0 * found.win - 1.0 + found.mars - found.mars_against


def test_estimates_agree_in_every_kind_of_position() -> None:
    races = 0
    rng = random.Random(12)
    for board, _dice, _first in chain(islice(invented(rng), 600), islice(played(rng), 600)):
        races += kernel.phase(board) == kernel.RACE
        assert astuple(compiled_chances(board)) == pytest.approx(
            astuple(python_chances(board)), abs=1e-9
        ), board
    assert races > 50


@pytest.mark.parametrize(
    "text",
    [
        "W:4x2,2x1,off12 B:5x3,1x2,off10",  # both sides are in the exact table
        "W:off15 B:24x3,5x12",
        "W:off15 B:5x12,off3",
    ],
)
def test_estimates_agree_in_the_last_rolls(text: str) -> None:
    board = board_from(text)
    assert astuple(compiled_chances(board)) == pytest.approx(
        astuple(python_chances(board)), abs=1e-9
    )


def test_compiled_choice_has_the_best_equity() -> None:
    for board, dice, first in islice(played(random.Random(4)), 100):
        found = afterstates(board, dice, CLASSIC, first)
        best = compiled.best_of(BUFFER, len(found))  # `afterstates` has filled BUFFER
        worth = [equity_of(python_chances(after)) for after in found]
        assert worth[best] == pytest.approx(max(worth), abs=1e-9)
