"""The round-trip time of one connection, as the server measures it.

The server sends a number that cannot be guessed and measures the time until it comes back; times
that a client states are not trusted. A client that answers late on purpose gains at most the quota
of grace (games/services/grace.py).
"""

import secrets

# Weight of a new measurement in the mean: small, so that one bad second changes little.
WEIGHT = 0.1
# Milliseconds; a longer round trip counts as this much.
MAX_MS = 2000
# Seconds after which a measurement says nothing about the connection any more.
VALID_S = 30.0
# Numbers sent are below this, the largest one that a frame may contain.
MAX_NUMBER = 2**31 - 1


class Lag:
    """The mean round trip of a connection. Times are seconds of one monotonic clock."""

    def __init__(self) -> None:
        self._asked: tuple[int, float] | None = None
        self._mean_ms = 0.0
        self._heard_at: float | None = None

    def ask(self, now: float) -> int:
        """Return the number to send now; an answer to an earlier number is no longer accepted."""
        number = secrets.randbelow(MAX_NUMBER)
        self._asked = (number, now)
        return number

    def record_answer(self, number: int, now: float) -> None:
        """Take the client's answer; a number other than the last one sent changes nothing."""
        if self._asked is None or self._asked[0] != number:
            return
        passed_ms = min(MAX_MS, 1000 * (now - self._asked[1]))
        self._asked = None
        weight = WEIGHT if self._is_measured(now) else 1
        self._mean_ms += weight * (passed_ms - self._mean_ms)
        self._heard_at = now

    def mean_ms(self, now: float) -> int:
        """Return the mean of the measurements, 0 if the last one is older than VALID_S."""
        return round(self._mean_ms) if self._is_measured(now) else 0

    def _is_measured(self, now: float) -> bool:
        return self._heard_at is not None and now - self._heard_at <= VALID_S
