"""Run all checks of the records: of the members of a case, and at night of all members."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from stats.integrity import credit_flows, resigning, strength, timing, together
from stats.integrity.findings import Finding

CHECKS = (together, credit_flows, resigning, strength, timing)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Members about whom one or more findings are striking.

    `days` is the shortest time from which the records of one of these findings are.
    """

    people: frozenset[int]
    kinds: tuple[str, ...]
    days: int


def about(user_ids: Collection[int], now: datetime) -> list[Finding]:
    """Return the findings about these members and the pairs among them."""
    return [finding for check in CHECKS for finding in check.about(user_ids, now)]


def suspicions(now: datetime) -> list[Suspicion]:
    """Return one suspicion for each set of members with striking findings, naming their kinds."""
    found: dict[frozenset[int], list[Finding]] = {}
    for check in CHECKS:
        for finding in check.striking(now):
            found.setdefault(frozenset(finding.people), []).append(finding)
    return [_suspicion(people, findings) for people, findings in found.items()]


def _suspicion(people: frozenset[int], findings: Sequence[Finding]) -> Suspicion:
    kinds = tuple(dict.fromkeys(each.kind for each in findings))
    return Suspicion(people, kinds, min(each.figures["days"] for each in findings))
