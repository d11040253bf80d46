"""A worker's part in reviews: decision by decision in a child of its own, so that no bot waits.

One turn of one review at a time. The child comes with the first review and goes when nothing was
asked for a while; it gives way to everything else that runs on the machine.
"""

import asyncio
import contextlib
import logging
import os
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.executor import hop
from games.engine.action_codec import action_from_dict
from games.engine.apply import apply, new_match
from games.engine.rules import Rules
from games.engine.snapshot import dumps
from games.engine.state import MatchState
from games.models import Action
from games.services import reviews
from games.services.reviews import Claim, Found
from games.services.thinkers import RefusedQuestion, StillCompiling, Thinker

logger = logging.getLogger(__name__)

# A review has its turn for so long, then what was found is saved. Each time all of it is written
# anew; a worker that is killed loses little more than so much work.
TURN_S = 5.0
# Actions that are judged before it is looked whether the turn is over.
SLICE = 12
# Rows of the log read for a slice: some are plumbing.
WINDOW = 3 * SLICE
# A machine may be slow, and nobody waits at a board.
ANSWER_S = 120.0
# How long a round waits before it lets the loop see whether it is time to stop.
PATIENCE_S = 0.3
# A child that compiles is asked again so often.
COMPILING_S = 1.0
# A minute of work, on a machine that has much else to do; after this nothing will come of it.
COMPILED_WITHIN_S = 600.0
RENEW_S = reviews.LEASE.total_seconds() / 4
IDLE = timedelta(minutes=2)
# Matches whose position is kept between slices, so that a log is not folded anew for each.
KEPT = 8
NICENESS = 10

Question = tuple[int, dict[str, Any] | None]


class ReviewDriver:
    """Works at the reviews of one worker: `drive` again and again, then `stop`."""

    def __init__(self, thinker: Thinker | None = None) -> None:
        self.thinker = thinker or Thinker(timeout_s=ANSWER_S)
        self._turn: asyncio.Task[None] | None = None
        self._states: dict[int, tuple[int, MatchState]] = {}
        self._worked_at: datetime | None = None

    async def drive(self, now: datetime) -> datetime | None:
        """Begin a turn if there is none; returns at once when another may follow."""
        if self._turn is None:
            claim = await hop(reviews.claim, now)
            if claim is None:
                await self._rest(now)
                return None
            self._turn = asyncio.create_task(self._work(claim))
        done, _ = await asyncio.wait({self._turn}, timeout=PATIENCE_S)
        if not done:
            return None
        finished, self._turn, self._worked_at = self._turn, None, now
        finished.result()
        return now

    async def stop(self) -> None:
        """Leave the turn where it is, for whoever comes next, and end the child."""
        if self._turn is not None:
            self._turn.cancel()
            await asyncio.gather(self._turn, return_exceptions=True)
            self._turn = None
        await self.thinker.stop()

    async def _rest(self, now: datetime) -> None:
        if self._worked_at is not None and now - self._worked_at > IDLE:
            self._worked_at = None
            self._states.clear()
            await self.thinker.stop()

    async def _work(self, claim: Claim) -> None:
        found = Found(claim.at, 0, {})
        has_failed = False
        pulse = asyncio.create_task(_keep(claim))
        try:
            await self._judge(claim, found)
        except asyncio.CancelledError:
            # Told to stop: what was found is kept, and the next worker waits for no lease.
            await hop(reviews.save, claim, found, timezone.now())
            raise
        except Exception:
            logger.exception("review failed", extra={"match": claim.public_id})
            has_failed = True
        finally:
            pulse.cancel()
        await hop(reviews.save, claim, found, timezone.now(), has_failed)

    async def _judge(self, claim: Claim, found: Found) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + TURN_S
        while questions := await self._questions(claim, found.at):
            for seq, question in questions:
                if question is not None:
                    judgment = await self._ask(question, claim)
                    found.done += 1
                    if judgment is not None:
                        found.judgments[str(seq)] = _rounded(judgment)
                found.at = seq
            if found.at >= claim.last or loop.time() >= until:
                return

    async def _ask(self, question: dict[str, Any], claim: Claim) -> dict[str, Any] | None:
        """None also where the judge cannot say: the rest of the match is judged all the same."""
        await self._give_way()
        loop = asyncio.get_running_loop()
        until = loop.time() + COMPILED_WITHIN_S
        while True:
            try:
                return await self.thinker.ask(question, "judgment")
            except StillCompiling:
                if loop.time() >= until:
                    raise
                await asyncio.sleep(COMPILING_S)
            except RefusedQuestion as error:
                about = {"match": claim.public_id}
                logger.error("no judgment (%s): left out", error, extra=about)  # noqa: TRY400
                return None

    async def _questions(self, claim: Claim, after: int) -> list[Question]:
        """The next actions with what is to be asked about each; None where nothing is."""
        seq, state = self._states.get(claim.match, (0, new_match(Rules.from_dict(claim.rules))))
        if seq > after:
            seq, state = 0, new_match(Rules.from_dict(claim.rules))
        log = await hop(_log, claim.match, seq, after + WINDOW)
        questions, at, state = await asyncio.to_thread(_prepare, log, state, after, claim.plies)
        self._states[claim.match] = (at, state)
        while len(self._states) > KEPT:
            self._states.pop(next(iter(self._states)))
        return questions

    async def _give_way(self) -> None:
        """The child never takes a core from the bots or from the site."""
        await self.thinker.start()
        pid = self.thinker.pid
        with contextlib.suppress(OSError, AttributeError):
            if pid is not None and os.getpriority(os.PRIO_PROCESS, pid) < NICENESS:
                os.setpriority(os.PRIO_PROCESS, pid, NICENESS)


def _rounded(value: Any) -> Any:
    """Five digits say all that the judge can know, and a review is kept for ever."""
    if isinstance(value, float):
        return round(value, 5) + 0.0  # never -0.0
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return value


async def _keep(claim: Claim) -> None:
    """Renew the lease while a turn takes its time."""
    while True:
        await asyncio.sleep(RENEW_S)
        try:
            await hop(reviews.renew, claim, timezone.now())
        except Exception:
            logger.exception("lease not renewed", extra={"match": claim.public_id})


def _log(match: int, after: int, until: int) -> list[tuple[int, dict[str, Any]]]:
    rows = Action.objects.filter(match_id=match, seq__gt=after, seq__lte=until)
    return list(rows.order_by("seq").values_list("seq", "data"))


def _prepare(
    log: list[tuple[int, dict[str, Any]]], state: MatchState, after: int, plies: int
) -> tuple[list[Question], int, MatchState]:
    """The questions of a slice, and where the fold stands after it."""
    questions: list[Question] = []
    seq, left = 0, SLICE
    for seq, data in log:
        before, state = state, apply(state, action_from_dict(data))
        if seq <= after:
            continue
        if data["kind"] not in reviews.JUDGED:
            questions.append((seq, None))
            continue
        question = {"ask": "judge", "state": dumps(before), "action": data, "plies": plies}
        questions.append((seq, question))
        left -= 1
        if left == 0:
            break
    return questions, seq, state
