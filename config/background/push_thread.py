"""Push notices to devices beside the worker's loop."""

from datetime import datetime

from accounts.notices import delivery
from accounts.notices.vapid import is_push_on
from accounts.shared.database_clock import CLOCK
from config.background.slow_work_thread import SlowWorkThread

# Shortest time between two rounds, in seconds, even when push services fail. The time is short,
# since a game may be waiting.
ROUND_S = 0.25


class PushThread(SlowWorkThread):
    kind = delivery.PUSHES
    name = "push"

    def __init__(self, poll_s: float = ROUND_S) -> None:
        super().__init__(poll_s, ROUND_S)

    def is_on(self) -> bool:
        return is_push_on()

    def now(self) -> datetime:
        return CLOCK.now()

    def settle_due(self, now: datetime) -> datetime | None:
        return delivery.send_due(now)
