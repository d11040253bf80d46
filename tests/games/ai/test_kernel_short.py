"""The kernel of short backgammon: turns and ends of games as in the engine, inputs of nets."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from games.ai.kernel.bits import IntArray
from games.ai.kernel.short import turns as kernel
from games.engine.board.legal import legal_results
from games.engine.board.position import Position
from games.engine.board.win_kind import KIND_POINTS, win_kind
from games.engine.rules import Rules
from games.engine.sides import Side
from tests.support.lengths import length

READINGS = {hit: Rules.of("short", hit=hit) for hit in ("free", "no_hit_and_run")}

Question = tuple[IntArray, tuple[int, int]]


def afterstates(board: IntArray, dice: tuple[int, int], rules: Rules) -> IntArray:
    out = np.empty((kernel.MAX_AFTERSTATES, 26), np.int8)
    return out[: kernel.afterstates(board, *dice, kernel.turn_flags(rules), out)].copy()


def flipped(board: IntArray) -> IntArray:
    other = np.empty_like(board)
    kernel.flip(board, other)
    return other


def roll(rng: random.Random) -> tuple[int, int]:
    return rng.randint(1, 6), rng.randint(1, 6)


def played(rng: random.Random) -> Iterator[Question]:
    """Yield every turn of one random game after another, with dice in both orders."""
    while True:
        board = kernel.board_of(*[Position.start(READINGS["free"].variant).white] * 2)
        while True:
            dice = roll(rng)
            yield board, dice
            after = rng.choice(afterstates(board, dice, READINGS["free"]))
            if kernel.finished(after, kernel.MARS):
                break
            board = flipped(after)


def side(rng: random.Random, taken: list[int]) -> list[int]:
    """Return a side with fifteen checkers on random free points, often near the end of the game."""
    counts = [0] * 26
    places = [place for place in range(rng.choice((6, 12, 24, 25)) + 1) if not taken[place]]
    places = rng.sample(places, min(len(places), rng.randint(1, 9)))
    for place in rng.choices(places, k=15):
        counts[place] += 1
    return counts


def invented(rng: random.Random) -> Iterator[Question]:
    """Yield positions that games rarely reach: many checkers on the bar, walls, stragglers."""
    while True:
        mine = side(rng, [0] * 26)
        # Places 0 and 25 stay free: each side has its own bar and its own checkers off.
        theirs = side(rng, [0, *mine[24:0:-1], 0])
        if mine[0] < 15 and theirs[0] < 15:
            yield kernel.board_of(tuple(mine), tuple(theirs)), roll(rng)


def difference(question: Question, rules: Rules) -> str:
    """Describe a difference between the kernel's and the engine's results; "" if there is none."""
    board, dice = question
    mine, theirs = kernel.counts_of(board)
    results = legal_results(Position(mine, theirs), Side.WHITE, dice, rules)
    expected = {kernel.board_of(after.white, after.black).tobytes() for after in results}
    found = [after.tobytes() for after in afterstates(board, dice, rules)]
    if len(found) == len(set(found)) and set(found) == expected:
        return ""
    return f"{Position(mine, theirs).to_text()} {dice} {rules.hit}: {len(expected)}/{len(found)}"


# If a fault shows in one of 290 positions, 4,000 positions miss it with a probability of 10^-6.
POSITIONS = length(4_000, 100_000)


@pytest.mark.slow
@pytest.mark.parametrize("hit", READINGS)
def test_afterstates_match_the_engine(hit: str) -> None:
    rng = random.Random(POSITIONS)
    questions = [*islice(played(rng), POSITIONS // 2), *islice(invented(rng), POSITIONS // 2)]
    found = [text for question in questions if (text := difference(question, READINGS[hit]))]
    assert not found, "\n".join(found[:5])


def test_double_flip_and_counts_round_trip() -> None:
    for board, _dice in islice(invented(random.Random(3)), 500):
        assert (flipped(flipped(board)) == board).all()
        mine, theirs = kernel.counts_of(board)
        assert kernel.counts_of(flipped(board)) == (theirs, mine)
        assert (kernel.board_of(mine, theirs) == board).all()


@pytest.mark.parametrize("profile", ["classic", "manual"])
def test_end_of_game_matches_the_engine(profile: str) -> None:
    won = (15, *[0] * 25)
    seen = set()
    toggles = [{}, {"koks": False}, {"mars": False, "koks": False}]
    for board, _dice in islice(invented(random.Random(profile)), 400):
        _mine, loser = kernel.counts_of(board)
        gathered = (0, *[sum(loser[place::6]) for place in range(6)], *[0] * 19)
        for rules in (Rules.of("short", profile, **toggle) for toggle in toggles):
            assert kernel.finished(board, kernel.kinds_of(rules)) == 0
            for counts in (loser, gathered):
                kind = win_kind(Position(won, counts), Side.WHITE, rules)
                points = kernel.finished(kernel.board_of(won, counts), kernel.kinds_of(rules))
                assert points == KIND_POINTS[kind]
                seen.add(points)
    assert seen == {1, 2, 3}


def inputs(board: IntArray) -> dict[int, float]:
    idx, val = np.empty(kernel.MAX_ACTIVE, np.int16), np.empty(kernel.MAX_ACTIVE, np.float32)
    count = kernel.encode(board, idx, val)
    assert len(set(idx[:count])) == count
    assert max(idx[:count]) < kernel.INPUTS
    return {int(at): round(float(value), 5) for at, value in zip(idx, val[:count], strict=False)}


# Inputs of one side after those of its points, in the kernel's order.
MORE = (
    "bar", "bar_more", "off", "none_off", "pips", "rear", "leaves", "passes", "shots", "home_made",
    "block_4", "block_5", "block_6", "behind", "outside", "to_home", "enters",
)  # fmt: skip


def more(board: IntArray) -> dict[str, float]:
    """Return the inputs of the player on roll that are not about a single point."""
    seen = inputs(board)
    return {name: seen[192 + at] for at, name in enumerate(MORE) if 192 + at in seen}


def test_inputs_of_the_flipped_board_swap_the_sides() -> None:
    def other_side(at: int) -> int:
        return (at + 96) % 192 if at < 192 else 192 + (at - 192 + 17) % 34

    for board, _dice in [
        *islice(invented(random.Random(8)), 200),
        *islice(played(random.Random(9)), 200),
    ]:
        assert {other_side(at): value for at, value in inputs(board).items()} == inputs(
            flipped(board)
        )


def board_from(text: str) -> IntArray:
    position = Position.from_text(text, READINGS["free"].variant)
    return kernel.board_of(position.white, position.black)


def test_starting_position_of_short_backgammon_has_the_expected_inputs() -> None:
    # The points 5, 7 and 12 away from the rear checkers are closed. A rear checker can play 24 of
    # the 36 rolls in full (`leaves`); 18 of these pass the nearest closed point (`passes`).
    assert more(board_from("W:24x2,13x5,8x3,6x5 B:24x2,13x5,8x3,6x5")) == {
        "none_off": 1.0, "pips": 1.67, "rear": 1.0, "leaves": 0.66667, "passes": 0.5,
        "home_made": 0.16667, "behind": 0.8, "outside": 1.0, "to_home": 1.54,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "rolls"),
    [
        ("W:24x1,off14 B:7x1,24x2,off12", 17),  # six points away with nothing between
        ("W:24x1,off14 B:6x1,24x2,off12", 15),
        ("W:24x1,off14 B:7x1,3x2,5x2,24x2,off8", 14),  # 2-2 and 4-2 are closed
        ("W:bar1,off14 B:6x1,24x2,off12", 17),
        ("W:bar1,10x1,off13 B:20x1,5x2,4x2,3x2,2x2,1x2,off4", 2),  # 6 enters, then 5 hits
        ("W:bar2,10x1,off12 B:20x1,5x2,4x2,3x2,2x2,1x2,off4", 0),
    ],
)
def test_shots_are_counted(text: str, rolls: int) -> None:
    assert more(board_from(text)).get("shots", 0.0) == round(rolls / 36, 5)


def test_race_has_no_contact_inputs() -> None:
    board = board_from("W:4x2,2x1,off12 B:8x1,3x2,off12")
    assert kernel.phase(board) == 1
    assert more(board) == {"off": 0.8, "pips": 0.1}
    assert more(flipped(board)) == {"off": 0.8, "pips": 0.14, "outside": 0.1, "to_home": 0.04}
