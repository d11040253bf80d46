"""Small counters behind the socket guard. Time is given, never read."""

from collections import Counter


class Caps:
    """How many things each key holds at this moment, in this process."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    def take(self, key: str, limit: int) -> bool:
        """Count one more under `key`, unless it holds `limit` already."""
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
    """Lets `burst` things through at once and `per_second` in the long run."""

    def __init__(self, burst: float, per_second: float, now: float) -> None:
        self._burst = burst
        self._per_second = per_second
        self._tokens = burst
        self._at = now

    def take(self, now: float) -> bool:
        """Take one token at `now` (seconds, any origin that never runs back)."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._per_second)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
