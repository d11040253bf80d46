"""The number of spectators of a match, to which the audience of each process reports its part."""

# Seconds. An audience repeats its number every REPEAT_S. One that is silent for longer than
# FORGET_S does not count: its process has died.
REPEAT_S = 20.0
FORGET_S = 50.0


class SpectatorCount:
    """The sum of the audiences' last reports. Times are seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, float]] = {}
        self._sent = 0

    def record(self, audience: str, count: int, now: float) -> None:
        for dead in [each for each, (_, at) in self._counts.items() if now - at > FORGET_S]:
            del self._counts[dead]
        if count > 0:
            self._counts[audience] = (count, now)
        else:
            self._counts.pop(audience, None)

    def total(self, now: float) -> int:
        return sum(count for count, at in self._counts.values() if now - at <= FORGET_S)

    def mark_sent(self, now: float) -> int:
        """Return the number and remember it as the last one sent."""
        self._sent = self.total(now)
        return self._sent

    def changed(self, now: float) -> int | None:
        """Return the number to send now, None if it was the last one sent."""
        return None if self.total(now) == self._sent else self.mark_sent(now)
