"""Scenario 5: the head rule of long nardy, blocks across the edge, and the dice to be used."""

from typing import Any

import pytest

from games.engine.board.legal import legal_plays
from games.engine.board.moves import play_to_text
from games.engine.board.position import Position
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from tests.games.engine.golden_cases import naive_result
from tests.games.engine.match_stories import board
from tests.games.engine.test_head import ALWAYS, ROLLS, START, rolls_that_take_two

BY_EFFECT, FIXED = Rules.of("long"), Rules.of("long", "federation")

# White's first play, and the rolls besides 3-3, 4-4 and 6-6 with which Black then moves two
# checkers off the head.
# A checker of Black that moves fives goes 24, 19, 14, 9, 4. Black's point 9 is White's 21, Black's
# 4 is White's 16, and Black's 16 is White's 4.
SECOND = {
    "24/21": {(5, 5)},
    "24/22 22/21": {(5, 5)},
    "24/18 18/16": {(5, 5)},
    "24/22 22/20 20/18 18/16": {(5, 5)},
    "24/19 19/14 14/9 9/4": {(2, 2), (2, 6), (3, 5)},
    "24/21 24/21 21/18 21/18": set(),  # Black's path is open
    "24/23 23/22 22/21 21/20": set(),
}


def texts(position: Position, dice: tuple[int, int], rules: Rules) -> set[str]:
    plays = legal_plays(position, Side.WHITE, dice, rules, False)
    return {play_to_text(play) for play in plays.values()}


def outcomes(position: Position, dice: tuple[int, int], rules: Rules) -> set[Position]:
    return set(legal_plays(position, Side.WHITE, dice, rules, False))


def head_matrix() -> None:
    for rules in (BY_EFFECT, FIXED, Rules.of("long", "manual")):
        assert rolls_that_take_two(START, Side.WHITE, rules) == ALWAYS
    for text, gained in SECOND.items():
        after = naive_result(START, Side.WHITE, text)
        assert rolls_that_take_two(after, Side.BLACK, BY_EFFECT) - ALWAYS == gained, text
        assert rolls_that_take_two(after, Side.BLACK, FIXED) <= ALWAYS, text
    for dice in ROLLS:  # after the first turn one checker leaves the head with any roll
        for result in outcomes(START, dice, BY_EFFECT):
            assert result.white[24] >= 14


# (name, White, Black, die, move, is it legal). Each move but the last makes six points in a row.
# They count as a block across the mover's edge (points 1 and 24), not across the opponent's (points
# 12 and 13).
EDGE_BLOCKS: list[tuple[str, dict[int, int], dict[int, int], int, str, bool]] = [
    ("own edge", {24: 10, 23: 1, 22: 1, 21: 1, 2: 1, 5: 1}, {16: 15}, 4, "5/1", False),
    ("one ahead", {24: 10, 23: 1, 22: 1, 21: 1, 2: 1, 5: 1}, {16: 14, 8: 1}, 4, "5/1", True),
    ("one off", {24: 10, 23: 1, 22: 1, 21: 1, 2: 1, 5: 1}, {16: 14, 0: 1}, 4, "5/1", True),
    ("one behind", {24: 10, 23: 1, 22: 1, 21: 1, 2: 1, 5: 1}, {16: 14, 24: 1}, 4, "5/1", False),
    (
        "opponent's edge",
        {24: 9, 18: 1, 14: 1, 13: 1, 12: 1, 11: 1, 10: 1},
        {21: 15},
        3,
        "18/15",
        True,
    ),
    ("five only", {24: 11, 23: 1, 22: 1, 2: 1, 5: 1}, {16: 15}, 4, "5/1", True),
]


def block_across_the_edge() -> None:
    for name, white, black, die, move, is_legal in EDGE_BLOCKS:
        position = board("long", white, black)
        wanted = naive_result(position, Side.WHITE, move)
        first_moves = {
            naive_result(position, Side.WHITE, text.split()[0])
            for other in range(1, 7)
            if other != die
            for text in texts(position, (die, other), BY_EFFECT)
            if text.split()[0].startswith(move.split("/")[0] + "/")
        }
        assert (wanted in first_moves) is is_legal, name


def most_dice_and_the_larger() -> None:
    # (White, Black, dice, legal plays)
    cases: list[tuple[Any, Any, tuple[int, int], set[str]]] = [
        # Either die can be played, but not both: the second one would end on a closed point.
        ({13: 1, 1: 14}, {14: 1, 3: 14}, (6, 5), {"13/7"}),
        # The six would end on a closed point, so the smaller die is played.
        ({13: 1, 1: 14}, {14: 1, 19: 14}, (6, 5), {"13/8"}),
        # The larger die would make a forbidden block, so it is not a legal move.
        (
            {13: 1, 12: 1, 5: 5, 4: 2, 3: 2, 2: 2, 1: 2},
            {21: 2, 20: 2, 19: 11},
            (6, 4),
            {"5/1"},
        ),
        # No legal move.
        ({13: 1, 1: 14}, {19: 8, 20: 7}, (6, 5), {"-"}),
    ]
    for white, black, dice, expected in cases:
        assert texts(board("long", white, black), dice, BY_EFFECT) == expected, (white, dice)
    # Every legal play uses both dice. 12/9 would make a block unless the 2 first takes a checker
    # from the row 8 to 4, so "12/9 24/22" is illegal.
    position = board("long", {24: 9, 12: 1, 8: 1, 7: 1, 6: 1, 5: 1, 4: 1}, {22: 15})
    played = texts(position, (3, 2), BY_EFFECT)
    assert {len(text.split()) for text in played} == {2}
    assert naive_result(position, Side.WHITE, "8/6 12/9") in outcomes(position, (3, 2), BY_EFFECT)
    assert naive_result(position, Side.WHITE, "12/9 24/22") not in outcomes(
        position, (3, 2), BY_EFFECT
    )


@pytest.mark.parametrize("rule", [head_matrix, block_across_the_edge, most_dice_and_the_larger])
def test_05_head_rule_block_rule_and_use_of_dice_hold_in_long_nardy(rule) -> None:
    assert BY_EFFECT.variant is Variant.LONG
    rule()
