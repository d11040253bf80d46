"""`python -m games.ai.train short|long`: train a net by self-play; see games/ai/README.md."""

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
    parser = _parser()
    options = parser.parse_args(arguments)
    for name in ("minutes", "games", "threads", "hidden", "snapshots"):
        if (number := getattr(options, name)) is not None and number <= 0:
            parser.error(f"--{name} must be greater than zero")
    try:
        trainer = Trainer(_plan_of(options), resume=options.resume)
    except weights_files.NetError as error:
        parser.error(str(error))
    _stop_on_signals(trainer)
    trainer.run(sys.stdout)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="games.ai.train", description=__doc__)
    parser.add_argument("variant", choices=[variant.value for variant in Variant])
    parser.add_argument("--minutes", type=float, default=15.0, help="length of the training")
    parser.add_argument("--games", type=int, help="games in all, instead of --minutes")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument(
        "--exact", type=float, default=0.0, help="share at the end that uses the mean of all rolls"
    )
    parser.add_argument(
        "--rates", type=float, nargs=2, default=(0.04, 0.0005), help="first and last learning rate"
    )
    parser.add_argument(
        "--trace", type=float, default=0.2, help="weight of the result against the net's estimate"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--snapshots", type=float, default=5.0, help="minutes from one to the next")
    parser.add_argument("--folder", type=Path, help="default: var/ai/VARIANT")
    parser.add_argument(
        "--resume", action="store_true", help="continue with the folder's newest net"
    )
    return parser


def _plan_of(options: argparse.Namespace) -> Plan:
    return Plan(
        Variant(options.variant),
        options.folder or _VAR / options.variant,
        options.minutes * 60,
        options.games,
        options.threads,
        options.hidden,
        options.exact,
        tuple(options.rates),
        options.trace,
        options.seed,
        options.snapshots * 60,
    )


def _stop_on_signals(trainer: Trainer) -> None:
    """Stop after the current chunk; at once, without saving, if the same signal comes again."""

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        trainer.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
