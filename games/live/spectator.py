"""One spectator's connection: it gets public data only and changes nothing in the match."""

import time
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from accounts.shared.refusals import Refused
from games.live.audience import Audience
from games.live.audiences import AUDIENCES
from games.live.chat import ChatSession
from games.live.state_pace import StatePace
from games.protocol import incoming, outgoing

Send = Callable[..., Awaitable[None]]


class Spectator:
    """A spectator's connection; `seq` is the last action sent to it, -1 before the first state."""

    def __init__(self, public_id: str, send: Send, chat: ChatSession) -> None:
        self.public_id = public_id
        self.chat = chat
        self.seq = -1
        self._send = send
        self._state_pace = StatePace()
        self._audience: Audience | None = None

    async def answer(self, frame: incoming.Frame) -> None:
        """Answer a frame; raise `Refused("not_seated")` for one that only players may send."""
        handler = self._HANDLERS.get(type(frame))
        if handler is None:
            raise Refused("not_seated")
        await handler(self, frame)

    async def _on_join(self, frame: incoming.Join) -> None:
        self._state_pace.need_state(time.monotonic())
        if self._audience is None:
            self._audience = AUDIENCES.enter(self)
        await self._audience.show(self)
        if not self.chat.has_begun:
            await self.chat.catch_up()

    async def _on_sync(self, frame: incoming.Sync) -> None:
        """Send the state; to a client that is up to date, only the seq."""
        audience = self._joined_audience()
        self._state_pace.need_sync(time.monotonic())
        if frame.since == self.seq == await audience.newest_seq():
            now_ms = await audience.now_ms()
            await self.pass_on(outgoing.text(outgoing.current(self.seq, now_ms)))
            return
        self._state_pace.need_state(time.monotonic())
        await audience.show(self)

    async def _on_ping(self, frame: incoming.Ping) -> None:
        """Answer with this connection's seq, so that events still to be sent do not seem lost."""
        audience = self._joined_audience()
        now_ms = await audience.now_ms()
        await self.pass_on(outgoing.text({"t": "pong", "seq": max(0, self.seq), "now": now_ms}))
        if frame.seq < self.seq and self._state_pace.take_state(time.monotonic()):
            await audience.show(self)

    _HANDLERS: ClassVar[dict[type, Callable[["Spectator", Any], Awaitable[None]]]] = {
        incoming.Join: _on_join,
        incoming.Sync: _on_sync,
        incoming.Ping: _on_ping,
    }

    def leave(self) -> None:
        if self._audience is not None:
            AUDIENCES.leave(self)
            self._audience = None

    def _joined_audience(self) -> Audience:
        assert self._audience is not None  # the consumer requires a join first
        return self._audience

    async def pass_on(self, text: str) -> None:
        await self._send(text_data=text)

    async def pass_on_numbered(self, text: str, seq: int) -> None:
        """Send a state or an event, unless the client has it already or has no first state yet."""
        if seq > self.seq >= 0:
            self.seq = seq
            await self.pass_on(text)
