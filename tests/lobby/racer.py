"""A process that does what it is told at the moment it is told: see racing.py.

    python -m tests.lobby.racer [module whose functions it is told to call]

Lines of JSON: `{"do": name, "with": {...}, "at": seconds}` in, `{"answer"}` or `{"fault"}` out.
"""

import importlib
import json
import os
import sys
import time
import traceback

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def wait_until(moment: float) -> None:
    """Sleep, and at the end spin: a race is decided by microseconds."""
    while (left := moment - time.time()) > 0:
        if left > 0.002:
            time.sleep(left - 0.002)


def main() -> None:
    import django

    django.setup()
    from accounts import broadcast as news
    from games import broadcast

    told_of = importlib.import_module(sys.argv[1] if sys.argv[1:] else "tests.lobby.rounds")

    # Nobody listens, and each message would make an event loop.
    broadcast._send = news._send = lambda *message: None

    for line in sys.stdin:
        order = json.loads(line)
        wait_until(order.get("at", 0))
        try:
            told = {"answer": getattr(told_of, order["do"])(**order["with"])}
        except BaseException:
            told = {"fault": traceback.format_exc()}
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
