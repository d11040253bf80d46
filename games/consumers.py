"""The socket of a table: `/ws/match/<public_id>/`.

The consumer has four parts: the socket itself, the client's frames, the group's events, and the
methods for the check of open tables. A frame usually needs one call on a database thread. A frame
that fails is answered with an error code.

Players are in the match's group. Spectators are not: an audience (live/audience.py) listens once
for all of them, and live/spectator.py answers their frames.
"""

import logging
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import TURNSTILE, Stage, run_in_db_thread
from accounts.shared.logs.ids import about_match
from accounts.shared.refusals import Refused
from accounts.shared.sockets import SessionSocket
from games import broadcast, selectors
from games.broadcast import match_group
from games.coach.session import CoachSession
from games.engine.errors import EngineError
from games.engine.sides import Side
from games.live import metrics
from games.live.chat import ChatSession
from games.live.open_tables import OPEN_TABLES
from games.live.seat import SeatConnection
from games.live.sent_news import SentNews
from games.live.shared_reads import PRESENCE, PROGRESS, VIEWPOINTS
from games.live.spectator import Spectator
from games.live.spectator_count import SpectatorCount
from games.live.state_pace import StatePace
from games.models.actor import Actor
from games.protocol import incoming, outgoing, snapshots
from games.protocol.snapshots import Frame, News
from games.selectors import Viewpoint
from games.services import actions, rematches
from games.services.chat import room

logger = logging.getLogger(__name__)

# Close codes are listed in games/protocol/README.md.
CLOSE_NOT_FOUND = 4004


class MatchConsumer(SessionSocket):
    """One connection at one table; `seq` is the number of the last action sent to its client.

    A player's connection has `seat`, `coach`, `state_pace`, `sent_news` and `spectator_count`; a
    spectator's has `spectator`.
    """

    public_id: str
    viewpoint: Viewpoint
    chat: ChatSession
    seat: SeatConnection
    coach: CoachSession
    state_pace: StatePace
    sent_news: SentNews
    spectator: Spectator | None = None
    is_player: bool = False
    seq: int = -1
    has_joined: bool = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        with about_match(scope["url_route"]["kwargs"]["public_id"]):
            await super().__call__(scope, receive, send)

    # --- the socket ---------------------------------------------------------------------------

    async def connect(self) -> None:
        self.public_id = self.scope["url_route"]["kwargs"]["public_id"]
        actor = selectors.actor_of(self.scope.get("user"), self.scope["session"])
        viewpoint = await VIEWPOINTS.read((self.public_id, actor))
        await self.accept()  # a page cannot read why a handshake was refused
        if viewpoint is None:
            await self.close(CLOSE_NOT_FOUND)
            return
        self.viewpoint = viewpoint
        if not await self.bind():
            return
        side = viewpoint.side
        self.chat = ChatSession(self.public_id, side, actor, self.send_frame)
        if side is None:
            self.spectator = Spectator(self.public_id, self.send, self.chat)
        else:
            await self._become_player(side, actor)
        if viewpoint.policy.has_chat:
            await self.chat.prepare()

    async def _become_player(self, side: Side, actor: Actor) -> None:
        self.spectator_count = SpectatorCount()
        self.seat = SeatConnection(self.viewpoint, side, actor, self.send_frame)
        self.state_pace = StatePace()
        self.sent_news = SentNews()
        network = str(self.scope.get("network", ""))
        self.coach = CoachSession(
            self.public_id, network, self.send_frame, self._submit, self._guarded
        )
        self.is_player = True
        await self.join_group(match_group(self.public_id))
        OPEN_TABLES.add(self)

    async def disconnect(self, code: int) -> None:
        await self.leave_layer()
        if self.is_player:
            await self.coach.leave()
            await self.seat.leave()

    async def leave_layer(self) -> None:
        OPEN_TABLES.discard(self)
        if self.spectator is not None:
            self.spectator.leave()
        await super().leave_layer()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        try:
            frame = incoming.parse(text_data or "")
        except incoming.Unreadable as error:
            await self._error(Refused(error.code), error.id)
            await self.count_unreadable()
            return
        await self._guarded(getattr(frame, "echo", None), self._answer(frame))

    async def _guarded(self, id: str | None, work: Awaitable[None]) -> None:
        """Do the work of a frame; answer a refusal or a failure with the id of the frame.

        A player who is refused as `not_seated` may be a guest whose seat now belongs to a member.
        The message that closes the table was then lost, so close it here.
        """
        try:
            await work
        except Refused as refusal:
            await self._error(refusal, id)
            if self.is_player and refusal.code == "not_seated":
                await self.match_adopted({})
        except Exception:
            logger.exception("frame failed")
            await self._error(Refused("internal"), id)

    async def _error(self, refusal: Refused, id: str | None) -> None:
        await self.send_frame({"t": "error", "id": id, **refusal.to_dict()})

    # --- frames of the client -----------------------------------------------------------------

    async def _answer(self, frame: incoming.Frame) -> None:
        if self.is_player:
            await self.seat.note_life()
        if not self.has_joined and not isinstance(frame, incoming.Join):
            raise Refused("forbidden")
        if isinstance(frame, incoming.ChatFrame):
            if not self.viewpoint.policy.has_chat:
                raise Refused("no_chat")
            await self.chat.answer(frame)
        elif self.spectator is not None:
            self.has_joined = True
            await self.spectator.answer(frame)
        else:
            await self._HANDLERS[type(frame)](self, frame)

    async def _on_join(self, frame: incoming.Join) -> None:
        self.state_pace.need_state(time.monotonic())
        is_first = not self.has_joined
        async with TURNSTILE.turn(Stage.JOIN):
            if frame.hold:
                await self.seat.reclaim(frame.token)
            self.has_joined = True
            await self.send_state(frame.since)
        if self.viewpoint.policy.has_chat and not self.chat.has_begun:
            await self.chat.catch_up()
        await self.seat.ask_lag()
        if is_first and self.viewpoint.is_public:
            await broadcast.ask_watchers(self.public_id)

    async def _on_command(self, command: incoming.Command) -> None:
        now = CLOCK.now()
        if not (command.warn and self.coach.consider(command, self.seat.actor(), now)):
            await self._submit(command, now)

    async def _submit(self, command: incoming.Command, now: datetime) -> None:
        if self.is_signed_out:
            return  # the session ended while the coach judged the command
        submit = rematches.submit if command.t in rematches.COMMANDS else actions.submit
        with metrics.timed(command.t):
            done = await self.seat.act(
                lambda: run_in_db_thread(submit, self.public_id, self.seat.actor(), command, now),
                now,
            )
        await self.send_frame({"t": "ack", "id": command.echo, "seq": done.seq})

    async def _on_ping(self, frame: incoming.Ping) -> None:
        """Send a pong, and the state to a client whose `seq` shows that it lost a frame.

        Send no state for an action that this connection has not sent yet: it is probably on its
        way, and on a busy site such states were a tenth of the work.
        """
        sent = self.seq
        here = await PROGRESS.read(self.public_id)
        # During the query the check of open tables may have sent a newer state.
        seq = max(here.seq, self.seq)
        await self.send_frame({"t": "pong", "seq": seq, "now": here.now_ms})
        if frame.seq < sent and self.state_pace.take_state(time.monotonic()):
            await self._repair(frame.seq, "ping")
        elif self.seq < here.seq:
            OPEN_TABLES.expect(self, here.seq)
        await self.seat.ask_lag()
        await self._send_watchers()

    async def _on_sync(self, frame: incoming.Sync) -> None:
        """Send the state; to a client that is up to date, only the seq."""
        self.state_pace.need_sync(time.monotonic())
        if frame.since == self.seq:
            here = await PROGRESS.read(self.public_id)
            if here.seq == self.seq:
                await self.send_frame(outgoing.current(here.seq, here.now_ms))
                return
        self.state_pace.need_state(time.monotonic())
        await self.send_state(frame.since)

    async def _on_why(self, frame: incoming.Why) -> None:
        self.state_pace.need_reason(time.monotonic())
        side, played = self.seat.side, frame.played
        try:
            refusal = await run_in_db_thread(
                selectors.why, self.public_id, side, played, frame.source, frame.target
            )
        except EngineError as error:
            raise Refused("unreadable") from error
        if refusal is None:
            raise Refused("not_your_turn")
        await self.send_frame(outgoing.why(frame.source, frame.target, refusal))

    async def _on_hint(self, frame: incoming.Hint) -> None:
        self.coach.ask(frame, self.seat.actor())

    async def _on_premove(self, frame: incoming.SetPremove) -> None:
        now = CLOCK.now()
        await self.seat.act(
            lambda: run_in_db_thread(
                actions.set_premove,
                self.public_id,
                self.seat.actor(),
                frame.game,
                frame.premove,
                now,
            ),
            now,
        )
        await self._send_premove(frame.echo)

    async def _on_take_seat(self, frame: incoming.TakeSeat) -> None:
        self.state_pace.need_state(time.monotonic())
        await self.seat.take()
        await self.send_state(self.seq)

    async def _on_lag(self, frame: incoming.LagAnswer) -> None:
        self.seat.lag.record_answer(frame.n, time.monotonic())

    _HANDLERS: ClassVar[dict[type, Callable[["MatchConsumer", Any], Awaitable[None]]]] = {
        incoming.Join: _on_join,
        incoming.Command: _on_command,
        incoming.Ping: _on_ping,
        incoming.Sync: _on_sync,
        incoming.Why: _on_why,
        incoming.Hint: _on_hint,
        incoming.SetPremove: _on_premove,
        incoming.TakeSeat: _on_take_seat,
        incoming.LagAnswer: _on_lag,
    }

    # --- events of the group: Channels calls the method named after the message type ----------

    async def match_event(self, message: dict[str, Any]) -> None:
        event = message["event"]
        if not self.has_joined or event["seq"] <= self.seq:
            return
        if event["seq"] > self.seq + 1:
            await self._repair(self.seq, "event")
            return
        self.seq = event["seq"]
        await self.send_frame(outgoing.trimmed(event, self.seat.side))

    async def match_holder(self, message: dict[str, Any]) -> None:
        await self.seat.handle_holder(message["side"], message["holder"])

    async def match_adopted(self, message: dict[str, Any]) -> None:
        """Close if this is the table of a guest whose seat now belongs to a member."""
        if self.user_id is not None or self.is_signed_out:
            return
        found = await run_in_db_thread(selectors.find_viewpoint, self.public_id, self.seat.actor())
        if found is None or found.side is None:
            await self.sign_out()

    async def match_premove(self, message: dict[str, Any]) -> None:
        if self.has_joined and message["side"] == self.seat.side.value:
            await self._send_premove()

    async def match_presence(self, message: dict[str, Any]) -> None:
        frame = await PRESENCE.read(self.public_id) if self.has_joined else None
        if frame is not None:
            await self._send_noted(frame)
            await self.seat.handle_presence(frame["presence"])

    async def match_rematch(self, message: dict[str, Any]) -> None:
        """Read the frame from the database and send it; the group's message has no content."""
        if not self.has_joined:
            return
        frame = await run_in_db_thread(snapshots.rematch_frame, self.public_id, CLOCK.now())
        if frame is not None:
            await self._send_noted(frame)

    async def match_said(self, message: dict[str, Any]) -> None:
        if self.has_joined:
            await self.chat.handle(message)

    async def match_watchers(self, message: dict[str, Any]) -> None:
        self.spectator_count.record(message["audience"], message["count"], time.monotonic())
        await self._send_watchers()

    async def site_blocks(self, message: dict[str, Any]) -> None:
        await self.chat.refresh()

    async def _send_premove(self, id: str | None = None) -> None:
        side = self.seat.side
        await self.send_frame(
            await run_in_db_thread(snapshots.premove_frame, self.public_id, side, id)
        )

    async def _send_noted(self, frame: Frame) -> None:
        """Send a frame that may have news."""
        self.sent_news.note(snapshots.news_in(frame))
        await self.send_frame(frame)

    async def _send_watchers(self) -> None:
        count = self.spectator_count.changed(time.monotonic())
        if count is not None and self.has_joined:
            await self.send_frame({"t": "watchers", "count": count})

    # --- called by the check of open tables ---------------------------------------------------

    async def catch_up(self, newest: int) -> None:
        """Send the state if the client has not been sent the newest action."""
        if self.has_joined and newest > self.seq:
            await self._repair(self.seq, "check")

    async def hear_news(self, newest: News) -> None:
        """Send the presence or the rematch if the client was last sent another."""
        if self.seq < 0:  # no frame may come before the first state
            return
        outdated = self.sent_news.outdated(newest)
        if "presence" in outdated:
            await self.match_presence({})
        if "rematch" in outdated:
            await self.match_rematch({})

    @property
    def chat_room(self) -> str:
        return room(self.public_id, self.seat.side)

    async def hear(self, message: dict[str, Any]) -> None:
        """Send a chat message that has not been sent to the client yet."""
        await self.match_said(message)

    def live_holder(self, since: float) -> UUID | None:
        return self.seat.live_holder(since)

    async def _repair(self, since: int, found_by: str) -> None:
        metrics.GAPS.labels(found_by).inc()
        await self.send_state(since)

    async def send_state(self, since: int) -> None:
        """Send the whole state, after which events up to its seq are dropped."""
        frame = await run_in_db_thread(self._state_frame, since)
        while frame["seq"] < self.seq:  # an event was sent meanwhile
            frame = await run_in_db_thread(self._state_frame, since)
        frame["you"] = outgoing.you(self.seat.side, self.seat.holder)
        frame["watchers"] = self.spectator_count.mark_sent(time.monotonic())
        self.seq = frame["seq"]
        await self._send_noted(frame)

    def _state_frame(self, since: int) -> dict[str, Any]:
        return snapshots.state_frame(self.public_id, self.seat.side, since, CLOCK.now())
