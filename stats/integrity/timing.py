"""Members whose plays for credits come too regularly, or too quickly, for a person.

The time of a play, from the logs, is that since the action before it, nearly always the roll. Plays
that the site made because they were forced are left out. A person hesitates at some plays and not
at others, so that the standard deviation of the times is near their mean.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from statistics import mean, median, pstdev

from django.db.models import Count, Q

from games.models import Action, Seat
from stats.integrity.findings import DAYS, MOST_MATCHES, Finding, for_credits, matches_of, since
from stats.models import Evidence

KIND = Evidence.Kind.TIMING
# The fewest matches and plays for which a member's times are judged.
LEAST_MATCHES, LEAST_PLAYS = 5, 60
# Seconds of the median below which plays are too quick; the spread, in percent of the mean, below
# which they are too regular.
QUICK_S, REGULAR_PERCENT = 1.0, 25
MOST_MEMBERS = 500  # checked in one night: those with the most matches


def about(user_ids: Collection[int], now: datetime) -> list[Finding]:
    found = (_finding(user_id, now) for user_id in user_ids)
    return [each for each in found if each is not None]


def striking(now: datetime) -> list[Finding]:
    rows = for_credits(since(now)).order_by().values_list("user").annotate(played=Count("pk"))
    busy = rows.filter(played__gte=LEAST_MATCHES).order_by("-played", "user")[:MOST_MEMBERS]
    return [each for each in about([user_id for user_id, _ in busy], now) if each.is_striking]


def _finding(user_id: int, now: datetime) -> Finding | None:
    """Return the finding about a member, or None if no play of theirs was measured."""
    seats = _seats_of(user_id, now)
    times = _times_of(seats)
    if not times:
        return None
    median_s, spread = median(times), 100 * pstdev(times) / mean(times) if mean(times) else 0.0
    is_enough = len(seats) >= LEAST_MATCHES and len(times) >= LEAST_PLAYS
    figures = {
        "days": DAYS,
        "played": len(seats),
        "plays": len(times),
        "median_s": round(median_s, 1),
        "spread_percent": round(spread),
        "matches": matches_of(Q(user_id=user_id), now),
    }
    is_odd = median_s < QUICK_S or spread < REGULAR_PERCENT
    return Finding(KIND, (user_id,), figures, is_striking=is_enough and is_odd)


def _seats_of(user_id: int, now: datetime) -> dict[int, str]:
    """Return the member's side in each of their latest matches for credits, by match id."""
    rows = for_credits(since(now)).filter(user_id=user_id).order_by("-finished_at", "-pk")
    ids = list(rows.values_list("seat", flat=True)[:MOST_MATCHES])
    return dict(Seat.objects.filter(pk__in=ids).values_list("match_id", "side"))


def _times_of(seats: dict[int, str]) -> list[float]:
    """Return the seconds that each play took after the action before it."""
    log = Action.objects.filter(match__in=seats).order_by("match_id", "seq")
    by_match: dict[int, list[tuple[str, str, int, bool]]] = defaultdict(list)
    for match_id, verb, side, data in log.values_list(
        "match_id", "verb", "side", "data"
    ).iterator():
        by_match[match_id].append((verb, side, data["at_ms"], data.get("auto", False)))
    return [
        time for match_id, side in seats.items() for time in _play_times(by_match[match_id], side)
    ]


def _play_times(log: Iterable[tuple[str, str, int, bool]], own: str) -> Iterable[float]:
    before_ms = 0
    for verb, side, at_ms, is_automatic in log:
        if verb == "play" and side == own and not is_automatic:
            yield (at_ms - before_ms) / 1000
        before_ms = at_ms
