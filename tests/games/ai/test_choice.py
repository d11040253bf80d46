"""The turn chosen at 0-ply is the best when every result is evaluated separately."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from games.ai.kernel import choice, game, net
from games.ai.kernel.bits import IntArray
from games.ai.net import weights_files
from games.ai.net.player import NetPlayer
from games.engine.rules import Rules, Variant
from tests.games.ai import long_boards
from tests.games.ai.test_kernel_short import invented, played

Question = tuple[IntArray, tuple[int, int], bool]  # board, dice, whether it is a first turn


def questions(variant: Variant) -> list[Question]:
    rng = random.Random(5)
    if variant is Variant.SHORT:
        pairs = [*islice(played(rng), 300), *islice(invented(rng), 100)]
        return [(board, dice, False) for board, dice in pairs]
    return list(islice(long_boards.played(rng), 300))


@pytest.mark.parametrize("variant", list(Variant))
def test_best_turn_leaves_the_enemy_the_lowest_equity(variant: Variant, tmp_path: Path) -> None:
    header = weights_files.header_of(variant, 16, 0, "")
    weights = net.random_weights(header.phases, header.inputs, 16, seed=3)
    weights_files.save(tmp_path / "a.net", header, weights)
    player = NetPlayer(variant, tmp_path / "a.net")
    rules = Rules.of(variant)
    module = game.MODULES[weights_files.VARIANTS[variant]]
    buffers = choice.make_turn_buffers(player.weights)
    out, other = np.empty((game.MAX_AFTERSTATES, 26), np.int8), np.empty(26, np.int8)
    wins = 0
    for board, dice, first in questions(variant):
        found = module.afterstates(board, *dice, module.turn_flags(rules, first), out)
        worths = []
        for after in out[:found]:
            module.flip(after, other)
            points = module.finished(after, module.kinds_of(rules))
            worths.append(-float(points) if points else player.equity(other))
        flags, kinds = module.turn_flags(rules, first), module.kinds_of(rules)
        row, points, _count = choice.best_turn(
            weights_files.VARIANTS[variant], board, *dice, flags, kinds, player.weights, buffers
        )
        wins += points > 0
        assert worths[row] == pytest.approx(min(worths), abs=1e-4)
    assert wins > 0


def test_equity_of_flipped_chances_is_opposite_and_of_a_won_mars_is_two() -> None:
    chances = np.array([0.7, 0.3, 0.01, 0.1, 0.02], np.float32)
    other = np.empty_like(chances)
    net.flip_chances(chances, other)
    assert net.equity(other) == pytest.approx(-net.equity(chances), abs=1e-6)
    net.flip_chances(other, other)
    assert other == pytest.approx(chances)
    choice.won_chances(2, chances)
    assert net.equity(chances) == 2.0
