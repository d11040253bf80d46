"""One spectator's connection: it reads, it never writes, and it is told what everybody may see."""

from collections.abc import Awaitable, Callable

from games.live.audience import AUDIENCES, Audience
from games.live.chat import Speaker
from games.protocol import incoming, outgoing
from games.services.refusals import Refused

Send = Callable[..., Awaitable[None]]


class Spectator:
    """`seq` is the last action that the client was told of, -1 before its first state."""

    def __init__(self, public_id: str, send: Send, speaker: Speaker) -> None:
        self.public_id = public_id
        self.speaker = speaker
        self.seq = -1
        self._send = send
        self._audience: Audience | None = None

    async def answer(self, frame: incoming.Frame) -> None:
        """Raises `Refused("not_seated")` for whatever only players may do."""
        if isinstance(frame, incoming.Join):
            if self._audience is None:
                self._audience = AUDIENCES.enter(self)
            await self._audience.show(self)
            await self.speaker.catch_up()
        elif isinstance(frame, incoming.Sync):
            await self._seated().show(self)
        elif isinstance(frame, incoming.Ping):
            await self._ping(frame)
        else:
            raise Refused("not_seated")

    async def _ping(self, frame: incoming.Ping) -> None:
        """What waits for its turn to be told is not missing: the answer is where we are."""
        audience = self._seated()
        now_ms = await audience.now_ms()
        await self.pass_on(outgoing.text({"t": "pong", "seq": max(0, self.seq), "now": now_ms}))
        if frame.seq < self.seq:
            await audience.show(self)

    def leave(self) -> None:
        if self._audience is not None:
            AUDIENCES.leave(self)
            self._audience = None

    def _seated(self) -> Audience:
        assert self._audience is not None  # the consumer wants a join first
        return self._audience

    async def pass_on(self, text: str) -> None:
        await self._send(text_data=text)

    async def pass_on_numbered(self, text: str, seq: int) -> None:
        """A state or an event: one that the client has seen already is left out."""
        if seq > self.seq >= 0:
            self.seq = seq
            await self.pass_on(text)
