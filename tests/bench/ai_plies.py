"""Measure the value of lookahead: one net against itself at two depths, the same dice twice.

    python -m tests.bench.ai_plies 1 0 [--variant short] [--net FILE] [--games 400] [--seed 1]

Cube off, points as the rules count them, less the luck of the dice as the net evaluates it; the
interval is the 95 % confidence interval of the mean of the pairs.
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
    parser.add_argument("--wide", action="store_true", help="as many candidates as at the board")
    parser.add_argument("--procs", type=int, default=os.cpu_count() or 1, help="threads")
    asked = parser.parse_args()
    path = asked.net or weights_files.FOLDER / f"{asked.variant.value}.net"
    filters = (FILTERS if asked.wide else QUICK)[weights_files.VARIANTS[asked.variant]]
    setting = Setting(asked.variant, weights_files.load(path, asked.variant)[1], asked.seed)
    one, other = (partial(net_player, path, asked.variant, plies, filters) for plies in asked.plies)
    pairs = duel(one, other, setting, max(2, asked.games // 2), asked.procs)
    depths = f"{asked.plies[0]}-ply against {asked.plies[1]}-ply"
    print(f"{asked.variant}, {depths}: {summary_of(pairs, setting)}")


if __name__ == "__main__":
    main()
