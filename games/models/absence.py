"""The time for which a player may be away from a match before the opponent may claim the win.

Pure: times are arguments. The budget runs down during an absence and refills slowly during
presence, so that a bad connection is forgiven and staying away is not.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self

# Milliseconds of presence that restore one millisecond of budget.
REFILL_DIVISOR = 10
_MS = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Absence:
    """A player's absence budget: `left_ms` of `budget_ms` were left at the moment `at`."""

    budget_ms: int
    left_ms: int
    at: datetime
    is_absent: bool = False

    def left_ms_at(self, now: datetime) -> int:
        """Return the milliseconds left now, from 0 to the whole budget."""
        passed = max(0, (now - self.at) // _MS)
        if self.is_absent:
            return max(0, self.left_ms - passed)
        return min(self.budget_ms, self.left_ms + passed // REFILL_DIVISOR)

    def is_spent(self, now: datetime) -> bool:
        """Return whether the player is away and has no budget left."""
        return self.is_absent and self.left_ms_at(now) == 0

    def switch(self, now: datetime, *, is_absent: bool) -> Self:
        """Return the budget after the player left or returned; unchanged if they did neither."""
        if is_absent is self.is_absent:
            return self
        return replace(
            self, left_ms=self.left_ms_at(now), at=max(now, self.at), is_absent=is_absent
        )

    def renew(self, now: datetime, *, is_absent: bool) -> Self:
        """Return a full budget as of `now`."""
        return replace(self, left_ms=self.budget_ms, at=max(now, self.at), is_absent=is_absent)

    def credit(self, gap: timedelta) -> Self:
        """Return the budget with an outage of the site, `gap` long, not counted as absence."""
        return replace(self, at=self.at + gap) if self.is_absent else self
