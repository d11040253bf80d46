"""Run the nightly commands beside the worker's loop: they may take minutes."""

from datetime import datetime

from django.conf import settings

from accounts.shared.database_clock import CLOCK
from config.background import nightly
from config.background.slow_work_thread import SlowWorkThread

# Seconds between two commands, and between two looks at the clock.
ROUND_S = 1.0
LOOK_S = 60.0


class NightlyThread(SlowWorkThread):
    kind = nightly.NIGHTLY
    name = "nightly"

    def __init__(self) -> None:
        super().__init__(LOOK_S, ROUND_S)

    def is_on(self) -> bool:
        return settings.NIGHTLY_AT is not None

    def now(self) -> datetime:
        return CLOCK.now()

    def settle_due(self, now: datetime) -> datetime | None:
        return nightly.settle_due(now)
