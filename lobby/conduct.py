"""How long somebody has to wait before the next game for credits, by how he left the last ones.

Pure. Every strike counts in full at first and half of that a day later, so that one bad evening is
forgotten in a few days and a habit is not. The first one is only a warning.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

HALF_LIFE = timedelta(days=1)
# From this much on, a pause of so long.
PAUSES = (
    (4.5, timedelta(hours=24)),
    (3.5, timedelta(hours=4)),
    (2.5, timedelta(hours=1)),
    (1.5, timedelta(minutes=15)),
)
# Older strikes weigh less than a hundredth.
FORGOTTEN = 7 * HALF_LIFE


@dataclass(frozen=True, slots=True)
class Fault:
    """One strike: when, and how heavy (1 = a match not started or walked away from)."""

    at: datetime
    weight: float = 1.0


def burden(faults: Sequence[Fault], now: datetime) -> float:
    """What the faults until now weigh together."""
    return sum(
        fault.weight * 0.5 ** ((now - fault.at) / HALF_LIFE) for fault in faults if fault.at <= now
    )


def pause_of(weight: float) -> timedelta:
    return next((pause for least, pause in PAUSES if weight >= least), timedelta(0))


def barred_until(faults: Sequence[Fault], now: datetime) -> datetime | None:
    """Until when these faults keep somebody from games for credits; None when they do not."""
    ends = [fault.at + pause_of(burden(faults, fault.at)) for fault in faults]
    end = max(ends, default=now)
    return end if end > now else None
