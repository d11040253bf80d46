"""Run `python -m games.engine legal|outcome|replay`: JSON lines in and out (README.md)."""

import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TextIO, cast

# A command's module is imported only when the command runs, so that no other module is loaded.
COMMANDS = {
    "legal": "games.engine.cli.legal",
    "outcome": "games.engine.cli.outcome",
    "replay": "games.engine.cli.replay",
}


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0] not in COMMANDS:
        print(f"usage: python -m games.engine {'|'.join(COMMANDS)} < lines.jsonl", file=sys.stderr)
        return 2
    module = import_module(COMMANDS[arguments[0]])
    run = cast(Callable[[Iterable[str], TextIO], None], module.main)
    if hasattr(sys.stdin, "reconfigure"):
        # Bytes that are not UTF-8 make only their own line unreadable. Only LF ends a line, so a
        # CR without LF is whitespace inside the JSON.
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    try:
        run(sys.stdin, sys.stdout)
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()  # else Python reports at its exit that nobody reads the output
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
