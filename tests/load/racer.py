"""Run one process of a race (racing.py), which calls functions of a module at given times.

    python -m tests.load.racer MODULE

Read lines of JSON, `{"call": name, "with": {...}, "at": seconds since the epoch}`, and answer each
with a line `{"answer": ...}` or `{"fault": traceback}`.
"""

import importlib
import json
import logging
import os
import sys
import time
import traceback

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def wait_until(moment: float) -> None:
    """Sleep, but poll the clock in the last 2 ms, since a sleep may end too late."""
    while (left := moment - time.time()) > 0:
        if left > 0.002:
            time.sleep(left - 0.002)


class SurvivedErrors(logging.Handler):
    """Collects the exceptions that a call logs but does not raise, such as a failed pairing's."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.texts.append(self.format(record))

    def take_all(self) -> list[str]:
        found, self.texts = self.texts, []
        return found


def main() -> None:
    import django

    django.setup()
    from accounts import broadcast as accounts_broadcast
    from games import broadcast as games_broadcast
    from tests.support.patience import be_patient

    # A process may stall or wait for the disk, and hold its locks longer than in production.
    # PostgreSQL still ends a deadlock after a second.
    be_patient()
    module = importlib.import_module(sys.argv[1])

    # Messages are not sent: no page listens, and each message would start an event loop.
    games_broadcast.send = accounts_broadcast.send = lambda *message: None

    survived = SurvivedErrors()
    logging.getLogger().addHandler(survived)
    for line in sys.stdin:
        order = json.loads(line)
        wait_until(order["at"])
        try:
            reply = {"answer": getattr(module, order["call"])(**order["with"])}
        except BaseException:
            reply = {"fault": traceback.format_exc()}
        if errors := survived.take_all():
            reply = {"fault": "\n".join([*errors, reply.get("fault", "")])}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
