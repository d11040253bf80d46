"""`python -m games.ai think`: the bots' child process; `agent`: a net plays for strangers.

think.py and agent.py say what they speak.
"""

import sys


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["agent"]:
        from games.ai.agent import main as play_for_strangers

        play_for_strangers(arguments[1:], sys.stdin, sys.stdout)
        return 0
    if arguments != ["think"]:
        sys.stderr.write("usage: python -m games.ai think | agent --variant short|long\n")
        return 2
    from games.ai.think import main as think

    think(sys.stdin, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
