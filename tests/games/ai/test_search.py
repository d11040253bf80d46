"""The compiled search agrees with plain Python, the engine and an ending solved exactly."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from games.ai.kernel import game, net
from games.ai.kernel.bits import IntArray
from games.ai.net import weights_files
from games.ai.net.player import NetPlayer
from games.ai.net.search import Filters, Searcher, Stakes, parity_flags
from games.engine.board.legal import legal_results
from games.engine.board.position import Counts, Position
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from tests.bench.ladder import bearoff
from tests.games.ai import long_boards
from tests.games.ai.plain_search import ROLLS, PlainSearch
from tests.games.ai.test_kernel_short import played

FEW = Filters(3, 0.1, 2, 0.05, 2, 0.02)


def player(variant: Variant, folder: Path, weights: net.Weights | None = None) -> NetPlayer:
    """Return a player whose net has these weights, by default random ones."""
    header = weights_files.header_of(variant, 8, 0, "")
    weights = weights or net.random_weights(header.phases, header.inputs, 8, seed=3)
    weights_files.save(folder / "a.net", header, weights)
    return NetPlayer(variant, folder / "a.net")


def board_from(text: str, variant: Variant) -> IntArray:
    position = Position.from_text(text, variant)
    board: IntArray = game.MODULES[weights_files.VARIANTS[variant]].board_of(
        position.white, position.black
    )
    return board


def no_worse_than_lost(points: int) -> float:
    """Return the utility of `points`: a mars counts when it is won, not when it is lost."""
    return max(float(points), -1.0)


# Variant, position, dice, the turns that each side has finished, and rules.
CASES = [
    ("short", "W:6x1,5x1,off13 B:24x1,3x5,2x4,1x5", (6, 1), (9, 9), {}),
    ("short", "W:bar1,6x3,3x2,off9 B:24x1,20x1,6x2,2x3,off8", (4, 2), (9, 9), {"koks": False}),
    ("short", "W:24x1,6x2,5x2,off10 B:22x1,3x2,off12", (3, 1), (9, 9), {"hit": "no_hit_and_run"}),
    ("long", "W:24x15 B:24x15", (6, 5), (0, 0), {}),
    ("long", "W:24x14,18x1 B:24x15", (2, 1), (1, 0), {"head": "fixed"}),
    ("long", "W:3x1,1x2,off12 B:18x1,5x14", (1, 2), (9, 9), {"mars": False}),
    ("long", "W:3x1,1x2,off12 B:4x2,2x1,off12", (1, 2), (9, 9), {"parity": True}),
    ("long", "W:5x1,2x2,off12 B:3x1,1x2,off12", (3, 2), (8, 9), {"parity": True}),
    ("long", "W:2x1,1x1,off13 B:7x1,3x4,2x10", (1, 2), (9, 9), {"parity": True, "koks": True}),
    ("long", "W:8x1,5x2,4x1,off11 B:off15", (4, 4), (8, 9), {"parity": True}),
    ("long", "W:7x1,5x5,4x9 B:off15", (1, 3), (8, 9), {"parity": True}),
    ("short", "W:2x1,1x1,off13 B:21x1,6x2,3x1,1x11", (1, 2), (9, 9), {"parity": True}),
    ("short", "W:5x1,3x1,off13 B:2x1,1x1,off13", (1, 2), (8, 9), {"parity": True}),
    ("short", "W:bar1,6x1,5x2,4x11 B:off15", (1, 3), (8, 9), {"parity": True}),
    (
        "long", "W:18x2,17x2,16x2,15x2,14x2,20x5 B:24x3,23x4,22x4,21x4", (5, 1), (9, 9),
        {"block": "end_of_turn"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "dice", "turns", "chosen"), CASES)
def test_search_matches_plain_python(
    name: str,
    text: str,
    dice: tuple[int, int],
    turns: tuple[int, int],
    chosen: dict[str, object],
    tmp_path: Path,
) -> None:
    variant = Variant(name)
    rules, board = Rules.of(variant, **chosen), board_from(text, variant)
    net_player, module = player(variant, tmp_path), game.MODULES[weights_files.VARIANTS[variant]]
    stakes = Stakes.of(rules, utility=no_worse_than_lost)
    expected = PlainSearch(net_player, rules, stakes, FEW).ranked(board, dice, turns, 2)
    searcher = Searcher(weights_files.VARIANTS[variant], net_player.weights, FEW)
    flags, kinds = module.turn_flags(rules, turns[0] == 0), module.kinds_of(rules)
    flags |= parity_flags(rules, turns[0] == turns[1])
    found = searcher.ranked(board, dice, flags, kinds, 2, stakes)
    assert len(found) == len(expected)
    assert [each.plies for each in found] == [each.plies for each in expected]
    assert [each.equity for each in found] == pytest.approx(
        [each.equity for each in expected], abs=1e-5
    )
    top = [each for each in found if each.plies == 2]
    for one, other in zip(top, expected, strict=False):
        assert (one.after == other.after).all()
        assert one.chances == pytest.approx(other.chances, abs=1e-5)


@pytest.mark.parametrize("variant", list(Variant))
def test_search_plays_legal_turns_deterministically(variant: Variant, tmp_path: Path) -> None:
    rules, net_player = Rules.of(variant), player(variant, tmp_path)
    narrow = Searcher(
        weights_files.VARIANTS[variant], net_player.weights, Filters(1, 0.0, 1, 0.0, 1, 0.0)
    )
    module = game.MODULES[weights_files.VARIANTS[variant]]
    kinds, forced_turns = module.kinds_of(rules), 0
    for board, dice, first in questions(variant):
        position = Position(*module.counts_of(board))
        legal = {
            module.board_of(after.white, after.black).tobytes()
            for after in legal_results(position, Side.WHITE, dice, rules, first)
        }
        forced_turns += len(legal) == 1
        flags = module.turn_flags(rules, first)
        for plies in range(3 if len(legal) == 1 else 2):
            net_player.plies = plies
            chosen = net_player.choose(board, dice, rules, first)
            ranked = net_player.ranked(board, dice, rules, first, plies)
            assert {each.after.tobytes() for each in ranked} == legal
            assert (chosen == ranked[0].after).all()
            assert (chosen == net_player.choose(board, dice, rules, first)).all()
            after = narrow.choose(board, dice, flags, kinds, plies, Stakes.of(rules))
            assert after.tobytes() in legal
    assert forced_turns > 3


def questions(variant: Variant) -> Iterator[tuple[IntArray, tuple[int, int], bool]]:
    rng = random.Random(6)
    if variant is Variant.LONG:
        return islice(long_boards.played(rng), 150)
    return ((board, dice, False) for board, dice in islice(played(rng), 150))


def counts(points: dict[int, int]) -> Counts:
    """Return a side with these checkers on its points; the others are borne off."""
    places = [points.get(place, 0) for place in range(26)]
    places[0] = 15 - sum(places)
    return tuple(places)


MINE, THEIRS = {9: 1, 8: 1, 2: 1}, {5: 2, 4: 1}


@cache
def results(mine: Counts, dice: tuple[int, int], variant: Variant) -> list[Counts]:
    """Return the engine's results of a roll for a side that nothing blocks."""
    position = Position(mine, counts({1: 1}))
    return [
        after.white for after in legal_results(position, Side.WHITE, dice, Rules.of(variant), False)
    ]


def exact(mine: Counts, theirs: Counts, variant: Variant, turns: int) -> float:
    """Return the chance that the side on roll wins, exact once all checkers are home.

    If checkers are still outside after `turns` turns, the chance is 1, as the net of the test says.
    """
    if not any(mine[7:]) and not any(theirs[7:]):
        return bearoff.on_roll_wins(mine, theirs)
    if turns == 0:
        return 1.0

    def after(dice: tuple[int, int]) -> float:
        ways = results(mine, dice, variant)
        return max(1.0 - exact(theirs, way, variant, turns - 1) for way in ways)

    return fmean(after(dice) for dice in ROLLS)


@pytest.mark.parametrize("variant", list(Variant))
def test_two_plies_find_an_end_that_the_net_does_not_know(variant: Variant, tmp_path: Path) -> None:
    module = game.MODULES[weights_files.VARIANTS[variant]]
    ignorant = net.empty(module.PHASES, module.INPUTS, 8)
    ignorant.bias2[:] = (12.0, -12.0, -12.0, -12.0, -12.0)  # a sure win for the side on roll
    net_player = player(variant, tmp_path, ignorant)
    rules, theirs = Rules.of(variant), counts(THEIRS)
    board = module.board_of(counts(MINE), theirs)
    worth = {
        module.board_of(way, theirs).tobytes(): 1 - 2 * exact(theirs, way, variant, 2)
        for way in results(counts(MINE), (2, 1), variant)
    }
    at_once = net_player.choose(board, (2, 1), rules, False)
    wide = Searcher(weights_files.VARIANTS[variant], ignorant, Filters(99, 2.0, 99, 2.0, 8, 2.0))
    kinds = module.kinds_of(rules)
    ranked = wide.ranked(board, (2, 1), 0, kinds, 2, Stakes.of(rules))
    found = {each.after.tobytes(): each.equity for each in ranked}
    assert found == pytest.approx(worth, abs=1e-4)
    best = max(worth.values())
    assert worth[ranked[0].after.tobytes()] == pytest.approx(best, abs=1e-4)
    assert worth[at_once.tobytes()] < best - 0.01


def test_stakes_follow_the_rules() -> None:
    assert Stakes.of(Rules.of("short")) == (1, 2, 3, -1, -2, -3)
    assert Stakes.of(Rules.of("short", koks=False), cube=2) == (2, 4, 4, -2, -4, -4)
    assert Stakes.of(Rules.of("long", mars=False)) == (1, 1, 1, -1, -1, -1)
    to_three = Stakes.of(Rules.of("short"), utility=lambda points: min(points, 2) / 2)
    assert to_three == (0.5, 1.0, 1.0, -0.5, -1.0, -1.5)
    chances = np.array([0.6, 0.25, 0.05, 0.1, 0.02])
    mine, other = to_three.rows()
    kinds = (0.35, 0.2, 0.05, 0.3, 0.08, 0.02)
    worth = sum(chance * value for chance, value in zip(kinds, to_three, strict=True))
    assert mine[:5] @ chances + mine[5] == pytest.approx(worth)
    flipped = np.array([0.4, 0.1, 0.02, 0.25, 0.05])
    assert other[:5] @ flipped + other[5] == pytest.approx(-worth)
