"""`python -m games.ai think`: the bots' child process (think.py says what it speaks)."""

import sys


def main(arguments: list[str]) -> int:
    if arguments != ["think"]:
        sys.stderr.write("usage: python -m games.ai think\n")
        return 2
    from games.ai.think import main as think

    think(sys.stdin, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
