"""The coach's child process, one for each web process: the bots' own never waits for it."""

import asyncio
from typing import Any

from games.services.thinkers import COMMAND, NoAnswer, Thinker

# A first question may have to wait until everything is loaded.
TIMEOUT_S = 15.0
IDLE_S = 600.0
MOST_WAITING = 20
MOST_OF_ONE_ASKER = 2


class Coach:
    """Starts its child with the first question and ends it when none has come for a while."""

    def __init__(self, idle_s: float = IDLE_S, command: tuple[str, ...] = COMMAND) -> None:
        self.idle_s = idle_s
        self.command = command
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asked: dict[asyncio.Task[Any], str] = {}  # with who asked
        self._thinking_of: asyncio.Task[Any] | None = None
        self._end: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The child's process id while it lives."""
        return None if self._loop is None else self._thinker.pid

    async def ask(
        self, question: dict[str, Any], wanted: str, asker: str, patience_s: float | None = None
    ) -> dict[str, Any] | None:
        """The answer; raises `NoAnswer` when there is none, or none within the asker's patience.

        When he waits no longer, or is gone, the child is asked no more; what it thinks of already
        it answers to the end.
        """
        self._settle_in()
        of_his = sum(each == asker for each in self._asked.values())
        if len(self._asked) >= MOST_WAITING or of_his >= MOST_OF_ONE_ASKER:
            raise NoAnswer("too many questions")
        task = asyncio.create_task(self._ask_in_turn(question, wanted))
        self._asked[task] = asker
        task.add_done_callback(self._answered)
        try:
            done, _ = await asyncio.wait([task], timeout=patience_s)
        finally:
            if task is not self._thinking_of:
                self._asked.pop(task, None)
                task.cancel()
        if not done:
            raise NoAnswer("no answer in time")
        return task.result()

    async def _ask_in_turn(self, question: dict[str, Any], wanted: str) -> dict[str, Any] | None:
        async with self._turn:
            self._thinking_of = asyncio.current_task()
            return await self._thinker.ask(question, wanted)

    async def stop(self) -> None:
        """End the child, whatever it is asked."""
        for task in self._asked:
            task.cancel()
        await asyncio.gather(*self._asked, return_exceptions=True)
        if self._end is not None:
            self._end.cancel()
        if self._loop is not None:
            await self._thinker.stop()

    def _settle_in(self) -> None:
        """A child belongs to the event loop that started it."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._turn, self._end = loop, asyncio.Lock(), None
            self._thinker = Thinker(self.command, TIMEOUT_S)
            self._asked.clear()

    def _answered(self, task: asyncio.Task[Any]) -> None:
        self._asked.pop(task, None)
        if not task.cancelled():
            task.exception()  # heard, even when nobody waits for it any more
        if self._end is not None:
            self._end.cancel()
        self._end = asyncio.create_task(self._end_when_idle())

    async def _end_when_idle(self) -> None:
        await asyncio.sleep(self.idle_s)
        if not self._asked:
            await self._thinker.stop()


COACH = Coach()
