"""The compiled heuristic of long nardy is the heuristic."""

import random
from dataclasses import astuple
from itertools import chain, islice

import numpy as np
import pytest

from games.ai import heuristic_long
from games.ai.estimate import Estimate
from games.ai.kernel import heuristic_long as compiled
from games.ai.kernel import long as kernel
from tests.games.ai.long_boards import CLASSIC, ROOM, afterstates, board_from, invented, played


def said(board: np.ndarray) -> Estimate:
    return heuristic_long.estimate(*kernel.counts_of(board))


def also_compiled(board: np.ndarray) -> Estimate:
    """It says no more than three chances; koks is beyond both."""
    chances = np.empty(3)
    compiled.estimate(board, chances)
    return Estimate(*chances)


def test_it_says_the_same_of_every_kind_of_position() -> None:
    races = 0
    rng = random.Random(12)
    for board, _dice, _first in chain(islice(invented(rng), 600), islice(played(rng), 600)):
        races += kernel.phase(board) == kernel.RACE
        assert astuple(also_compiled(board)) == pytest.approx(astuple(said(board)), abs=1e-9), board
    assert races > 50


@pytest.mark.parametrize(
    "text",
    [
        "W:4x2,2x1,off12 B:5x3,1x2,off10",  # both in the exact table
        "W:off15 B:24x3,5x12",
        "W:off15 B:5x12,off3",
    ],
)
def test_it_says_the_same_of_the_last_rolls(text: str) -> None:
    board = board_from(text)
    assert astuple(also_compiled(board)) == pytest.approx(astuple(said(board)), abs=1e-9)


def test_it_plays_what_is_worth_most() -> None:
    for board, dice, first in islice(played(random.Random(4)), 100):
        found = afterstates(board, dice, CLASSIC, first)
        best = compiled.best_of(ROOM, len(found))
        worth = [said(after).equity() for after in found]
        assert worth[best] == pytest.approx(max(worth), abs=1e-9)
