"""How many spectators a match has: each audience (one for a process) tells its own number."""

# An audience repeats its number; one that was not heard of for so long has died with its process.
REPEAT_S = 20.0
FORGET_S = 50.0


class Headcount:
    """The sum of what the audiences said last. Times are seconds that never run back."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, float]] = {}
        self._told = 0

    def hear(self, audience: str, count: int, now: float) -> None:
        if count > 0:
            self._counts[audience] = (count, now)
        else:
            self._counts.pop(audience, None)

    def total(self, now: float) -> int:
        return sum(count for count, at in self._counts.values() if now - at <= FORGET_S)

    def told(self, now: float) -> int:
        """The number, which is being told now."""
        self._told = self.total(now)
        return self._told

    def changed(self, now: float) -> int | None:
        """The number to tell now, None while it is the one that was told."""
        return None if self.total(now) == self._told else self.told(now)
