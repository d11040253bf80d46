"""Finish and review matches for tests."""

import asyncio
import sys
from collections.abc import Iterator
from typing import Any

from django.utils import timezone

from accounts.shared.database_threads import run_in_db_thread
from games.bots.process import AiProcess
from games.engine.board.legal import legal_plays
from games.engine.board.moves import play_to_text
from games.engine.match.apply import apply, new_match
from games.engine.match.permissions import is_first_turn
from games.engine.match.state import MatchState
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Review
from games.reviews.judge_info import judge_of
from games.reviews.worker import ReviewDriver
from tests.games.factories import Sitting
from tests.support.patience import PATIENCE_S

# Program of a judge whose answers depend only on the questions. Its arguments are the times (ms) of
# the actions at which it dies, hangs or answers with an error, and that error.
CHILD = """
import json, sys, time
dies_at, hangs_at, errs_at, error = sys.argv[1:]
for line in sys.stdin:
    asked = json.loads(line)
    action = asked["action"]
    if str(action["at_ms"]) == dies_at:
        sys.exit()
    if str(action["at_ms"]) == hangs_at:
        time.sleep(1000)
    if str(action["at_ms"]) == errs_at:
        print(json.dumps({"id": asked["id"], "error": error}), flush=True)
        continue
    found = {"kind": "roll", "side": "white", "dice": [1, 2], "chances": [0.5, 0.1, 0, 0.1, 0],
             "luck": action["at_ms"] / 1000, "stake": 0.5, "asked": asked["plies"]}
    judgment = None if action["kind"] == "opening" else found
    print(json.dumps({"id": asked["id"], "judgment": judgment}), flush=True)
"""


def finished(
    turns: int = 8, variant: str = "short", side: Side = Side.WHITE, cube: bool = True
) -> Sitting:
    """Return a match that is resigned after about `turns` turns, with an action every 100 ms."""
    sitting = Sitting(Rules.of(variant, length=3, cube=cube), side=side).sit().start_game()
    for _ in range(2 * turns):
        sitting.pass_time(100)
        sitting.act_simply()
    sitting.do("resign_match")
    sitting.match.refresh_from_db()
    return sitting


class ScriptedJudge(AiProcess):
    """The judge that runs CHILD and counts its questions; `..._at` is an action's time in ms."""

    def __init__(
        self, dies_at: str = "", hangs_at: str = "", errs_at: str = "", error: str = ""
    ) -> None:
        script = (dies_at, hangs_at, errs_at, error)
        super().__init__((sys.executable, "-c", CHILD, *script), timeout_s=120)
        self.question_count = 0

    async def ask(self, question: dict[str, Any], wanted: str = "command") -> Any:
        self.question_count += 1
        return await super().ask(question, wanted)


def review_of(sitting: Sitting) -> Review:
    return Review.objects.get(match=sitting.match)


def work_through(*processes: AiProcess) -> None:
    """Review all queued matches, with one worker for each process."""

    async def drive_all() -> None:
        drivers = [ReviewDriver(ai_process) for ai_process in processes]
        try:
            async with asyncio.timeout(PATIENCE_S):
                while await run_in_db_thread(Review.objects.filter(state__in=Review.OPEN).exists):
                    await asyncio.gather(*(driver.drive(timezone.now()) for driver in drivers))
        finally:
            for driver in drivers:
                await driver.stop()

    asyncio.run(drive_all())


def one_turn(ai_process: AiProcess) -> None:
    """Let a worker do one turn of one review, if one waits."""

    async def work() -> None:
        driver = ReviewDriver(ai_process)
        try:
            await driver.drive(timezone.now())
            async with asyncio.timeout(PATIENCE_S):
                while driver._turn is not None:
                    await driver.drive(timezone.now())
        finally:
            await driver.stop()

    asyncio.run(work())


def verbs_judged(review: Review) -> Iterator[str]:
    verbs = dict(review.match.actions.values_list("seq", "verb"))
    return (verbs[int(seq)] for seq in review.judgments)


def reviewed(sitting: Sitting, loss: float = 0.15) -> Review:
    """Store a finished review in which every play that had an alternative has this loss."""
    match, state = sitting.match, new_match(sitting.match.match_rules)
    judgments = {}
    for row in match.actions.order_by("seq"):
        before, state = state, apply(state, row.engine_action)
        found = judgment_of(before, row.data, loss)
        if found is not None:
            judgments[str(row.seq)] = found
    now = timezone.now()
    return Review.objects.create(
        match=match, state=Review.State.DONE, plies=1, judge=judge_of(match.variant),
        judgments=judgments, at=match.seq, done=len(judgments), total=len(judgments),
        asked_at=now, turn_at=now, finished_at=now,
    )  # fmt: skip


def judgment_of(before: MatchState, action: dict[str, Any], loss: float) -> dict[str, Any] | None:
    chances, for_match = [0.6, 0.2, 0.0, 0.1, 0.0], {"stake": 0.5, "worth": 0.6}
    if action["kind"] == "roll":
        roll = {"dice": [action["d1"], action["d2"]], "luck": 0.25}
        return {"kind": "roll", "side": action["side"], "chances": chances} | roll | for_match
    if action["kind"] != "play":
        return None
    assert before.dice is not None
    assert before.turn is not None
    plays = legal_plays(
        before.position, before.turn, before.dice, before.rules, is_first_turn(before)
    )
    others = [text for text in map(play_to_text, plays.values()) if text != action["text"]]
    best = min(others, default=action["text"])
    lost = loss if others else 0.0
    return {
        "kind": "play",
        "side": action["side"],
        "dice": list(before.dice),
        "played": action["text"],
        "best": best,
        "loss": lost,
        "forced": not others,
        "plays": [
            {"play": best, "equity": 0.2, "loss": 0.0, "chances": chances},
            {"play": action["text"], "equity": 0.2 - lost, "loss": lost, "chances": chances},
        ][: 1 + bool(others)],
        "chances": chances,
        "reason": "safer" if others else None,
        "plies": 1,
        **for_match,
    }
