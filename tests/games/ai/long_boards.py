"""Boards of long nardy for tests of the compiled kernel: from games, and invented hard cases."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from games.ai.kernel.long import turns as kernel
from games.engine.board.position import Position
from games.engine.rules import Rules, Variant
from tests.games.oracle.brute import read_side
from tests.games.oracle.positions import LONG_KINDS, placed

# `afterstates` writes its rows here.
BUFFER = np.empty((kernel.MAX_AFTERSTATES, 26), np.int8)
CLASSIC = Rules.of("long")
Board = Any
Question = tuple[Board, tuple[int, int], bool]  # board, dice, whether it is a side's first turn


def board_from(text: str) -> Board:
    """Return the board of a text such as `W:... B:...`, with White to move."""
    position = Position.from_text(text, Variant.LONG)
    return kernel.board_of(position.white, position.black)


def flipped(board: Board) -> Board:
    other = np.empty_like(board)
    kernel.flip(board, other)
    return other


def afterstates(board: Board, dice: tuple[int, int], rules: Rules, first: bool) -> list[Board]:
    count = kernel.afterstates(board, *dice, kernel.turn_flags(rules, first), BUFFER)
    return list(BUFFER[:count].copy())


def played(rng: random.Random) -> Iterator[Question]:
    """Yield the turns of one game after another; half of the players choose plays at random.

    The others prefer plays that hold the most points, or the fewest.
    """
    styles = (lambda held: 0, lambda held: 0, lambda held: held, lambda held: -held)
    while True:
        board, turns = np.empty(26, np.int8), 0
        kernel.start(board)
        players = rng.choices(styles, k=2)
        while board[0] < 15:
            dice = rng.randint(1, 6), rng.randint(1, 6)
            yield board, dice, turns < 2
            found = afterstates(board, dice, CLASSIC, turns < 2)
            style = players[turns % 2]
            board = max(found, key=lambda x: (style(int((x[1:25] > 0).sum())), rng.random()))
            if board[0] < 15:
                board = flipped(board)
            turns += 1


def invented(rng: random.Random) -> Iterator[Question]:
    """Yield hard positions: blocks, crowded heads, many closed points, bearing off."""
    while True:
        for make in LONG_KINDS:
            query = placed("long", make, rng)
            mover, enemy = query["turn"], "black" if query["turn"] == "white" else "white"
            sides = [tuple(read_side(query["position"], side)) for side in (mover, enemy)]
            yield kernel.board_of(*sides), tuple(query["dice"]), query["first_turn"]
