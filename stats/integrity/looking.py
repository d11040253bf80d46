"""All looks at the records together: about the members of a case, and for the nightly command."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from stats.integrity import credit_flows, resigning, strength, timing, together
from stats.integrity.findings import Finding

LOOKS = (together, credit_flows, resigning, strength, timing)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Members about whom one or more findings are striking."""

    people: frozenset[int]
    kinds: tuple[str, ...]


def about(user_ids: Collection[int], now: datetime) -> list[Finding]:
    """Return the findings about these members and the pairs among them."""
    return [finding for look in LOOKS for finding in look.about(user_ids, now)]


def suspicions(now: datetime) -> list[Suspicion]:
    """Return the suspicions about all members: the same people once, with every kind of finding."""
    found: dict[frozenset[int], list[str]] = {}
    for look in LOOKS:
        for finding in look.striking(now):
            found.setdefault(frozenset(finding.people), []).append(finding.kind)
    return [Suspicion(people, tuple(dict.fromkeys(kinds))) for people, kinds in found.items()]
