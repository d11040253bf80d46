"""Sockets that connect or disconnect take turns at the database, the latest stage first."""

import asyncio
import time

import pytest

from accounts.shared import database_threads
from accounts.shared.database_threads import LATE_ROUND_S, LONGEST_PAUSE_S, Stage, Turnstile
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio


def let_no_round_be_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count every round of the event loop as in time, even if the machine stalls."""
    monkeypatch.setattr(database_threads, "LATE_ROUND_S", PATIENCE_S)


class Visits:
    """Sockets that take a turn of `turnstile` and hold it until `may_leave` is set."""

    def __init__(self, most: int = 1) -> None:
        self.turnstile = Turnstile(most)
        self.order: list[Stage] = []
        self.may_leave = asyncio.Event()

    async def visit(self, stage: Stage) -> None:
        async with self.turnstile.turn(stage):
            self.order.append(stage)
            await self.may_leave.wait()

    async def begin(self, stage: Stage) -> asyncio.Task[None]:
        task = asyncio.create_task(self.visit(stage))
        for _ in range(3):
            await asyncio.sleep(0)
        return task


async def test_the_latest_stage_goes_first_and_leaving_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let_no_round_be_late(monkeypatch)
    visits = Visits()
    stages = [Stage.TABLE, Stage.LEAVE, Stage.PAGE, Stage.TABLE, Stage.JOIN, Stage.VIEWPOINT]
    tasks = [await visits.begin(stage) for stage in stages]
    assert visits.order == [Stage.TABLE]
    visits.may_leave.set()
    await asyncio.gather(*tasks)
    assert visits.order[1:] == sorted(stages[1:], reverse=True)


async def test_no_more_than_the_allowed_number_hold_a_turn() -> None:
    visits = Visits(most=2)
    tasks = [await visits.begin(Stage.JOIN) for _ in range(5)]
    assert len(visits.order) == 2
    visits.may_leave.set()
    await asyncio.gather(*tasks)
    assert len(visits.order) == 5


async def test_a_socket_that_is_gone_takes_no_turn_from_others() -> None:
    visits = Visits()
    first, waiting, last = [await visits.begin(Stage.JOIN) for _ in range(3)]
    waiting.cancel()
    visits.may_leave.set()
    await asyncio.gather(first, last)
    assert len(visits.order) == 2
    assert await visits.begin(Stage.JOIN)
    assert len(visits.order) == 3


async def test_a_socket_cancelled_with_the_turn_passes_it_on() -> None:
    visits = Visits()
    waiting: list[asyncio.Task[None]] = []

    async def pass_on_and_cancel() -> None:
        async with visits.turnstile.turn(Stage.JOIN):
            waiting.extend([await visits.begin(Stage.JOIN) for _ in range(2)])
        waiting[0].cancel()  # this task has the turn but has not resumed yet

    visits.may_leave.set()
    await pass_on_and_cancel()
    await asyncio.wait(waiting)
    assert [task.cancelled() for task in waiting] == [True, False]
    assert visits.order == [Stage.JOIN]


async def test_a_socket_that_comes_waits_while_the_event_loop_is_late_but_not_forever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    visits = Visits(most=3)
    rounds: list[float] = []

    async def be_late() -> None:
        while not visits.may_leave.is_set():
            rounds.append(time.monotonic())
            time.sleep(2 * LATE_ROUND_S)
            await asyncio.sleep(0)

    late = asyncio.create_task(be_late())
    tasks = [asyncio.create_task(visits.visit(stage)) for stage in (Stage.TABLE, Stage.JOIN)]
    while Stage.JOIN not in visits.order:
        await asyncio.sleep(0)
    assert visits.order == [Stage.JOIN]
    while Stage.TABLE not in visits.order:
        await asyncio.sleep(0)
    assert time.monotonic() - rounds[0] > LONGEST_PAUSE_S
    visits.may_leave.set()
    await asyncio.gather(late, *tasks)
    visits.may_leave.clear()
    let_no_round_be_late(monkeypatch)
    assert await visits.begin(Stage.TABLE)
    assert visits.order == [Stage.JOIN, Stage.TABLE, Stage.TABLE]
    visits.may_leave.set()
