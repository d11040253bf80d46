"""Limit how often one connection may request the whole state, and the rule against a move."""

from accounts.shared.rate_limits import TokenBucket
from accounts.shared.refusals import Refused

# Least seconds between two answers to `sync`; on average also between two whole states, and between
# two answers to `why`.
EVERY_S = 1.0
# Most whole states at once: a page may join, lose an event and take its seat in one second.
BURST = 3
# Most answers to `why` at once: a player may try several moves in a row.
REASONS_BURST = 10


class StatePace:
    """The limits of one connection. Times are seconds of one monotonic clock."""

    def __init__(self) -> None:
        begun = float("-inf")  # the buckets are full at first
        self._states = TokenBucket(BURST, 1 / EVERY_S, begun)
        self._reasons = TokenBucket(REASONS_BURST, 1 / EVERY_S, begun)
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
        return self._states.take(now)

    def need_reason(self, now: float) -> None:
        """Count an answer to `why`; raise `Refused("too_fast")` if there were too many."""
        if not self._reasons.take(now):
            raise Refused("too_fast")
