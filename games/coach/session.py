"""Hints and warnings at the table, for one connection.

Both run as tasks, so that the connection's other frames are answered meanwhile. The limits hold for
a person, and for all guests of a network together, so that reconnecting does not reset them.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime
from typing import Any
from uuid import UUID

from accounts.shared.refusals import Refused
from games.coach import advice
from games.models.actor import Actor, asker_key
from games.protocol import incoming
from games.protocol.incoming import Command

MINUTE_S = 60.0
MAX_PER_MINUTE = 30  # hints for one person, and as many warnings
# Hints and warnings a minute of all guests of a network together: anyone can become a new guest.
MAX_OF_NETWORK = 90

SendFrame = Callable[[dict[str, Any]], Awaitable[None]]
Submit = Callable[[Command, datetime], Awaitable[None]]
# Runs the work of the frame with this id; sends the client a refusal or failure with the id.
Guard = Callable[[str | None, Awaitable[None]], Coroutine[Any, Any, None]]


class Allowance:
    """A limit on hints or warnings a minute, for each person or network."""

    def __init__(self, most: int = MAX_PER_MINUTE) -> None:
        self._most = most
        self._times: dict[str, deque[float]] = {}  # of questions by asker, most recent asker last

    def take(self, asker: str, now: float) -> bool:
        """Count a question and return True; return False if it exceeds the limit.

        `now` is in seconds of time.monotonic().
        """
        self._forget(now)
        times = self._times.get(asker, deque())
        while times and now - times[0] >= MINUTE_S:
            times.popleft()
        if len(times) >= self._most:
            return False
        times.append(now)
        self._times.pop(asker, None)
        self._times[asker] = times
        return True

    def _forget(self, now: float) -> None:
        """Remove the askers whose last question is at least a minute old."""
        while self._times:
            first = next(iter(self._times))
            if now - self._times[first][-1] < MINUTE_S:
                return
            del self._times[first]


HINTS, WARNINGS, GUESTS = Allowance(), Allowance(), Allowance(MAX_OF_NETWORK)


class CoachSession:
    """Answers one hint at a time, and judges one command at a time before it is submitted.

    `network` is the address of the connection, for IPv6 its /64.
    """

    def __init__(
        self, public_id: str, network: str, send_frame: SendFrame, submit: Submit, guard: Guard
    ) -> None:
        self._public_id, self._network = public_id, network
        self._send_frame, self._submit, self._guard = send_frame, submit, guard
        self._hint: asyncio.Task[None] | None = None
        self._judging: dict[UUID, asyncio.Task[None]] = {}

    def ask(self, frame: incoming.Hint, actor: Actor) -> None:
        """Start answering a request for a hint.

        Raises `Refused("too_fast")` beyond the limits, or while another hint is being answered.
        """
        is_asking = self._hint is not None and not self._hint.done()
        if is_asking or not self._count(HINTS, actor):
            raise Refused("too_fast")
        self._hint = asyncio.create_task(self._guard(frame.echo, self._answer(frame, actor)))

    def consider(self, command: Command, actor: Actor, now: datetime) -> bool:
        """Start judging a command; return False if the caller must submit it unjudged.

        The task that judges a command then submits it, or refuses it as a blunder.
        """
        if command.id in self._judging:
            return True  # a repeat, sent before the answer came
        if self._judging or not self._count(WARNINGS, actor):
            return False
        work = self._guard(command.echo, self._judge(command, actor, now))
        task = self._judging[command.id] = asyncio.create_task(work)
        task.add_done_callback(lambda _: self._judging.pop(command.id, None))
        return True

    def _count(self, allowance: Allowance, actor: Actor) -> bool:
        """Count a question of the actor, and of a guest's network; return False beyond a limit."""
        now = time.monotonic()
        if not allowance.take(asker_key(actor), now):
            return False
        return actor.user_id is not None or GUESTS.take(self._network, now)

    async def leave(self) -> None:
        """Cancel the hint, and wait for commands under judgment: they are still submitted."""
        if self._hint is not None:
            self._hint.cancel()
        await asyncio.gather(*self._judging.values(), return_exceptions=True)

    async def _answer(self, frame: incoming.Hint, actor: Actor) -> None:
        hint = await advice.hint(self._public_id, actor, frame.seq)
        await self._send_frame({"t": "hint", "id": frame.echo, "seq": frame.seq, **hint})

    async def _judge(self, command: Command, actor: Actor, now: datetime) -> None:
        blunder = await advice.blunder(self._public_id, actor, command, now)
        if blunder is not None:
            raise blunder
        await self._submit(command, now)
