"""Send emails beside the worker's loop."""

from datetime import datetime

from django.conf import settings
from django.utils import timezone

from accounts.mail import sender
from config.background.slow_work_thread import SlowWorkThread

# Shortest time between two rounds, in seconds, even when the mail server fails.
ROUND_S = 1.0


class MailThread(SlowWorkThread):
    kind = sender.EMAILS
    name = "mail"

    def __init__(self, poll_s: float = ROUND_S) -> None:
        super().__init__(poll_s, ROUND_S)

    def is_on(self) -> bool:
        return settings.SENDS_EMAILS

    def now(self) -> datetime:
        return timezone.now()

    def settle_due(self, now: datetime) -> datetime | None:
        return sender.send_due(now)
