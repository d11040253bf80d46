"""Measure the value of lookahead: a net plays itself at two depths, in pairs of games.

    python -m tests.bench.ai_plies 1 0 [--variant short] [--net FILE] [--games 400] [--seed 1]

Both games of a pair have the same dice, with the sides swapped. The cube is off. A result is the
points by the rules less the luck of the dice, as the net evaluates it. The interval is the 95 %
confidence interval of the mean of the pairs.
"""

import argparse
import os
from functools import partial
from pathlib import Path

from games.ai.net import weights_files
from games.ai.net.search import FILTERS, MAX_PLIES
from games.engine.rules import Variant
from tests.bench.net_duels import QUICK, Setting, duel, net_player, summary_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plies", nargs=2, type=int, choices=range(MAX_PLIES + 1))
    parser.add_argument("--variant", type=Variant, choices=list(Variant), default=Variant.SHORT)
    parser.add_argument("--net", type=Path)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wide", action="store_true", help="as many candidates as in real play")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    path = options.net or weights_files.FOLDER / f"{options.variant.value}.net"
    filters = (FILTERS if options.wide else QUICK)[weights_files.VARIANTS[options.variant]]
    setting = Setting(options.variant, weights_files.load(path, options.variant)[1], options.seed)
    one, other = (
        partial(net_player, path, options.variant, plies, filters) for plies in options.plies
    )
    pairs = duel(one, other, setting, max(2, options.games // 2), options.threads)
    depths = f"{options.plies[0]}-ply against {options.plies[1]}-ply"
    print(f"{options.variant}, {depths}: {summary_of(pairs, setting)}")


if __name__ == "__main__":
    main()
