"""In-memory counters of the socket guard. Time is an argument."""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping

from accounts.shared.rate_limits import TokenBucket


class Caps:
    """Counts how many items each key holds at the moment, in this process."""

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

    def take_all(self, limits: Mapping[str, int]) -> bool:
        """Count one more under every key, or under none if one of them holds its limit."""
        taken = [key for key, limit in limits.items() if self.take(key, limit)]
        if len(taken) < len(limits):
            self.release_all(taken)
        return len(taken) == len(limits)

    def release_all(self, keys: Iterable[str]) -> None:
        for key in keys:
            self.release(key)

    def held(self, key: str) -> int:
        return self._held[key]


class Rates:
    """A token bucket for each key that took a token recently, in this process."""

    def __init__(self) -> None:
        # Each bucket with the latest moment at which it is full again; the least recently used
        # bucket comes first.
        self._buckets: OrderedDict[str, tuple[TokenBucket, float]] = OrderedDict()

    def take(self, key: str, burst: float, per_second: float, now: float) -> int:
        """Take one of the key's tokens; return 0, or the seconds to wait if it has none."""
        self._forget_full(now)
        bucket, _ = self._buckets.pop(key, None) or (TokenBucket(burst, per_second, now), 0)
        is_taken = bucket.take(now)
        self._buckets[key] = bucket, now + burst / per_second
        return 0 if is_taken else bucket.wait_s()

    def _forget_full(self, now: float) -> None:
        """Forget the buckets that are full again."""
        while self._buckets and next(iter(self._buckets.values()))[1] <= now:
            self._buckets.popitem(last=False)
