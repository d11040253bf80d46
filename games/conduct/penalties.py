"""The length of a player's suspension from games for credits, computed from their strikes.

Pure. A strike counts in full at first and loses half of its weight each day, so that one bad
evening is forgotten in a few days and a habit is not. The first strike is only a warning.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import log2

HALF_LIFE = timedelta(days=1)
# Least total weight of all strikes -> length of the suspension. The thresholds are below whole
# numbers because earlier strikes have faded a little when the next one is added.
SUSPENSIONS = (
    (4.4, timedelta(hours=24)),
    (3.4, timedelta(hours=4)),
    (2.4, timedelta(hours=1)),
    (1.4, timedelta(minutes=15)),
)
# A strike older than this suspends nobody any more.
LONGEST_SUSPENSION = max(length for _, length in SUSPENSIONS)
# A strike older than this weighs less than a hundredth of its first weight.
FORGOTTEN_AFTER = 7 * HALF_LIFE


@dataclass(frozen=True, slots=True)
class WeightedStrike:
    """A strike's moment and its weight at that moment: 1, less for running out of time."""

    at: datetime
    weight: float = 1.0


def weight_of(strike: WeightedStrike, now: datetime) -> float:
    """Return the weight that the strike has left at `now`."""
    return float(strike.weight * 0.5 ** ((now - strike.at) / HALF_LIFE))


def total_weight(strikes: Sequence[WeightedStrike], now: datetime) -> float:
    """Return the total weight at `now` of the strikes until then."""
    return sum(weight_of(strike, now) for strike in strikes if strike.at <= now)


def suspension_length(weight: float) -> timedelta:
    """Return the suspension for a total weight; zero for a warning only."""
    return next((length for least, length in SUSPENSIONS if weight >= least), timedelta(0))


def suspended_until(strikes: Sequence[WeightedStrike], now: datetime) -> datetime | None:
    """Return the end of the suspension in force; None if there is none.

    A strike may be later than `now`, the moment at which a request began; a warning does not
    suspend then either.
    """
    lengths = [
        (strike.at, suspension_length(total_weight(strikes, strike.at))) for strike in strikes
    ]
    end = max((at + length for at, length in lengths if length), default=now)
    return end if end > now else None


def next_suspension(strikes: Sequence[WeightedStrike], now: datetime) -> timedelta:
    """Return the suspension that a strike of weight 1 would bring now; zero for a warning."""
    return suspension_length(total_weight(strikes, now) + 1)


def warning_only_from(strikes: Sequence[WeightedStrike], now: datetime) -> datetime:
    """Return the first moment from `now` on at which a strike of weight 1 only brings a warning."""
    least = min(least for least, _ in SUSPENSIONS)
    excess = total_weight(strikes, now) / (least - 1)
    return now + HALF_LIFE * log2(excess) if excess > 1 else now
