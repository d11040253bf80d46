"""The rules of a member's own limits. Pure."""

from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType

from wallet.models import Exclusion, Limit

Kind = Limit.Kind
# Time from choosing a looser limit until it takes effect.
WAIT = timedelta(days=7)
# Rolling windows, not calendar days: they need no time zone, so that moving to another zone or
# playing at midnight allows nothing more, and no day has 23 or 25 hours.
DAY, WEEK, MONTH = timedelta(days=1), timedelta(days=7), timedelta(days=30)
LOSSES = MappingProxyType({Kind.LOSS_DAY: DAY, Kind.LOSS_WEEK: WEEK, Kind.LOSS_MONTH: MONTH})
DEPOSITS = MappingProxyType(
    {Kind.DEPOSIT_DAY: DAY, Kind.DEPOSIT_WEEK: WEEK, Kind.DEPOSIT_MONTH: MONTH}
)
# Limits that an announced game or a reserved fee can exceed.
OF_STAKES = frozenset({Kind.STAKE, *LOSSES})
# Minutes of play to choose from: until the limit of a session, and until a reminder.
SESSIONS = (30, 60, 90, 120, 180, 240, 360)
REMINDERS = (15, 30, 60, 120)


@dataclass(frozen=True, slots=True)
class Break:
    """A break that a member may choose."""

    kind: Exclusion.Kind
    lasts: timedelta


BREAKS = MappingProxyType(
    {
        "day": Break(Exclusion.Kind.TIME_OUT, timedelta(hours=24)),
        "week": Break(Exclusion.Kind.TIME_OUT, timedelta(days=7)),
        "month": Break(Exclusion.Kind.TIME_OUT, timedelta(days=30)),
        "half_year": Break(Exclusion.Kind.SELF_EXCLUSION, timedelta(days=183)),
        "year": Break(Exclusion.Kind.SELF_EXCLUSION, timedelta(days=365)),
        "five_years": Break(Exclusion.Kind.SELF_EXCLUSION, timedelta(days=5 * 365 + 1)),
    }
)


def is_tighter(new: int | None, old: int | None) -> bool:
    """Return whether `new` allows less than `old`; None allows everything."""
    return new is not None and (old is None or new < old)
