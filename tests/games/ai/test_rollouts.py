"""Compiled rollouts agree with plain Python and with known results."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from games.ai.kernel import game
from games.ai.kernel.bits import IntArray
from games.ai.net import weights_files
from games.ai.net.rollouts import Roller, dice_of
from games.ai.net.search import Stakes, parity_flags
from games.engine.rules import Rules, Variant
from tests.bench.ladder import bearoff
from tests.games.ai.plain_search import ROLLS, PlainSearch
from tests.games.ai.test_search import (
    FEW,
    board_from,
    counts,
    no_worse_than_lost,
    player,
)

# Variant, position after a turn of White, the turns that each side had finished before, and rules.
CASES = [
    ("short", "W:24x1,6x4,4x3,off7 B:22x1,5x3,2x2,off9", (9, 9), {}),
    ("long", "W:24x14,21x1 B:24x15", (0, 0), {}),
    ("long", "W:3x1,1x1,off13 B:8x1,2x2,off12", (9, 9), {"parity": True}),
]


def plain_roll_out(
    plain: PlainSearch, after: IntArray, dice: IntArray, turns: tuple[int, int]
) -> float:
    """Return the value of one rollout for the side that has just played, less the luck."""
    board, turns = plain.flipped_board(after), (turns[1], turns[0] + 1)
    side, sign, luck = 1, -1, 0.0
    for roll in dice.tolist():
        bests = [plain.best(plain.turn(board, each, turns, side), 1, 0.0)[0] for each in ROLLS]
        chosen = bests[ROLLS.index(tuple(roll))]
        luck += sign * (chosen.equity - float(np.mean([each.equity for each in bests])))
        worth = sign * chosen.equity
        if chosen.over:
            break
        board, turns = plain.flipped_board(chosen.after), (turns[1], turns[0] + 1)
        side, sign = 1 - side, -sign
    return worth - luck


@pytest.mark.parametrize(("name", "text", "turns", "chosen"), CASES)
def test_rollouts_match_plain_python(
    name: str, text: str, turns: tuple[int, int], chosen: dict[str, object], tmp_path: Path
) -> None:
    variant, rules = Variant(name), Rules.of(name, **chosen)
    net_player, module = player(variant, tmp_path), game.MODULES[weights_files.VARIANTS[variant]]
    stakes, after = Stakes.of(rules, utility=no_worse_than_lost), board_from(text, variant)
    plain = PlainSearch(net_player, rules, stakes, FEW)
    dice = dice_of(3, 4, [7])
    flags = module.turn_flags(rules, turns[0] == 0) | parity_flags(rules, turns[0] == turns[1])
    roller = Roller(weights_files.VARIANTS[variant], net_player.weights)
    found = roller.roll_out(after, dice, flags, module.kinds_of(rules), stakes)
    assert found == pytest.approx(
        [plain_roll_out(plain, after, each, turns) for each in dice], abs=1e-5
    )


@pytest.mark.parametrize("variant", list(Variant))
def test_rollout_of_a_known_end_has_no_variance(variant: Variant, tmp_path: Path) -> None:
    rules, module = Rules.of(variant), game.MODULES[weights_files.VARIANTS[variant]]
    mine, theirs = counts({6: 2, 3: 2, 1: 1}), counts({5: 3, 2: 1})
    net_player = player(variant, tmp_path)
    roller = Roller(weights_files.VARIANTS[variant], net_player.weights)
    kinds, stakes = module.kinds_of(rules), Stakes.of(rules)
    found = roller.roll_out(module.board_of(mine, theirs), dice_of(36, 20, [1]), 0, kinds, stakes)
    expected = 1 - 2 * bearoff.on_roll_wins(theirs, mine)
    assert found == pytest.approx(expected, abs=2e-3)
    board = module.board_of(mine, theirs)
    weighed = [roller.weigh(board, roll, 0, kinds, stakes) for roll in ROLLS]
    assert np.mean([each.luck for each in weighed]) == pytest.approx(0.0, abs=1e-6)
    on_roll = 2 * bearoff.on_roll_wins(mine, theirs) - 1
    assert [each.worth - each.luck for each in weighed] == pytest.approx([on_roll] * 36, abs=2e-3)


def test_each_roll_is_equally_frequent_at_every_turn() -> None:
    dice = dice_of(72, 5, [3, 1])
    for turn in range(5):
        assert Counter(map(tuple, dice[:, turn].tolist())) == dict.fromkeys(ROLLS, 2)
    assert (dice == dice_of(72, 5, [3, 1])).all()
    assert (dice != dice_of(72, 5, [3, 2])).any()
