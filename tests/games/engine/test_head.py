"""The head rule: the first rolls with which two checkers may leave the head."""

from itertools import combinations_with_replacement

import pytest

from games.engine.board.legal import legal_results
from games.engine.board.position import Position
from games.engine.board.variants import HEAD
from games.engine.rules import Rules, Variant
from games.engine.sides import Side

ROLLS = list(combinations_with_replacement(range(1, 7), 2))
# head="effect": two checkers may leave if one alone cannot use as many dice. head="fixed": two may
# leave with the rolls of ALWAYS only.
ALWAYS = {(3, 3), (4, 4), (6, 6)}
START = Position.start(Variant.LONG)
BY_EFFECT = Rules.of(Variant.LONG)
FIXED = Rules.of(Variant.LONG, head="fixed")

# First player's roll -> the second player's rolls, besides ALWAYS, with which two checkers may
# leave the head after at least one of the first player's plays.
AFTER = {
    (1, 2): {(5, 5)},
    (2, 2): {(5, 5)},
    (3, 3): {(5, 5)},
    (4, 4): {(5, 5)},
    (3, 5): {(5, 5)},
    (2, 6): {(5, 5)},
    (5, 5): {(2, 2), (3, 5), (2, 6)},
}


def rolls_that_take_two(position: Position, side: Side, rules: Rules) -> set[tuple[int, int]]:
    """Return the rolls with which some play takes two checkers from the head."""
    return {
        dice
        for dice in ROLLS
        if any(
            result.of(side)[HEAD] == 13
            for result in legal_results(position, side, dice, rules, first_turn=True)
        )
    }


@pytest.mark.parametrize("rules", [BY_EFFECT, FIXED], ids=["effect", "fixed"])
def test_first_player_may_take_two_from_the_head_with_exactly_three_doublets(rules: Rules) -> None:
    assert rolls_that_take_two(START, Side.WHITE, rules) == ALWAYS


@pytest.mark.parametrize("first_roll", ROLLS)
def test_effect_lets_the_second_player_take_two_from_the_head_with_further_rolls(
    first_roll: tuple[int, int],
) -> None:
    gained = set()
    for after in legal_results(START, Side.WHITE, first_roll, BY_EFFECT, first_turn=True):
        rolls = rolls_that_take_two(after, Side.BLACK, BY_EFFECT)
        assert rolls >= ALWAYS
        gained |= rolls - ALWAYS
    assert gained == AFTER.get(first_roll, set())


@pytest.mark.parametrize("first_roll", ROLLS)
def test_fixed_rule_gives_the_second_player_the_same_three_doublets(
    first_roll: tuple[int, int],
) -> None:
    for after in legal_results(START, Side.WHITE, first_roll, FIXED, first_turn=True):
        assert rolls_that_take_two(after, Side.BLACK, FIXED) == ALWAYS


def test_two_checkers_leave_the_head_only_on_the_first_turn() -> None:
    for dice in ROLLS:
        for is_first, limit in ((True, 2), (False, 1)):
            for result in legal_results(START, Side.WHITE, dice, BY_EFFECT, is_first):
                assert 15 - result.white[HEAD] <= limit
