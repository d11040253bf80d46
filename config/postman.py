"""Letters leave beside the worker's loop, in a thread of their own.

A mail server may take twenty seconds over a letter; neither the loop nor the executor of the
database (one thread on SQLite, the one that serves moves) may wait for it. A daemon thread: the
process ends in the middle of a letter if it has to, and the letter's claim runs out.
"""

import logging
import threading

from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone

from accounts.mail import sender

logger = logging.getLogger(__name__)

ROUND_S = 1.0
LAST_WAIT_S = 1.0


class Postman:
    """Sends what is due each second until stopped. Idle where the site sends no letters."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="postman", daemon=True)

    def start(self) -> None:
        if settings.SENDS_LETTERS:
            self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(LAST_WAIT_S)

    def _run(self) -> None:
        while not self._stop.wait(ROUND_S):
            try:
                sender.send_due(timezone.now())
            except Exception:
                logger.exception("a round of letters failed")
            finally:
                close_old_connections()
