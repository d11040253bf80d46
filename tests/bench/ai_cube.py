"""Compare a net's close doubles and takes with those of GNU Backgammon at 2-ply.

    python -m tests.bench.ai_cube [--each 100] [--seed 1] [--plies 0 1 2] [--net FILE]
                                  [--kept FILE] [--contact READY WAITING]...

Build `--each` positions of each action (see `cube_positions`), which takes minutes, or read them
from the file `--kept`; write this file if it does not exist. Print for each depth how often the net
and GNU Backgammon choose the same action, and how much the differing choices lose, in units of the
cube's value. `--contact`, once or more, tries other cube efficiencies (`Efficiency` of
`games.ai.cube.doubling`); tune them with a `--seed` other than that of the reported figures.
"""

import argparse
import time
from collections import Counter
from pathlib import Path
from statistics import fmean

from games.ai.cube import doubling, evaluation
from games.ai.cube.doubling import CubeModel
from games.ai.kernel.game import SHORT
from games.ai.kernel.short import turns as short
from games.ai.net.chances import Estimate
from games.ai.net.player import NetPlayer
from games.engine.rules import Variant
from games.engine.sides import Side
from tests.bench.cube_positions import CLOSE, Action, Judged, build, judge, load, save

# Bounds of `Judged.gap`; `report` counts the agreements from each bound to the next.
GAPS = (0.02, 0.05, 0.1, CLOSE)


def action_of(options: doubling.Options) -> Action:
    if not doubling.should_double(options):
        return Action.NO_DOUBLE
    return Action.TAKE if doubling.should_take(options) else Action.DROP


def report(title: str, judged: list[Judged], actions: list[Action]) -> None:
    pairs = list(zip(judged, actions, strict=True))
    agreed = [one.action is action for one, action in pairs]
    lost = [one.loss(action) for one, action in pairs if action is not one.action]
    print(f"{title}: agrees in {fmean(agreed):.1%}, the rest lose {fmean(lost or [0]):.3f} each")
    for action in Action:
        answers = Counter(given for one, given in pairs if one.action is action)
        counts = ", ".join(f"{other.value} {answers[other]}" for other in Action)
        print(f"    of {answers.total()} {action.value}: {counts}")
    shares = []
    for low, high in zip((0.0, *GAPS), GAPS, strict=False):
        part = [a for (one, _), a in zip(pairs, agreed, strict=True) if low <= one.gap < high]
        shares.append(f"{low}-{high}: {fmean(part or [0]):.0%} of {len(part)}")
    print(f"    by what the second best loses: {'; '.join(shares)}")


def measure(judged: list[Judged], player: NetPlayer, plies: int) -> None:
    begun = time.process_time()
    decisions = [evaluation.options(one.case.state(), player, plies) for one in judged]
    spent = 1000 * (time.process_time() - begun) / len(judged)
    title = f"{plies}-ply, efficiency {tuple(evaluation.CONTACT)}, {spent:.1f} ms a decision"
    report(title, judged, [action_of(found) for found in decisions])


def with_gnubg_chances(one: Judged) -> doubling.Options:
    """Return the cube model's options for GNU Backgammon's chances, to measure the model alone."""
    win, mars, koks, mars_against, koks_against = one.chances
    chances = Estimate(win, mars, mars_against, koks, koks_against)
    cube_efficiency = evaluation.efficiency(SHORT, short.board_of(one.case.mine, one.case.theirs))
    return doubling.options(CubeModel(one.case.state(), Side.WHITE, chances, cube_efficiency))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--net", type=Path)
    parser.add_argument("--kept", type=Path)
    parser.add_argument(
        "--contact", type=float, nargs=2, action="append", metavar=("READY", "WAITING")
    )
    options = parser.parse_args()
    efficiencies = options.contact or [evaluation.CONTACT]
    player = NetPlayer(Variant.SHORT, options.net)
    if options.kept and options.kept.exists():
        judged = load(options.kept)
    else:
        judged = build(options.seed, options.each, player)
        if options.kept:
            save(options.kept, judged)
    evaluation.options(judged[0].case.state(), player, 1)  # so that the code is compiled
    print(f"{len(judged)} decisions, net after {player.header.games:,} games")
    at_0_ply = [one.action for one in judge([one.case for one in judged], 0)]
    report("GNU Backgammon 0-ply, for comparison", judged, at_0_ply)
    actions = [action_of(with_gnubg_chances(one)) for one in judged]
    report("the model with GNU Backgammon's chances", judged, actions)
    for plies in options.plies:
        for ready, waiting in efficiencies:
            evaluation.CONTACT = doubling.Efficiency(ready, waiting)
            measure(judged, player, plies)


if __name__ == "__main__":
    main()
