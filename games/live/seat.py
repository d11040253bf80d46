"""One player's connection and the seat it may hold.

The connection that holds a seat has the seat's token (`holder`); commands under another token are
refused as `passive`. Channel messages may be late, lost or reordered: the database decides.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import TURNSTILE, Stage, run_in_db_thread
from accounts.shared.refusals import Refused
from games.engine.sides import Side
from games.live.lag import Lag
from games.live.shared_reads import HOLDERS
from games.models.actor import Actor
from games.selectors import Viewpoint
from games.services import seats

logger = logging.getLogger(__name__)

T = TypeVar("T")
SendFrame = Callable[[dict[str, Any]], Awaitable[None]]
# A connection that was silent for longer than this may have lost its seat in the meantime.
SILENCE_S = seats.SILENCE.total_seconds()
# Connections that have closed and whose seats are being emptied.
_LEAVING: set[asyncio.Task[None]] = set()


class SeatConnection:
    """A player's connection; `holder` is its token, None while it does not hold the seat."""

    def __init__(
        self, viewpoint: Viewpoint, side: Side, actor: Actor, send_frame: SendFrame
    ) -> None:
        self.side = side
        self.holder: UUID | None = None
        self.lag = Lag()
        self.heard_at = time.monotonic()
        self._public_id = viewpoint.public_id
        self._policy = viewpoint.policy
        self._actor = actor
        self._send_frame = send_frame

    def actor(self) -> Actor:
        """Return the player with this connection's token and lag."""
        lag_ms = self.lag.mean_ms(time.monotonic())
        return replace(self._actor, holder=self.holder, lag_ms=lag_ms)

    def live_holder(self, since: float) -> UUID | None:
        """Return the holder if absence counts in this match and a frame came after `since`.

        `since` is in seconds of time.monotonic().
        """
        is_heard = self._policy.counts_absence and self.heard_at >= since
        return self.holder if is_heard else None

    # --- taking and giving up -----------------------------------------------------------------

    async def take(
        self,
        token: UUID | None = None,
        *,
        must_be_empty: bool = False,
        now: datetime | None = None,
    ) -> None:
        """Take the seat; `token` is the one that the client had before, if any.

        Raises `Refused("passive")` if another client took the seat since then; with `must_be_empty`
        also if another connection of this client did. `now` is the present if it is not given.
        """
        holder = seats.new_holder(token)
        previous, self.holder = self.holder, holder
        try:
            await run_in_db_thread(
                seats.take, self._public_id, self._actor, holder, now or CLOCK.now(),
                previous=token, must_be_empty=must_be_empty,
            )  # fmt: skip
        except Exception:  # not a cancellation: the thread may still take the seat
            self.holder = previous
            raise

    async def reclaim(self, token: UUID | None) -> None:
        """Take the seat, or send `held` if another client took it since this one had it."""
        try:
            await self.take(token)
        except Refused as refusal:
            if refusal.code != "passive":
                raise
            self.holder = None
            await self._send_frame({"t": "held"})

    async def act(self, call: Callable[[], Awaitable[T]], now: datetime) -> T:
        """Run `call`, which only the holder may do; if the seat is empty, retake it and repeat.

        A worker empties a seat if the signs of life of its connection do not reach the database in
        time, for example while the database is slow. If another connection has the seat, the
        message about that was lost: give the seat up. `now` is when the frame came; the seat is
        retaken as of that moment, so that a command that came in time is not refused as late.
        """
        try:
            return await call()
        except Refused as refusal:
            if refusal.code != "passive":
                raise
            if not await self._retake(now):
                await self.give_up()
                raise
        return await call()

    async def _retake(self, now: datetime) -> bool:
        """Take the seat that this connection should hold, if it is empty; return whether it was."""
        if self.holder is None:
            return False
        try:
            await self.take(self.holder, must_be_empty=True, now=now)
        except Refused:
            return False
        return True

    async def give_up(self) -> None:
        if self.holder is not None:
            self.holder = None
            await self._send_frame({"t": "held"})

    async def leave(self) -> None:
        """Empty the seat if this connection holds it: the connection has closed.

        If many connections were lost at once, the seat is emptied only after all clients that
        return have been let in. Daphne cancels a connection ten seconds after its end, so the work
        is done in a task of its own.
        """
        if self.holder is not None:
            task = asyncio.create_task(self._leave())
            _LEAVING.add(task)
            task.add_done_callback(_LEAVING.discard)
            await asyncio.shield(task)

    async def _leave(self) -> None:
        async with TURNSTILE.turn(Stage.LEAVE):
            if not await self._has_returned():
                await self._empty()

    async def _has_returned(self) -> bool:
        """Return whether this connection has lost the seat by now; False if that is not known.

        If many connections were lost at once, most players have returned by now: then their old
        connections need no transaction.
        """
        try:
            return await self._has_lost_seat()
        except Exception:
            logger.exception("holder not read", extra={"match": self._public_id})
            return False

    async def _has_lost_seat(self) -> bool:
        """Return whether the database says that this connection does not hold the seat."""
        return await HOLDERS.read((self._public_id, self.side)) != self.holder

    async def _empty(self) -> None:
        try:
            await run_in_db_thread(seats.leave, self._public_id, self.actor(), CLOCK.now())
        except Exception:
            logger.exception("leaving failed", extra={"match": self._public_id})

    # --- signs of life ------------------------------------------------------------------------

    async def note_life(self) -> None:
        """Note that a frame came; reclaim the seat after a silence that counted as absence."""
        now = time.monotonic()
        silence_s, self.heard_at = now - self.heard_at, now
        counts = self._policy.counts_absence
        if self.holder is not None and counts and silence_s > SILENCE_S:
            await self.reclaim(self.holder)

    async def ask_lag(self) -> None:
        """Send a `lag` frame, if matches of this kind forgive lag and the connection may act."""
        if self._policy.forgives_lag and self.holder is not None:
            await self._send_frame({"t": "lag", "n": self.lag.ask(time.monotonic())})

    # --- news of the seat ---------------------------------------------------------------------

    async def handle_holder(self, side: str, holder: str) -> None:
        """Give the seat up if the database says that another connection holds it."""
        if side != self.side.value or self.holder is None or holder == str(self.holder):
            return
        if await self._has_lost_seat():
            await self.give_up()

    async def handle_presence(self, sides: dict[str, Any]) -> None:
        """Reclaim the seat if its player counts as absent while this client is heard."""
        is_heard = time.monotonic() - self.heard_at < SILENCE_S
        if self.holder is not None and is_heard and sides[self.side.value]["is_absent"]:
            await self.reclaim(self.holder)
