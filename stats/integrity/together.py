"""Members who came from one device or network and played each other for credits.

One device is striking: a person with two accounts, or two who sit side by side. A network alone is
not: a family, an office and a mobile provider each share one.
"""

from collections.abc import Collection
from datetime import datetime
from itertools import combinations

from django.db.models import Count

from accounts.models import Origin
from accounts.sessions import origins
from stats.integrity.findings import Finding, for_credits, matches_between, since
from stats.models import Evidence

KIND = Evidence.Kind.TOGETHER
# A device of more members than this is public, so sharing it says nothing about them.
MOST_ON_A_DEVICE = 6
Pair = tuple[int, int]


def about(user_ids: Collection[int], now: datetime) -> list[Finding]:
    """Return a finding for each pair of the members, even if they share nothing."""
    pairs = list(combinations(sorted(user_ids), 2))
    counts, private = _played(user_ids, now), _on_private_devices(now, user_ids)
    return [_finding(pair, counts.get(pair, 0), now, is_private=pair in private) for pair in pairs]


def striking(now: datetime) -> list[Finding]:
    pairs = _on_private_devices(now)
    counts = _played({user_id for pair in pairs for user_id in pair}, now)
    played = sorted(pairs & counts.keys())
    return [_finding(pair, counts[pair], now, is_private=True) for pair in played]


def _on_private_devices(now: datetime, user_ids: Collection[int] | None = None) -> set[Pair]:
    groups = origins.groups(now, Origin.Kind.DEVICE, user_ids)
    private = [sorted(group) for group in groups if len(group) <= MOST_ON_A_DEVICE]
    return {pair for group in private for pair in combinations(group, 2)}


def _finding(pair: Pair, played: int, now: datetime, *, is_private: bool) -> Finding:
    """Return the finding about a pair; `is_private`: both used a device that is not public."""
    figures = {
        "days": origins.KEPT_FOR.days,
        "device": origins.are_together(*pair, now, Origin.Kind.DEVICE),
        "network": origins.are_together(*pair, now, Origin.Kind.NETWORK),
        "played": played,
        "matches": matches_between(*pair, now),
    }
    return Finding(KIND, pair, figures, is_striking=is_private and played > 0)


def _played(user_ids: Collection[int], now: datetime) -> dict[Pair, int]:
    """Count the matches for credits of each pair; the smaller id is first."""
    rows = for_credits(since(now)).filter(user__in=user_ids, opponent__in=user_ids)
    counts = rows.order_by().values_list("user", "opponent").annotate(Count("pk"))
    return {(one, other): count for one, other, count in counts if one < other}
