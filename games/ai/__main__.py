"""`python -m games.ai think | agent | compile`.

think: the child process of bots, coach and reviews (process/server.py). agent: a level plays for
other programs (process/agent.py). compile: compiles what both need (process/compiled_code.py).
"""

import sys
from io import TextIOWrapper


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["agent"]:
        from games.ai.process.agent import main as play_for_programs

        if isinstance(sys.stdin, TextIOWrapper):
            # A line that is not UTF-8 must not end the agent: it gets an error as its answer.
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        try:
            play_for_programs(arguments[1:], sys.stdin, sys.stdout)
        except (BrokenPipeError, KeyboardInterrupt):
            sys.stderr.close()  # else Python reports at its exit that nobody reads the output
            return 1
        return 0
    if arguments[:1] == ["compile"]:
        from games.ai.process.compiled_code import main as compile_all

        return compile_all(arguments[1:])
    if arguments != ["think"]:
        usage = "think | agent --variant short|long [--level LEVEL] [--net FILE] | compile"
        sys.stderr.write(f"usage: python -m games.ai {usage}\n")
        return 2
    from games.ai.process.server import main as think

    think(sys.stdin, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
