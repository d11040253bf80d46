"""Do slow work beside the worker's loop, in a thread of its own.

An email, a push, a request to a payment provider or a nightly command may take seconds. Neither
the loop nor the database executor (one thread on SQLite, which also serves moves) may wait for it.
The thread is a daemon: the process may end in the middle of the work, whose lease then runs out.
"""

import logging
import threading
from datetime import datetime

from django.db import close_old_connections

from accounts.shared import deadlines
from config.background import lateness

logger = logging.getLogger(__name__)

# Seconds that the end of the process waits for the round in progress.
LAST_WAIT_S = 1.0


class SlowWorkThread:
    """Do one kind of due work, in rounds, until stopped; do nothing where that work is off.

    Due rows that this process wrote are found within `round_s` seconds, others within `poll_s`.
    `round_s` is also the least time between two rounds, even when the work fails.
    """

    kind = ""
    name = ""

    def __init__(self, poll_s: float, round_s: float) -> None:
        self._round_s = round_s
        self._poll_s = max(round_s, poll_s)
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)

    def is_on(self) -> bool:
        raise NotImplementedError

    def now(self) -> datetime:
        raise NotImplementedError

    def settle_due(self, now: datetime) -> datetime | None:
        """Do what is due; return when the next work is due, None if none is known."""
        raise NotImplementedError

    def start(self) -> None:
        if self.is_on():
            deadlines.listen(self._note_deadline)
            self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._wake.set()
        if self._thread.is_alive():
            deadlines.stop_listening(self._note_deadline)
            self._thread.join(LAST_WAIT_S)

    def _note_deadline(self, kind: str, due_at: datetime) -> None:
        if kind == self.kind:
            self._wake.set()

    def _run(self) -> None:
        while not self._stop.wait(self._round_s):
            self._wake.clear()
            due = None
            try:
                due = self.settle_due(self.now())
            except Exception:
                logger.exception("%s failed", self.kind)
                lateness.FAILED.labels(self.kind).inc()
            finally:
                close_old_connections()
            if due is None or due > self.now():
                self._wake.wait(self._poll_s - self._round_s)
