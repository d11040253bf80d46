"""The coach's child process, one for each web process: the bots' own never waits for it."""

import asyncio
from typing import Any

from games.services.thinkers import NoAnswer, Thinker

# A first question may have to wait until everything is loaded.
TIMEOUT_S = 15.0
IDLE_S = 600.0
MOST_WAITING = 20


class Coach:
    """Starts its child with the first question and ends it when none has come for a while."""

    def __init__(self, idle_s: float = IDLE_S) -> None:
        self.idle_s = idle_s
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asked: set[asyncio.Task[Any]] = set()
        self._end: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The child's process id while it lives."""
        return None if self._loop is None else self._thinker.pid

    async def ask(
        self, question: dict[str, Any], wanted: str, patience_s: float | None = None
    ) -> dict[str, Any] | None:
        """The answer; raises `NoAnswer` when there is none, or none within the asker's patience.

        Who waits no longer, or is gone, takes nothing from the child: it answers to the end.
        """
        self._settle_in()
        if len(self._asked) >= MOST_WAITING:
            raise NoAnswer("too many questions")
        task = asyncio.create_task(self._thinker.ask(question, wanted))
        self._asked.add(task)
        task.add_done_callback(self._answered)
        done, _ = await asyncio.wait([task], timeout=patience_s)
        if not done:
            raise NoAnswer("no answer in time")
        return task.result()

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
            self._loop, self._thinker, self._end = loop, Thinker(timeout_s=TIMEOUT_S), None
            self._asked.clear()

    def _answered(self, task: asyncio.Task[Any]) -> None:
        self._asked.discard(task)
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
