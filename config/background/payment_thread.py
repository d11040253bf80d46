"""Check open payments beside the worker's loop: providers may take seconds to answer."""

from datetime import datetime

from accounts.shared.database_clock import CLOCK
from config.background.slow_work_thread import SlowWorkThread
from shop.payments import checks, facts

# Shortest time between two rounds, in seconds, even when providers fail.
ROUND_S = 1.0


class PaymentThread(SlowWorkThread):
    kind = facts.TOP_UPS
    name = "payments"

    def __init__(self, poll_s: float = ROUND_S) -> None:
        super().__init__(poll_s, ROUND_S)

    def is_on(self) -> bool:
        return True  # payments of a provider whose keys were removed have to end too

    def now(self) -> datetime:
        return CLOCK.now()

    def settle_due(self, now: datetime) -> datetime | None:
        return checks.settle_due(now)
