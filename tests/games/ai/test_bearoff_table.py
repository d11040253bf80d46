"""The bear-off table: every home board has a row; rows of few checkers agree with plain Python."""

import os
import random
from collections import Counter
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import pytest

from games.ai.kernel import bearoff, game, net
from games.ai.kernel.bits import FloatArray
from games.ai.net import weights_files
from games.ai.net.player import NetPlayer
from games.engine.rules import Variant
from tests.bench.ladder import bearoff as plain


def index(*home: int) -> int:
    return bearoff.home_index(np.array(home, np.int8))


def test_every_home_has_a_row_that_sums_to_one() -> None:
    rolls = bearoff.table()
    assert np.abs(rolls.sum(1) - 1).max() < 1e-4
    homes = [Counter(places) for places in combinations_with_replacement(range(7), 15)]
    indexes = {index(*(home[point] for point in range(1, 7))) for home in homes}
    assert len(indexes) == bearoff.ROWS == max(indexes) + 1


def test_table_agrees_with_plain_python_for_few_checkers() -> None:
    rolls, rng = bearoff.table(), random.Random(4)
    for _ in range(60):
        homes = []
        for _side in range(2):
            home = [0] * 6
            for _checker in range(rng.randint(1, plain.MAX_CHECKERS)):
                home[rng.randrange(6)] += 1
            homes.append(home)
        sides = [(15 - sum(home), *home, *[0] * 19) for home in homes]
        expected = plain.rolls_needed(sides[0])
        assert rolls[index(*homes[0])][: len(expected)] == pytest.approx(expected, abs=1e-5)
        won = bearoff.on_roll_wins(rolls, index(*homes[0]), index(*homes[1]))
        assert won == pytest.approx(plain.on_roll_wins(*sides), abs=1e-5)


def test_two_processes_that_make_the_table_at_once_write_to_different_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The temporary file's name contains a memory address, which may be equal in two processes."""
    written: list[Path] = []

    def save(path: Path, made: FloatArray) -> None:
        path.touch()  # without content, so that the next process makes the table again
        written.append(path)

    monkeypatch.setattr(bearoff, "kept_folder", lambda: tmp_path)
    monkeypatch.setattr(bearoff, "fill", lambda homes, made: None)
    monkeypatch.setattr(bearoff, "id", lambda made: 1, raising=False)
    monkeypatch.setattr(np, "save", save)
    for process in (1, 2):
        monkeypatch.setattr(os, "getpid", lambda number=process: number)
        bearoff.table()
    assert len(set(written)) == 2


@pytest.mark.parametrize("variant", list(Variant))
def test_net_uses_the_table_when_both_sides_bear_off(variant: Variant, tmp_path: Path) -> None:
    header = weights_files.header_of(variant, 4, 0, "")
    weights = net.random_weights(header.phases, header.inputs, 4, seed=3)
    weights_files.save(tmp_path / "a.net", header, weights)
    player = NetPlayer(variant, tmp_path / "a.net")
    board_of = game.MODULES[weights_files.VARIANTS[variant]].board_of
    mine, theirs = (13, 0, 1, *[0] * 3, 1, *[0] * 19), (12, 1, 1, 1, *[0] * 22)
    known = plain.on_roll_wins(mine, theirs)
    assert player.chances(board_of(mine, theirs)) == pytest.approx((known, 0, 0, 0, 0), abs=1e-5)
    # The net estimates the chance of a mars if a side has borne off no checker yet, and all chances
    # if a checker is outside home.
    full = (0, 5, 5, 5, *[0] * 22)
    assert player.chances(board_of(mine, full))[net.WIN_MARS] > 0.0
    outside = (12, 1, 1, *[0] * 5, 1, *[0] * 17)
    assert player.chances(board_of(mine, outside))[net.WIN_KOKS] > 0.0
