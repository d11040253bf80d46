"""Limit how often one connection may request the whole state."""

from accounts.shared.refusals import Refused

# Least seconds between two answers to `sync`; on average also between two whole states.
EVERY_S = 1.0
# Most whole states at once: a page may join, lose an event and take its seat in one second.
BURST = 3


class StatePace:
    """The limit of one connection. Times are seconds of one monotonic clock."""

    def __init__(self) -> None:
        self._left = float(BURST)
        self._at: float | None = None
        self._synced_at = float("-inf")

    def need_sync(self, now: float) -> None:
        """Count a `sync`; raise `Refused("too_fast")` less than EVERY_S after the last one."""
        if now - self._synced_at < EVERY_S:
            raise Refused("too_fast")
        self._synced_at = now

    def need_state(self, now: float) -> None:
        """Count a whole state; raise `Refused("too_fast")` if there were too many."""
        if not self.take_state(now):
            raise Refused("too_fast")

    def take_state(self, now: float) -> bool:
        """Count a whole state; return False if there were too many."""
        passed_s = now - self._at if self._at is not None else 0.0
        self._left, self._at = min(float(BURST), self._left + passed_s / EVERY_S), now
        if self._left < 1:
            return False
        self._left -= 1
        return True
