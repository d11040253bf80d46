"""How long somebody has to wait before the next game for credits, by how he left the last ones.

Pure. Every strike counts in full at first and half of that a day later, so that one bad evening is
forgotten in a few days and a habit is not. The first one is only a warning.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import log2

HALF_LIFE = timedelta(days=1)
# From this much on, a pause of so long: less than whole faults, since the older ones have faded a
# little when the next is added.
PAUSES = (
    (4.4, timedelta(hours=24)),
    (3.4, timedelta(hours=4)),
    (2.4, timedelta(hours=1)),
    (1.4, timedelta(minutes=15)),
)
# Older strikes weigh less than a hundredth.
FORGOTTEN = 7 * HALF_LIFE


@dataclass(frozen=True, slots=True)
class Fault:
    """One strike: when, and how heavy (1 = a match not started or walked away from)."""

    at: datetime
    weight: float = 1.0


def weight_of(fault: Fault, now: datetime) -> float:
    """What is left of a fault's weight."""
    return float(fault.weight * 0.5 ** ((now - fault.at) / HALF_LIFE))


def burden(faults: Sequence[Fault], now: datetime) -> float:
    """What the faults until now weigh together."""
    return sum(weight_of(fault, now) for fault in faults if fault.at <= now)


def pause_of(weight: float) -> timedelta:
    return next((pause for least, pause in PAUSES if weight >= least), timedelta(0))


def barred_until(faults: Sequence[Fault], now: datetime) -> datetime | None:
    """Until when these faults keep somebody from games for credits; None when they do not."""
    ends = [fault.at + pause_of(burden(faults, fault.at)) for fault in faults]
    end = max(ends, default=now)
    return end if end > now else None


def pause_after_next(faults: Sequence[Fault], now: datetime) -> timedelta:
    """What a whole fault would bring now, beside all these; zero: a warning."""
    return pause_of(burden(faults, now) + 1)


def calm_at(faults: Sequence[Fault], now: datetime) -> datetime:
    """From when on another whole fault would be a warning only: now, when it would be already."""
    least = min(least for least, _ in PAUSES)
    times_too_heavy = burden(faults, now) / (least - 1)
    return now + HALF_LIFE * log2(times_too_heavy) if times_too_heavy > 1 else now
