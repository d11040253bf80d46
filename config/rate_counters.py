"""In-memory counters of the socket guard. Time is an argument."""

from collections import Counter


class Caps:
    """Count what each key holds at the moment, in this process."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    def take(self, key: str, limit: int) -> bool:
        """Count one more under `key`, unless it already holds `limit`."""
        if self._held[key] >= limit:
            return False
        self._held[key] += 1
        return True

    def release(self, key: str) -> None:
        self._held[key] -= 1
        if self._held[key] <= 0:
            del self._held[key]

    def held(self, key: str) -> int:
        return self._held[key]


class TokenBucket:
    """Allow a burst of `burst`, and `per_second` on average."""

    def __init__(self, burst: float, per_second: float, now: float) -> None:
        self._burst = burst
        self._per_second = per_second
        self._tokens = burst
        self._at = now

    def take(self, now: float) -> bool:
        """Take one token at `now` (seconds of a monotonic clock)."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._per_second)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
