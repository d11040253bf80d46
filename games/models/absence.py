"""How long a player may be away from a running match before the other may claim it.

Pure: times are given. The budget runs down while he is away and fills up slowly while he is there,
so that a bad line is forgiven and staying away is not (product, section 3).
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self

# Milliseconds of presence that give one of absence back.
REFILL_DIVISOR = 10
_MS = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Absence:
    """What is left of a player's budget of `budget_ms`: `left_ms` as it stood at `at`."""

    budget_ms: int
    left_ms: int
    at: datetime
    is_absent: bool = False

    def left(self, now: datetime) -> int:
        """Milliseconds left now, from 0 to the whole budget."""
        passed = max(0, (now - self.at) // _MS)
        if self.is_absent:
            return max(0, self.left_ms - passed)
        return min(self.budget_ms, self.left_ms + passed // REFILL_DIVISOR)

    def is_spent(self, now: datetime) -> bool:
        """Whether he is away and has been for too long."""
        return self.is_absent and self.left(now) == 0

    def switch(self, now: datetime, *, is_absent: bool) -> Self:
        """The same with the player coming or going; no change when he did neither."""
        if is_absent is self.is_absent:
            return self
        return replace(self, left_ms=self.left(now), at=max(now, self.at), is_absent=is_absent)

    def credit(self, gap: timedelta) -> Self:
        """Time that he could not be here for our sake does not count."""
        return replace(self, at=self.at + gap) if self.is_absent else self
