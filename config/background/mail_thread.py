"""Send emails beside the worker's loop, in a thread of their own.

A mail server may take twenty seconds for one email; neither the loop nor the database executor
(one thread on SQLite, which also serves moves) may wait for it. It is a daemon thread: the process
may end in the middle of an email, whose lease then runs out.
"""

import logging
import threading
from datetime import datetime

from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone

from accounts.mail import sender
from accounts.shared import deadlines

logger = logging.getLogger(__name__)

# Seconds between two rounds at least, also when the mail server fails.
ROUND_S = 1.0
# Seconds that the end of the process waits for the round in progress.
LAST_WAIT_S = 1.0


class MailThread:
    """Send due emails until stopped; do nothing on a site that sends none.

    An email written by this process leaves within `ROUND_S` seconds, any other within `poll_s`.
    """

    def __init__(self, poll_s: float = ROUND_S) -> None:
        self._poll_s = max(ROUND_S, poll_s)
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mail", daemon=True)

    def start(self) -> None:
        if settings.SENDS_EMAILS:
            deadlines.listen(self._note_deadline)
            self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._wake.set()
        if self._thread.is_alive():
            deadlines.stop_listening(self._note_deadline)
            self._thread.join(LAST_WAIT_S)

    def _note_deadline(self, kind: str, due_at: datetime) -> None:
        if kind == sender.EMAILS:
            self._wake.set()

    def _run(self) -> None:
        while not self._stop.wait(ROUND_S):
            self._wake.clear()
            due = None
            try:
                due = sender.send_due(timezone.now())
            except Exception:
                logger.exception("a round of emails failed")
            finally:
                close_old_connections()
            if due is None or due > timezone.now():
                self._wake.wait(self._poll_s - ROUND_S)
