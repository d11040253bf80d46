"""Set up the people of tests/bench/play_now.py, and check their matches and credits."""

import random
from collections import defaultdict
from itertools import pairwise
from typing import Any

from django.utils import timezone

from accounts.people import blocks
from games.models import Match
from lobby.models import Search
from stats.models import Rating
from tests.load.race_setup import CREDITS, faults_of_books, funds, newcomer


def arrange(count: int) -> list[int]:
    """Create members with ratings; each blocks the second member after them."""
    rng = random.Random(count)
    ids = [newcomer(f"p{number}").pk for number in range(count)]
    Rating.objects.bulk_create(
        Rating(user_id=id, variant="short", rating=round(rng.gauss(1500, 150)), experience=50)
        for id in ids
    )
    for one, other in zip(ids, ids[2:], strict=False):
        blocks.block(one, other, timezone.now())
    return ids


def judge(user_ids: list[int]) -> dict[str, Any]:
    """Return waits in seconds, rating differences of opponents, counts of matches, and faults."""
    found = Search.objects.filter(state=Search.State.FOUND).select_related("match")
    ratings = dict(Rating.objects.values_list("user", "rating"))
    blocked = {frozenset(pair) for pair in zip(user_ids, user_ids[2:], strict=False)}
    faults = faults_of_books()
    spans = defaultdict(list)
    distances = []
    for match in Match.objects.prefetch_related("seats"):
        one, other = (seat.user_id or 0 for seat in match.seats.all())
        distances.append(abs(float(ratings[one]) - float(ratings[other])))
        if frozenset((one, other)) in blocked:
            faults.append(f"{one} and {other} met in spite of a block")
        for id in (one, other):
            spans[id].append((match.created_at, match.finished_at or timezone.now()))
    for id, times in spans.items():
        if any(end > start for (_, end), (start, _) in pairwise(sorted(times))):
            faults.append(f"{id} was in two matches")
    staked = Match.objects.filter(stake_credits__gt=0)
    stakes = sum(match.stake_credits for match in staked.filter(finished_at=None))
    missing = CREDITS * len(user_ids) - sum(funds(*user_ids)) - 2 * stakes
    if missing:
        faults.append(f"{missing} credits are missing")
    return {
        "waits": [
            (search.closed_at - search.created_at).total_seconds()
            for search in found
            if search.closed_at
        ],
        "distances": distances,
        "matches": Match.objects.count(),
        "staked": staked.count(),
        "faults": faults,
    }
