"""The review worker: judges decisions in a child process of its own, so that no bot waits.

It works on one review at a time, for some seconds; then the review that has waited longest is next.
It starts the child process for the first review, at low priority, and ends it after `IDLE` without
work.
"""

import asyncio
import contextlib
import logging
import os
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, InterfaceError

from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import run_in_db_thread
from accounts.shared.logs.ids import match_id
from games.bots.process import AiProcess, RefusedQuestion, StillCompiling
from games.engine.match.action_codec import action_from_dict
from games.engine.match.apply import apply, new_match
from games.engine.match.snapshot import dumps
from games.engine.match.state import MatchState
from games.engine.rules import Rules
from games.models import Action
from games.reviews import idle, queue
from games.reviews.queue import Lease, TurnResult

logger = logging.getLogger(__name__)

# Seconds for which the worker stays with one review (its turn). Results are saved at its end, so a
# killed worker loses little more work than this.
TURN_S = 5.0
# Actions judged before the worker checks again whether the turn is over.
SLICE = 12
# Log rows read for a slice: some are not judged.
WINDOW = 3 * SLICE
# Timeout of one judgment in seconds: long, since machines may be slow and no player waits.
ANSWER_S = 120.0
# Seconds after which a round returns to the worker's loop, even if the turn goes on.
PATIENCE_S = 0.3
# Seconds between questions to a child that is still compiling its code.
COMPILING_S = 1.0
# Seconds after which compiling counts as failed; even on a busy machine it takes about a minute.
COMPILED_WITHIN_S = 600.0
RENEW_S = queue.LEASE_FOR.total_seconds() / 4
# Time without work after which the child process ends.
IDLE = timedelta(minutes=2)
# Time after which a worker without work looks for an idle review again.
LOOK_AGAIN = timedelta(seconds=30)
# Matches whose position is cached between slices, so that a log is not folded again for each.
KEPT = 8
NICENESS = 10

# The seq of an action and the question about it; None if the action is not judged.
Question = tuple[int, dict[str, Any] | None]


class ReviewDriver:
    """Works on the reviews of one worker: call `drive` repeatedly, then `stop`."""

    def __init__(self, ai_process: AiProcess | None = None) -> None:
        self.ai_process = ai_process or AiProcess(timeout_s=ANSWER_S)
        self._turn: asyncio.Task[None] | None = None
        self._states: dict[int, tuple[int, MatchState]] = {}
        self._worked_at: datetime | None = None
        self._look_again_at: datetime | None = None

    async def drive(self, now: datetime) -> datetime | None:
        """Begin a turn if none runs; return when to call this again.

        Raises the error of the database that ended a turn.
        """
        if self._turn is None:
            lease = await run_in_db_thread(queue.take_lease, now) or await self._idle_lease(now)
            if lease is None:
                return await self._rest(now)
            self._turn = asyncio.create_task(self._work(lease))
        done, _ = await asyncio.wait({self._turn}, timeout=PATIENCE_S)
        if not done:
            return now
        finished, self._turn, self._worked_at = self._turn, None, now
        finished.result()
        return now

    async def stop(self) -> None:
        """Save the current turn, release its review and end the child."""
        if self._turn is not None:
            self._turn.cancel()
            await asyncio.gather(self._turn, return_exceptions=True)
            self._turn = None
        await self.ai_process.stop()

    async def _idle_lease(self, now: datetime) -> Lease | None:
        if self._look_again_at is not None and now < self._look_again_at:
            return None
        lease = await run_in_db_thread(idle.take_lease, now)
        self._look_again_at = None if lease else now + LOOK_AGAIN
        return lease

    async def _rest(self, now: datetime) -> datetime | None:
        """Return when to look again; end the child if it has been without work for IDLE."""
        if self._worked_at is not None and now - self._worked_at >= IDLE:
            self._worked_at = None
            self._states.clear()
            await self.ai_process.stop()
        return self._look_again_at

    async def _work(self, lease: Lease) -> None:
        match_id.set(lease.public_id)  # in this task only
        found = TurnResult(lease.at, 0, {})
        has_failed = False
        renewing = asyncio.create_task(_renew_until_cancelled(lease))
        try:
            await self._judge(lease, found)
        except (asyncio.CancelledError, DatabaseError, InterfaceError):
            # The worker stops, or the database failed and not the judge: save the results and
            # release the review, so that no worker has to wait.
            await run_in_db_thread(queue.save, lease, found, CLOCK.now())
            raise
        except Exception:
            logger.exception("review failed")
            has_failed = True
        finally:
            renewing.cancel()
        await run_in_db_thread(queue.save, lease, found, CLOCK.now(), has_failed)

    async def _judge(self, lease: Lease, found: TurnResult) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + TURN_S
        while questions := await self._questions(lease, found.at):
            for seq, question in questions:
                if lease.is_idle and await run_in_db_thread(idle.is_busy, CLOCK.now()):
                    return
                if question is not None:
                    judgment = await self._ask(question)
                    found.done += 1
                    if judgment is not None:
                        found.judgments[str(seq)] = _rounded(judgment)
                found.at = seq
            if found.at >= lease.last or loop.time() >= until:
                return

    async def _ask(self, question: dict[str, Any]) -> dict[str, Any] | None:
        """Return the judgment; None if there is none or the judge refuses: the review goes on."""
        await self._lower_priority()
        loop = asyncio.get_running_loop()
        until = loop.time() + COMPILED_WITHIN_S
        while True:
            try:
                return await self.ai_process.ask(question, "judgment")
            except StillCompiling:
                if loop.time() >= until:
                    raise
                await asyncio.sleep(COMPILING_S)
            except RefusedQuestion as error:
                logger.error("no judgment (%s): left out", error)  # noqa: TRY400
                return None

    async def _questions(self, lease: Lease, after: int) -> list[Question]:
        """Return the next actions after `after`, with questions about at most SLICE of them."""
        seq, state = self._states.get(lease.match_id, (0, new_match(Rules.from_dict(lease.rules))))
        if seq > after:
            seq, state = 0, new_match(Rules.from_dict(lease.rules))
        log = await run_in_db_thread(_read_log, lease.match_id, seq, after + WINDOW)
        questions, at, state = await asyncio.to_thread(_prepare, log, state, after, lease.plies)
        self._states[lease.match_id] = (at, state)
        while len(self._states) > KEPT:
            self._states.pop(next(iter(self._states)))
        return questions

    async def _lower_priority(self) -> None:
        """Lower the child's priority below the bots and the site."""
        await self.ai_process.start()
        pid = self.ai_process.pid
        with contextlib.suppress(OSError, AttributeError):
            if pid is not None and os.getpriority(os.PRIO_PROCESS, pid) < NICENESS:
                os.setpriority(os.PRIO_PROCESS, pid, NICENESS)


def _rounded(value: Any) -> Any:
    """Round to the judge's precision, since a review is stored forever."""
    if isinstance(value, float):
        return round(value, 5) + 0.0  # never -0.0
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return value


async def _renew_until_cancelled(lease: Lease) -> None:
    while True:
        await asyncio.sleep(RENEW_S)
        try:
            await run_in_db_thread(queue.renew, lease, CLOCK.now())
        except Exception:
            logger.exception("lease not renewed", extra={"match": lease.public_id})


def _read_log(match_id: int, after: int, until: int) -> list[tuple[int, dict[str, Any]]]:
    rows = Action.objects.filter(match_id=match_id, seq__gt=after, seq__lte=until)
    return list(rows.order_by("seq").values_list("seq", "data"))


def _prepare(
    log: list[tuple[int, dict[str, Any]]], state: MatchState, after: int, plies: int
) -> tuple[list[Question], int, MatchState]:
    """Return the questions of a slice, and the seq and state of the fold after it."""
    questions: list[Question] = []
    seq, left = 0, SLICE
    for seq, data in log:
        before, state = state, apply(state, action_from_dict(data))
        if seq <= after:
            continue
        if data["kind"] not in queue.JUDGED:
            questions.append((seq, None))
            continue
        question = {"ask": "judge", "state": dumps(before), "action": data, "plies": plies}
        questions.append((seq, question))
        left -= 1
        if left == 0:
            break
    return questions, seq, state
