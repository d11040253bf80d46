"""The socket of a table: `/ws/match/<public_id>/`.

Three bands: the socket itself, the client's frames, the group's events. A frame costs one hop to
the database. No exception leaves the consumer; what a client is told are codes.
"""

import logging
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone

from accounts.executor import hop
from accounts.session_bound import SessionBound
from games import frames, protocol, selectors
from games.actors import Actor
from games.broadcast import match_group
from games.engine.errors import EngineError
from games.engine.sides import Side
from games.open_tables import OPEN_TABLES
from games.services import actions, presence
from games.services.refusals import Refused

logger = logging.getLogger(__name__)

CLOSE_NOT_FOUND = 4004


class MatchConsumer(SessionBound):
    """One connection at one table; `seq` is the last action its client was told of."""

    actor: Actor
    public_id: str
    side: Side | None = None
    holder: UUID | None = None
    seq: int = -1
    has_joined: bool = False

    @property
    def log_ids(self) -> dict[str, str]:
        return {"match": self.public_id}

    # --- the socket ---------------------------------------------------------------------------

    async def connect(self) -> None:
        self.public_id = self.scope["url_route"]["kwargs"]["public_id"]
        place = await hop(self._find_place)
        await self.accept()  # a refused handshake tells a page nothing: accept, then close
        if place is None:
            await self.close(CLOSE_NOT_FOUND)
            return
        if not await self.bind():
            return
        self.side = place.side
        await self.channel_layer.group_add(match_group(self.public_id), self.channel_name)
        OPEN_TABLES.add(self)

    def _find_place(self) -> selectors.Place | None:
        self.actor = selectors.actor_of(self.scope.get("user"), self.scope["session"])
        return selectors.find_place(self.public_id, self.actor)

    async def disconnect(self, code: int) -> None:
        OPEN_TABLES.discard(self)
        await self.unbind()
        await self.channel_layer.group_discard(match_group(self.public_id), self.channel_name)
        if self.holder is not None:
            try:
                await hop(presence.leave, self.public_id, self._acting(), timezone.now())
            except Exception:
                logger.exception("leaving failed", extra=self.log_ids)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        try:
            frame = protocol.parse(text_data or "")
        except protocol.Unreadable as error:
            await self._refuse_unreadable(error)
            return
        try:
            await self._answer(frame)
        except Refused as refusal:
            await self._error(refusal, getattr(frame, "id", None))
        except Exception:
            logger.exception("frame failed", extra=self.log_ids)
            await self._error(Refused("internal"), getattr(frame, "id", None))

    async def _error(self, refusal: Refused, id: UUID | str | None) -> None:
        await self.tell({"t": "error", "id": str(id) if id else None, **refusal.to_dict()})

    async def _refuse_unreadable(self, error: protocol.Unreadable) -> None:
        await self._error(Refused(error.code), error.id)
        await self.count_unreadable()

    # --- frames of the client -----------------------------------------------------------------

    async def _answer(self, frame: protocol.Frame) -> None:
        if isinstance(frame, protocol.Join):
            await self._join(frame)
        elif not self.has_joined:
            raise Refused("forbidden")
        elif isinstance(frame, protocol.Command):
            await self._command(frame)
        elif isinstance(frame, protocol.Ping):
            await self._ping(frame)
        elif isinstance(frame, protocol.Sync):
            await self.tell_state(frame.since)
        elif isinstance(frame, protocol.Why):
            await self._why(frame)
        elif isinstance(frame, protocol.TakeSeat):
            await self._take_seat()
            await self.tell_state(self.seq)

    async def _join(self, frame: protocol.Join) -> None:
        if frame.hold and self.side is not None:
            await self._take_seat()
        self.has_joined = True
        await self.tell_state(frame.since)

    async def _take_seat(self) -> None:
        holder = uuid4()
        previous, self.holder = self.holder, holder
        try:
            await hop(presence.take, self.public_id, self.actor, holder, timezone.now())
        except Refused:
            self.holder = previous
            raise

    async def _command(self, command: protocol.Command) -> None:
        now = timezone.now()
        try:
            done = await hop(actions.submit, self.public_id, self._acting(), command, now)
        except Refused as refusal:
            if refusal.code == "passive":  # and the layer lost the news of it
                await self._give_seat_up()
            raise
        await self.tell({"t": "ack", "id": str(command.id), "seq": done.seq})

    async def _ping(self, frame: protocol.Ping) -> None:
        """A client that says it is behind what it was told has lost something."""
        here = await hop(selectors.moment, self.public_id, timezone.now())
        await self.tell({"t": "pong", "seq": here.seq, "now": here.now_ms})
        if frame.seq < here.seq:
            await self.tell_state(frame.seq)

    async def _why(self, frame: protocol.Why) -> None:
        if self.side is None:
            raise Refused("not_seated")
        try:
            refusal = await hop(
                selectors.why, self.public_id, self.side, frame.played, frame.source, frame.target
            )
        except EngineError as error:
            raise Refused("unreadable") from error
        if refusal is None:
            raise Refused("not_your_turn")
        await self.tell(
            {
                "t": "why",
                "from": frame.source,
                "to": frame.target,
                "reason": refusal.reason.value,
                "points": list(refusal.points),
            }
        )

    def _acting(self) -> Actor:
        return replace(self.actor, holder=self.holder)

    # --- events of the group ------------------------------------------------------------------

    async def match_event(self, message: dict[str, Any]) -> None:
        event = message["event"]
        if not self.has_joined or event["seq"] <= self.seq:
            return
        if event["seq"] > self.seq + 1:
            await self.tell_state(self.seq)
            return
        self.seq = event["seq"]
        await self.tell(frames.trimmed(event, self.side))

    async def match_holder(self, message: dict[str, Any]) -> None:
        """Another connection holds the seat now: this one only watches.

        Messages may come late or in another order: who holds it, the database says.
        """
        is_mine = self.side is not None and message["side"] == self.side.value
        if not is_mine or self.holder is None or message["holder"] == str(self.holder):
            return
        if await hop(selectors.holder_of, self.public_id, self.side) != self.holder:
            await self._give_seat_up()

    async def _give_seat_up(self) -> None:
        if self.holder is not None:
            self.holder = None
            await self.tell({"t": "held"})

    async def catch_up(self, newest: int) -> None:
        """The process found that this table is further than its client was told."""
        if self.has_joined and newest > self.seq:
            await self.tell_state(self.seq)

    async def tell_state(self, since: int) -> None:
        """The whole state; it is the newest, so older events that come later are dropped."""
        frame = await hop(self._state_frame, since)
        while frame["seq"] < self.seq:  # an event overtook the reading (the process's check)
            frame = await hop(self._state_frame, since)
        frame["you"] = {
            "side": self.side.value if self.side else None,
            "holder": self.holder is not None,
        }
        self.seq = frame["seq"]
        await self.tell(frame)

    def _state_frame(self, since: int) -> dict[str, Any]:
        return selectors.state_frame(self.public_id, self.side, since, timezone.now())
