"""Finished matches and their reviews, for tests."""

import asyncio
import sys
from collections.abc import Iterator
from typing import Any

from django.utils import timezone

from accounts.executor import hop
from games.engine.rules import Rules
from games.models import Review
from games.services.reviewers import ReviewDriver
from games.services.thinkers import Thinker
from tests.games.factories import Sitting

# A judge whose word depends on the question alone; at one action it may die, or think for ever.
CHILD = """
import json, sys, time
dies_at, dreams_at = sys.argv[1:]
for line in sys.stdin:
    asked = json.loads(line)
    action = asked["action"]
    at = f"{action['kind']} {asked['state']['rolls']}"
    if at == dies_at:
        sys.exit()
    if at == dreams_at:
        time.sleep(1000)
    found = {"kind": "roll", "side": "white", "dice": [1, 2], "chances": [0.5, 0.1, 0, 0.1, 0],
             "luck": action["at_ms"] / 1000, "stake": 0.5, "asked": asked["plies"]}
    told = None if action["kind"] == "opening" else found
    print(json.dumps({"id": asked["id"], "judgment": told}), flush=True)
"""


def finished(turns: int = 8, variant: str = "short", **rules: Any) -> Sitting:
    """A match of so many turns that its guest then gives up."""
    sitting = Sitting(Rules.of(variant, length=3, **rules)).sit().shake()
    for _ in range(2 * turns):
        sitting.pass_time(100)
        sitting.act_simply()
    sitting.do("resign_match")
    return sitting


class Scripted(Thinker):
    """Counts what it was asked."""

    def __init__(self, dies_at: str = "", dreams_at: str = "") -> None:
        super().__init__((sys.executable, "-c", CHILD, dies_at, dreams_at), timeout_s=120)
        self.asked = 0

    async def ask(self, question: dict[str, Any], wanted: str = "command") -> Any:
        self.asked += 1
        return await super().ask(question, wanted)


def review_of(sitting: Sitting) -> Review:
    return Review.objects.get(match=sitting.match)


def work_through(*thinkers: Thinker) -> None:
    """Workers at the queue until it is empty."""

    async def whole() -> None:
        drivers = [ReviewDriver(thinker) for thinker in thinkers]
        try:
            while await hop(Review.objects.filter(state__in=Review.OPEN).exists):
                await asyncio.gather(*(driver.drive(timezone.now()) for driver in drivers))
        finally:
            for driver in drivers:
                await driver.stop()

    asyncio.run(whole())


def kinds_judged(review: Review) -> Iterator[str]:
    verbs = dict(review.match.actions.values_list("seq", "verb"))
    return (verbs[int(seq)] for seq in review.judgments)
