"""The socket of a table: `/ws/match/<public_id>/`.

Three bands: the socket itself, the client's frames, the group's events. A frame costs one hop to
the database. No exception leaves the consumer; what a client is told are codes.

Players are in the match's group. Spectators are not: an audience (live/audience.py) listens once
for all of them, and their frames are answered by live/spectator.py.
"""

import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from accounts.executor import hop
from accounts.session_bound import SessionBound
from games import broadcast, selectors
from games.actors import Actor
from games.broadcast import match_group
from games.engine.errors import EngineError
from games.engine.sides import Side
from games.live.chat import Speaker
from games.live.lag import Lag
from games.live.open_tables import OPEN_TABLES
from games.live.spectator import Spectator
from games.live.spectator_count import Headcount
from games.protocol import incoming, outgoing, snapshots
from games.pupils import Pupil
from games.services import actions, presence, rematches
from games.services.refusals import Refused

logger = logging.getLogger(__name__)

News = Callable[[str, datetime], dict[str, Any] | None]
CLOSE_NOT_FOUND = 4004
# A connection that was silent for so long may have lost its seat meanwhile.
SILENCE_S = presence.SILENCE.total_seconds()


class MatchConsumer(SessionBound):
    """One connection at one table; `seq` is the last action its client was told of."""

    actor: Actor
    public_id: str
    place: selectors.Place
    spectator: Spectator | None = None
    pupil: Pupil | None = None
    holder: UUID | None = None
    seq: int = -1
    has_joined: bool = False
    heard_at: float = 0.0

    @property
    def log_ids(self) -> dict[str, str]:
        return {"match": self.public_id}

    @property
    def side(self) -> Side | None:
        return self.place.side

    # --- the socket ---------------------------------------------------------------------------

    async def connect(self) -> None:
        self.public_id = self.scope["url_route"]["kwargs"]["public_id"]
        place = await hop(self._find_place)
        await self.accept()  # a refused handshake tells a page nothing: accept, then close
        if place is None:
            await self.close(CLOSE_NOT_FOUND)
            return
        self.place = place
        if not await self.bind():
            return
        self.lag, self.headcount, self.heard_at = Lag(), Headcount(), time.monotonic()
        self.speaker = Speaker(self.public_id, place.side, self.user_id, self.tell)
        self.pupil = Pupil(self.public_id, self.tell, self._submit, self._guarded)
        if place.side is None:
            self.spectator = Spectator(self.public_id, self.send, self.speaker)
            return
        await self.channel_layer.group_add(match_group(self.public_id), self.channel_name)
        OPEN_TABLES.add(self)

    def _find_place(self) -> selectors.Place | None:
        self.actor = selectors.actor_of(self.scope.get("user"), self.scope["session"])
        return selectors.find_place(self.public_id, self.actor)

    async def disconnect(self, code: int) -> None:
        OPEN_TABLES.discard(self)
        await self.unbind()
        if self.spectator is not None:
            self.spectator.leave()
            return
        await self.channel_layer.group_discard(match_group(self.public_id), self.channel_name)
        if self.pupil is not None:  # None when the socket was refused
            await self.pupil.leave()
        if self.holder is not None:
            try:
                await hop(presence.leave, self.public_id, self._acting(), timezone.now())
            except Exception:
                logger.exception("leaving failed", extra=self.log_ids)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        try:
            frame = incoming.parse(text_data or "")
        except incoming.Unreadable as error:
            await self._refuse_unreadable(error)
            return
        await self._guarded(getattr(frame, "id", None), self._answer(frame))

    async def _guarded(self, id: UUID | int | None, work: Awaitable[None]) -> None:
        """Do what a frame wants; what goes wrong is told under the frame's id."""
        try:
            await work
        except Refused as refusal:
            await self._error(refusal, id)
        except Exception:
            logger.exception("frame failed", extra=self.log_ids)
            await self._error(Refused("internal"), id)

    async def _error(self, refusal: Refused, id: UUID | int | str | None) -> None:
        await self.tell({"t": "error", "id": str(id) if id else None, **refusal.to_dict()})

    async def _refuse_unreadable(self, error: incoming.Unreadable) -> None:
        await self._error(Refused(error.code), error.id)
        await self.count_unreadable()

    # --- frames of the client -----------------------------------------------------------------

    async def _answer(self, frame: incoming.Frame) -> None:
        await self._note_life()
        if not self.has_joined and not isinstance(frame, incoming.Join):
            raise Refused("forbidden")
        if isinstance(frame, incoming.Speech):
            await self.speaker.answer(frame)
        elif self.spectator is not None:
            self.has_joined = True
            await self.spectator.answer(frame)
        elif isinstance(frame, incoming.Join):
            await self._join(frame)
        elif isinstance(frame, incoming.Command):
            await self._command(frame)
        elif isinstance(frame, incoming.Ping):
            await self._ping(frame)
        elif isinstance(frame, incoming.Sync):
            await self.tell_state(frame.since)
        elif isinstance(frame, incoming.Why):
            await self._why(frame)
        elif isinstance(frame, incoming.Hint):
            assert self.pupil is not None
            self.pupil.ask(frame, self._acting())
        elif isinstance(frame, incoming.TakeSeat):
            await self._take_seat()
            await self.tell_state(self.seq)
        elif isinstance(frame, incoming.LagAnswer):
            self.lag.hear(frame.n, time.monotonic())

    async def _note_life(self) -> None:
        """A holder that was silent for long takes back what he was thought to have left."""
        now = time.monotonic()
        silence_s, self.heard_at = now - self.heard_at, now
        counts = self.place.policy.counts_absence
        if self.holder is not None and counts and silence_s > SILENCE_S:
            await self._come_back(self.holder)

    async def _join(self, frame: incoming.Join) -> None:
        if frame.hold:
            await self._come_back(frame.token)
        self.has_joined = True
        await self.tell_state(frame.since)
        if self.place.policy.has_chat:
            await self.speaker.catch_up()
        await self._ask_lag()
        if self.place.is_public:
            await broadcast.ask_watchers(self.public_id)

    async def _come_back(self, token: UUID | None) -> None:
        """Take the seat, unless somebody else did since this client had it."""
        try:
            await self._take_seat(token)
        except Refused as refusal:
            if refusal.code != "passive":
                raise
            self.holder = None
            await self.tell({"t": "held"})

    async def _take_seat(self, token: UUID | None = None) -> None:
        holder = presence.new_holder(token)
        previous, self.holder = self.holder, holder
        try:
            await hop(
                presence.take, self.public_id, self.actor, holder, timezone.now(), previous=token
            )
        except Refused:
            self.holder = previous
            raise

    async def _command(self, command: incoming.Command) -> None:
        now = timezone.now()
        assert self.pupil is not None
        if not (command.warn and self.pupil.consider(command, self._acting(), now)):
            await self._submit(command, now)

    async def _submit(self, command: incoming.Command, now: datetime) -> None:
        if self.is_signed_out:
            return  # while the coach looked at it
        submit = rematches.submit if command.t in rematches.COMMANDS else actions.submit
        try:
            done = await hop(submit, self.public_id, self._acting(), command, now)
        except Refused as refusal:
            if refusal.code == "passive":  # and the layer lost the news of it
                await self._give_seat_up()
            raise
        await self.tell({"t": "ack", "id": str(command.id), "seq": done.seq})

    async def _ping(self, frame: incoming.Ping) -> None:
        """A client that says it is behind what it was told has lost something."""
        here = await hop(snapshots.moment, self.public_id, timezone.now())
        await self.tell({"t": "pong", "seq": here.seq, "now": here.now_ms})
        if frame.seq < here.seq:
            await self.tell_state(frame.seq)
        await self._ask_lag()
        await self._tell_watchers()

    async def _ask_lag(self) -> None:
        if self.place.policy.forgives_lag and self.holder is not None:
            await self.tell({"t": "lag", "n": self.lag.ask(time.monotonic())})

    async def _why(self, frame: incoming.Why) -> None:
        assert self.side is not None
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
        lag_ms = self.lag.mean_ms(time.monotonic())
        return replace(self.actor, holder=self.holder, lag_ms=lag_ms)

    # --- events of the group ------------------------------------------------------------------

    async def match_event(self, message: dict[str, Any]) -> None:
        event = message["event"]
        if not self.has_joined or event["seq"] <= self.seq:
            return
        if event["seq"] > self.seq + 1:
            await self.tell_state(self.seq)
            return
        self.seq = event["seq"]
        await self.tell(outgoing.trimmed(event, self.side))

    async def match_holder(self, message: dict[str, Any]) -> None:
        """Another connection holds the seat now: this one only watches.

        Messages may come late or in another order: who holds it, the database says.
        """
        is_mine = self.side is not None and message["side"] == self.side.value
        if not is_mine or self.holder is None or message["holder"] == str(self.holder):
            return
        assert self.side is not None
        if await hop(selectors.holder_of, self.public_id, self.side) != self.holder:
            await self._give_seat_up()

    async def _give_seat_up(self) -> None:
        if self.holder is not None:
            self.holder = None
            await self.tell({"t": "held"})

    async def match_presence(self, message: dict[str, Any]) -> None:
        frame = await self._tell_news(snapshots.presence_frame)
        if frame is None or self.side is None or self.holder is None:
            return
        is_thought_gone = frame["presence"][self.side.value]["is_absent"]
        if is_thought_gone and time.monotonic() - self.heard_at < SILENCE_S:
            await self._come_back(self.holder)

    async def match_said(self, message: dict[str, Any]) -> None:
        if self.has_joined:
            await self.speaker.hear(message)

    async def site_blocks(self, message: dict[str, Any]) -> None:
        await self.speaker.learn_whom_to_avoid()

    async def match_rematch(self, message: dict[str, Any]) -> None:
        await self._tell_news(snapshots.rematch_frame)

    async def _tell_news(self, read: News) -> dict[str, Any] | None:
        """What stands now, read anew: the message only said that something changed."""
        frame = await hop(read, self.public_id, timezone.now()) if self.has_joined else None
        if frame is not None:
            await self.tell(frame)
        return frame

    async def match_watchers(self, message: dict[str, Any]) -> None:
        self.headcount.hear(message["audience"], message["count"], time.monotonic())
        await self._tell_watchers()

    async def _tell_watchers(self) -> None:
        count = self.headcount.changed(time.monotonic())
        if count is not None and self.has_joined:
            await self.tell({"t": "watchers", "count": count})

    # --- the process's own check --------------------------------------------------------------

    async def catch_up(self, newest: int) -> None:
        """The process found that this table is further than its client was told."""
        if self.has_joined and newest > self.seq:
            await self.tell_state(self.seq)

    def live_holder(self, since: float) -> UUID | None:
        """The holder of a seat whose absence counts, if the connection was heard of since."""
        is_heard = self.place.policy.counts_absence and self.heard_at >= since
        return self.holder if is_heard else None

    async def tell_state(self, since: int) -> None:
        """The whole state; it is the newest, so older events that come later are dropped."""
        frame = await hop(self._state_frame, since)
        while frame["seq"] < self.seq:  # an event overtook the reading (the process's check)
            frame = await hop(self._state_frame, since)
        frame["you"] = outgoing.you(self.side, self.holder)
        frame["watchers"] = self.headcount.told(time.monotonic())
        self.seq = frame["seq"]
        await self.tell(frame)

    def _state_frame(self, since: int) -> dict[str, Any]:
        return snapshots.state_frame(self.public_id, self.side, since, timezone.now())
