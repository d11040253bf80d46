"""The coach's child process, one for each web process, apart from the bots' child."""

import asyncio
from typing import Any

from games.bots.process import COMMAND, AiProcess, NoAnswer

# Seconds for an answer; the first one of a child may take START_S (games/bots/process.py) longer.
TIMEOUT_S = 15.0
# Seconds without a question after which the child is ended.
IDLE_S = 600.0
# Maximum number of open questions in this process: of all askers together, and of each asker. The
# question being answered counts.
MAX_OPEN = 20
MAX_OF_ONE_ASKER = 2


class CoachProcess:
    """Starts its child with the first question and ends it after `idle_s` without one."""

    def __init__(self, idle_s: float = IDLE_S, command: tuple[str, ...] = COMMAND) -> None:
        self.idle_s = idle_s
        self.command = command
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asked: dict[asyncio.Task[Any], str] = {}  # open questions, each with its asker's key
        self._working_on: asyncio.Task[Any] | None = None
        self._end: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The child's process id while it runs."""
        return None if self._loop is None else self._ai_process.pid

    async def ask(
        self, question: dict[str, Any], wanted: str, asker: str, patience_s: float | None = None
    ) -> dict[str, Any] | None:
        """Return the `wanted` field of the answer, as `AiProcess.ask` does.

        Raises `NoAnswer` if there is none within `patience_s`, or if too many questions are open.
        When that time is over, or the asker is gone, a question that still waits for the child is
        dropped. The child finishes a question on which it already works.
        """
        self._bind_to_loop()
        of_asker = sum(each == asker for each in self._asked.values())
        if len(self._asked) >= MAX_OPEN or of_asker >= MAX_OF_ONE_ASKER:
            raise NoAnswer("too many questions")
        task = asyncio.create_task(self._ask_in_turn(question, wanted))
        self._asked[task] = asker
        task.add_done_callback(self._answered)
        try:
            done, _ = await asyncio.wait([task], timeout=patience_s)
        finally:
            if task is not self._working_on:
                self._asked.pop(task, None)
                task.cancel()
        if not done:
            raise NoAnswer("no answer in time")
        return task.result()

    async def _ask_in_turn(self, question: dict[str, Any], wanted: str) -> dict[str, Any] | None:
        async with self._one_at_a_time:
            self._working_on = asyncio.current_task()
            return await self._ai_process.ask(question, wanted)

    async def stop(self) -> None:
        """End the child, dropping its questions."""
        for task in self._asked:
            task.cancel()
        await asyncio.gather(*self._asked, return_exceptions=True)
        if self._end is not None:
            self._end.cancel()
        if self._loop is not None:
            await self._ai_process.stop()

    def _bind_to_loop(self) -> None:
        """Start over in a different event loop: a child belongs to the loop that started it."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._one_at_a_time, self._end = loop, asyncio.Lock(), None
            self._ai_process = AiProcess(self.command, TIMEOUT_S)
            self._asked.clear()

    def _answered(self, task: asyncio.Task[Any]) -> None:
        self._asked.pop(task, None)
        if not task.cancelled():
            task.exception()  # asyncio warns of an exception that nobody retrieves
        if self._end is not None:
            self._end.cancel()
        self._end = asyncio.create_task(self._end_when_idle())

    async def _end_when_idle(self) -> None:
        await asyncio.sleep(self.idle_s)
        if not self._asked:
            await self._ai_process.stop()


COACH = CoachProcess()
