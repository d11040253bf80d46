"""What is held against a member, what it leads to and when it is forgotten: for his page."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from lobby.conduct import FORGOTTEN, Fault, barred_until, calm_at, pause_after_next, weight_of
from lobby.models import Strike

# Also the lifted and forgotten ones are told for so long.
TOLD_FOR = 2 * FORGOTTEN


@dataclass(frozen=True, slots=True)
class Line:
    """One strike; `percent` of a whole fault is what it still counts."""

    strike: Strike
    percent: int


@dataclass(frozen=True, slots=True)
class Record:
    """Until when he is `kept` from games, what another whole fault would bring, and from when on
    that would be a warning only.
    """

    lines: list[Line]
    kept_until: datetime | None
    next_pause: timedelta
    calm_at: datetime

    @property
    def is_clean(self) -> bool:
        return not self.next_pause and self.kept_until is None


def fault_of(strike: Strike) -> Fault:
    return Fault(strike.created_at, Strike.WEIGHTS[Strike.Kind(strike.kind)])


def record_of(user_id: int, now: datetime) -> Record:
    """The newest strike first."""
    told = Strike.objects.filter(user_id=user_id, created_at__gt=now - TOLD_FOR)
    strikes = list(told.select_related("match").prefetch_related("match__seats__user"))
    held = [fault_of(strike) for strike in strikes if strike.lifted_at is None]
    lines = [
        Line(strike, 0 if strike.lifted_at else round(100 * weight_of(fault_of(strike), now)))
        for strike in strikes
    ]
    until = barred_until(held, now)
    # While he is kept he can do nothing wrong: the next fault comes after it.
    then = until or now
    return Record(lines, until, pause_after_next(held, then), calm_at(held, now))
