"""What looking ahead is worth: one net against itself at two depths, the same dice twice.

    python -m tests.bench.ai_plies 1 0 [--variant short] [--net FILE] [--games 400] [--seed 1]

Cube off, points as the rules count them; the interval holds the mean of the pairs with 95 %.
"""

import argparse
from pathlib import Path
from statistics import fmean, stdev

import numpy as np

from games.ai import nets
from games.ai.kernel import game, net
from games.ai.search import MAX_PLIES, Searcher, Stakes
from games.engine.rules import Rules, Variant


def play(
    searcher: Searcher, variant: int, rules: Rules, plies: tuple[int, int], seed: list[int]
) -> int:
    """Points of the side that begins; both take their dice from the same stream."""
    module = game.MODULES[variant]
    kinds, stakes = module.kinds_of(rules), Stakes.of(rules)
    dice, board = np.random.default_rng(seed), np.empty(26, np.int8)
    game.start(variant, board)
    turn = 0
    while True:
        d1, d2 = dice.integers(1, 7, 2).tolist()
        while turn == 0 and variant == game.SHORT and d1 == d2:
            d1, d2 = dice.integers(1, 7, 2).tolist()
        flags = module.turn_flags(rules, turn < 2)
        after = searcher.choose(board, (d1, d2), flags, kinds, plies[turn % 2], stakes)
        points = int(game.finished(variant, after, kinds))
        if points:
            return points if turn % 2 == 0 else -points
        game.flip(variant, after, board)
        turn += 1


def duel(
    variant: Variant, weights: net.Weights, plies: tuple[int, int], pairs: int, seed: int
) -> list[float]:
    """Points a game of the first depth, pair by pair."""
    number, rules = nets.VARIANTS[variant], Rules.of(variant)
    searcher, found = Searcher(number, weights), []
    for pair in range(pairs):
        begun = play(searcher, number, rules, plies, [seed, pair])
        answered = play(searcher, number, rules, plies[::-1], [seed, pair])
        found.append((begun - answered) / 2)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plies", nargs=2, type=int, choices=range(MAX_PLIES + 1))
    parser.add_argument("--variant", type=Variant, choices=list(Variant), default=Variant.SHORT)
    parser.add_argument("--net", type=Path)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    path = asked.net or nets.FOLDER / f"{asked.variant.value}.net"
    _header, weights = nets.load(path, asked.variant)
    one, other = asked.plies
    pairs = duel(asked.variant, weights, (one, other), max(2, asked.games // 2), asked.seed)
    mean, half = fmean(pairs), 1.96 * stdev(pairs) / len(pairs) ** 0.5
    print(
        f"{asked.variant}, {one}-ply against {other}-ply: {mean:+.3f} points a game "
        f"(95 %: {mean - half:+.3f} to {mean + half:+.3f}), {2 * len(pairs)} games"
    )


if __name__ == "__main__":
    main()
