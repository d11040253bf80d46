"""`python -m games.ai.train short|long`: train a net by self-play; README.md has the recipe."""

import argparse
import os
import signal
import sys
from pathlib import Path
from types import FrameType

from games.ai.net import weights_files
from games.ai.train.trainer import Plan, Trainer
from games.engine.rules import Variant

_VAR = Path(__file__).resolve().parent.parent.parent.parent / "var" / "ai"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="games.ai.train", description=__doc__)
    parser.add_argument("variant", choices=[variant.value for variant in Variant])
    parser.add_argument("--minutes", type=float, default=15.0, help="time to train in all")
    parser.add_argument("--games", type=int, help="games in all, in place of --minutes")
    parser.add_argument("--procs", type=int, default=os.cpu_count() or 1, help="threads")
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--exact", type=float, default=0.0, help="share of the exact phase")
    parser.add_argument("--rates", type=float, nargs=2, default=(0.04, 0.0005))
    parser.add_argument("--trace", type=float, default=0.2, help="at the start; 0 half way")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--snapshots", type=float, default=5.0, help="minutes between two")
    parser.add_argument("--folder", type=Path, help="default: var/ai/VARIANT")
    parser.add_argument("--resume", action="store_true", help="go on from the folder's newest")
    asked = parser.parse_args(arguments)
    for name in ("minutes", "games", "procs", "hidden", "snapshots"):
        if (number := getattr(asked, name)) is not None and number <= 0:
            parser.error(f"--{name} is more than nothing")
    plan = Plan(
        Variant(asked.variant),
        asked.folder or _VAR / asked.variant,
        asked.minutes * 60,
        asked.games,
        asked.procs,
        asked.hidden,
        asked.exact,
        tuple(asked.rates),
        asked.trace,
        asked.seed,
        asked.snapshots * 60,
    )
    try:
        trainer = Trainer(plan, resume=asked.resume)
    except weights_files.NetError as error:
        parser.error(str(error))
    _stop_when_told(trainer)
    trainer.run(sys.stdout)
    return 0


def _stop_when_told(trainer: Trainer) -> None:
    """Stop at the first Ctrl-C after the chunk; at the second at once, losing unsaved games."""

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        trainer.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
