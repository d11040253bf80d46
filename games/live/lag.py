"""How long news takes on one connection, there and back, as the server measures it.

The server sends a number that nobody can guess and takes the time until it comes back; what a
client says about time is never asked. Who answers late on purpose gains what the quota of grace
allows and no more (games/services/grace.py).
"""

import secrets

# The mean follows a tenth of each new measure, so that one bad second changes little.
WEIGHT = 0.1
MAX_MS = 2000
# A measure older than this says nothing about the line as it is now.
VALID_S = 30.0
MAX_NUMBER = 2**31 - 1


class Lag:
    """The mean round trip of a connection. Times are seconds of one clock that never runs back."""

    def __init__(self) -> None:
        self._asked: tuple[int, float] | None = None
        self._mean_ms = 0.0
        self._heard_at: float | None = None

    def ask(self, now: float) -> int:
        """The number to send now; an earlier one without an answer counts no longer."""
        number = secrets.randbelow(MAX_NUMBER)
        self._asked = (number, now)
        return number

    def hear(self, number: int, now: float) -> None:
        """The client's answer. Another number than the one asked for changes nothing."""
        if self._asked is None or self._asked[0] != number:
            return
        passed_ms = min(MAX_MS, 1000 * (now - self._asked[1]))
        self._asked = None
        is_first = self.mean_ms(now) == 0
        self._mean_ms += (1 if is_first else WEIGHT) * (passed_ms - self._mean_ms)
        self._heard_at = now

    def mean_ms(self, now: float) -> int:
        """The mean of the measures; 0 as long as there is none, or none of late."""
        if self._heard_at is None or now - self._heard_at > VALID_S:
            return 0
        return round(self._mean_ms)
