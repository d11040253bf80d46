"""The clock of a match: a delay for every turn, then a reserve for the whole match.

The present time is always an argument. Times are milliseconds since the match was created. While
an offer waits, the answerer's clock runs, with a delay of its own; the side on turn then goes on
with the rest of its delay.
"""

from dataclasses import dataclass, replace
from typing import Self

from games.engine.sides import Pair, Side


@dataclass(frozen=True, slots=True)
class Clock:
    """The times of both sides; `reserve_ms` and `spare_ms` are as of `since_ms`.

    `spare_ms` is the rest of the delay of the current turn. `running` is the side whose time
    passes, or would if the clock were not paused; it is None before the first turn of a game and
    after the game's end.
    """

    delay_ms: int
    reserve_ms: Pair[int]
    spare_ms: Pair[int]
    running: Side | None = None
    since_ms: int = 0
    is_paused: bool = False

    @classmethod
    def new(cls, delay_ms: int, reserve_ms: int) -> Self:
        return cls(delay_ms, Pair(reserve_ms, reserve_ms), Pair(delay_ms, delay_ms))

    def remaining(self, side: Side, now_ms: int) -> int:
        """Return the rest of the side's reserve, never below 0."""
        return max(0, self._settled(now_ms).reserve_ms[side])

    def delay_left(self, side: Side, now_ms: int) -> int:
        """Return the rest of the side's delay in this turn."""
        return max(0, self._settled(now_ms).spare_ms[side])

    def flag_at_ms(self) -> int | None:
        """Return when the running side will run out of time; None when no time passes."""
        if self.running is None or self.is_paused:
            return None
        spare, reserve = self.spare_ms[self.running], self.reserve_ms[self.running]
        return self.since_ms + spare + reserve

    def is_out(self, now_ms: int, grace_ms: int = 0) -> bool:
        """Return True if the running side's time is over; `grace_ms` = lag to be forgiven."""
        flag_at = self.flag_at_ms()
        return flag_at is not None and now_ms - grace_ms >= flag_at

    def start_turn(self, side: Side, now_ms: int, grace_ms: int = 0) -> Self:
        """Begin a turn or an answer of `side` with a full delay; the other's time stops."""
        stopped = self.stop(now_ms, grace_ms)
        spare = stopped.spare_ms.changed(side, self.delay_ms)
        return replace(stopped, running=side, spare_ms=spare, since_ms=now_ms)

    def return_turn(self, side: Side, now_ms: int, grace_ms: int = 0) -> Self:
        """Go back to `side` after an answer, with the rest of its delay."""
        return replace(self.stop(now_ms, grace_ms), running=side, since_ms=now_ms)

    def charge(self, now_ms: int, grace_ms: int = 0) -> Self:
        """Book the time used so far; the time of the running side goes on."""
        return replace(self._forgiven(now_ms, grace_ms), since_ms=now_ms)

    def stop(self, now_ms: int, grace_ms: int = 0) -> Self:
        """Stop both sides' time: between games and at the end."""
        return replace(
            self._forgiven(now_ms, grace_ms), running=None, since_ms=now_ms, is_paused=False
        )

    def limit(self, most_ms: int) -> Self:
        """Cut both reserves to `most_ms` at most; the clock must be stopped."""
        white, black = self.reserve_ms
        return replace(self, reserve_ms=Pair(min(white, most_ms), min(black, most_ms)))

    def pause(self, now_ms: int, credit_ms: int = 0) -> Self:
        """Stop the time; `credit_ms` of the elapsed time is not charged."""
        since_ms = min(self.since_ms + credit_ms, now_ms)
        settled = replace(self, since_ms=since_ms)._settled(now_ms)
        return replace(settled, is_paused=True, since_ms=now_ms)

    def resume(self, now_ms: int) -> Self:
        return replace(self, is_paused=False, since_ms=now_ms)

    def credit(self, credit_ms: int) -> Self:
        """Give time back to the running turn after an outage; no later turn can use it."""
        if self.running is None or self.is_paused:
            return self
        return replace(self, since_ms=self.since_ms + credit_ms)

    def _forgiven(self, now_ms: int, grace_ms: int) -> Self:
        """Book the elapsed time less `grace_ms`, but never less than 0.

        After a credit `since_ms` can lie after `now_ms`: then the grace changes nothing.
        """
        return self._settled(max(now_ms - grace_ms, min(self.since_ms, now_ms)))

    def _settled(self, now_ms: int) -> Self:
        """Book the time until `now_ms`: the delay first."""
        if self.running is None or self.is_paused:
            return self
        spare = self.spare_ms[self.running] - (now_ms - self.since_ms)
        reserve = self.reserve_ms[self.running] + min(0, spare)
        return replace(
            self,
            spare_ms=self.spare_ms.changed(self.running, max(0, spare)),
            reserve_ms=self.reserve_ms.changed(self.running, max(0, reserve)),
            since_ms=now_ms,
        )
