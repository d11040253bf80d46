"""The chat of a match's room, for one connection."""

import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import run_in_db_thread
from accounts.shared.refusals import Refused
from games.engine.sides import Side
from games.live.shared_reads import HEARING, RECENT
from games.models.actor import Actor
from games.protocol import incoming
from games.services import chat

logger = logging.getLogger(__name__)

# Most messages sent or hidden that a connection remembers, so that it sends none twice.
MOST_REMEMBERED = 200
SendFrame = Callable[[dict[str, Any]], Awaitable[None]]


class ChatSession:
    """One connection's chat: in the players' room if there is a `side`, else the spectators'.

    Players without an account send only phrases and emoji; spectators without one only read.
    """

    def __init__(
        self, public_id: str, side: Side | None, actor: Actor, send_frame: SendFrame
    ) -> None:
        self._public_id = public_id
        self._side = side
        self._actor = actor
        self._user_id = actor.user_id
        self._send_frame = send_frame
        # `has_begun`: messages of the room are passed on. `_has_failed`: `catch_up` failed before.
        self.has_begun = self._has_failed = False
        self._is_prepared = False  # the mutes and blocks have been read
        self._unheard: set[int] = set()
        self._text_muted: set[int] = set()
        self._silenced: dict[str, Any] | None = None  # the `silenced` frame last read
        self._silenced_until: str | None = None  # `until` of the `silenced` frame last sent
        # Kind and id of the messages sent, and of those hidden.
        self._sent: deque[tuple[str, int]] = deque(maxlen=MOST_REMEMBERED)

    async def prepare(self) -> None:
        """Read the mutes and blocks before the join, while many sockets can share the query.

        Call it after joining the user's group, whose messages report changes. After a failure
        `catch_up` reads the mutes and blocks.
        """
        try:
            await self._read_hearing()
        except Exception:
            logger.exception("mutes not read", extra={"match": self._public_id})

    async def catch_up(self) -> None:
        """Send the latest messages, written before this connection joined.

        After a failure the next message of the group causes another attempt.
        """
        try:
            if not self._is_prepared:
                await self._read_hearing()
            await self._send_silence()
            self.has_begun = True  # before the query, which misses messages written after it
            for frame in await RECENT.read((self._public_id, self._side, self._user_id)):
                await self._send_once(frame)
        except Exception:
            self.has_begun, self._has_failed = False, True
            raise

    async def refresh(self) -> None:
        """Read again the mutes and blocks that hide messages here, and the user's silence."""
        await self._read_hearing()
        if self.has_begun:
            await self._send_silence()

    async def _read_hearing(self) -> None:
        if self._user_id is not None:
            self._unheard, self._text_muted, self._silenced = await HEARING.read(self._user_id)
        self._is_prepared = True

    async def _send_silence(self) -> None:
        """Send the `silenced` frame if it says something else than the last one sent."""
        frame = self._silenced
        if frame is not None and frame["until"] != self._silenced_until:
            self._silenced_until = frame["until"]
            await self._send_frame(frame)

    async def handle(self, message: dict[str, Any]) -> None:
        """Pass a group message on, unless a mute or a block hides it from the user.

        The news that staff hid a message always passes: otherwise the page would show the message
        again when its author's mute is undone. A message that comes before `catch_up` is dropped:
        `catch_up` sends it.
        """
        if not self.has_begun:
            if self._has_failed:
                await self._try_again()
            return
        author, frame = message["author"], message["frame"]
        is_unheard = author in self._unheard or ("text" in frame and author in self._text_muted)
        if frame["t"] == "hidden" or not is_unheard:
            await self._send_once(frame)

    async def _try_again(self) -> None:
        try:
            await self.catch_up()
        except Exception:
            logger.exception("chat not caught up", extra={"match": self._public_id})

    async def _send_once(self, frame: dict[str, Any]) -> None:
        """Send a frame, unless it shows or hides a message and was sent before."""
        if frame["t"] in ("said", "hidden"):
            key = frame["t"], frame["id"]
            if key in self._sent:
                return
            self._sent.append(key)
        await self._send_frame(frame)

    async def answer(self, frame: incoming.ChatFrame) -> None:
        """Do what a frame asks for.

        Raises `Refused`: `not_member` if the frame needs an account, and the chat's own codes.
        """
        if isinstance(frame, incoming.Say):
            await self._say(frame)
        elif self._user_id is None:
            raise Refused("not_member")
        else:
            await self._HANDLERS[type(frame)](self, self._user_id, frame)

    async def _say(self, frame: incoming.Say) -> None:
        now = CLOCK.now()
        await run_in_db_thread(chat.say, self._public_id, self._side, self._actor, frame, now)
        await self._send_frame({"t": "heard", "id": frame.echo})

    async def _on_mute(self, user_id: int, frame: incoming.Mute) -> None:
        await run_in_db_thread(chat.mute, self._public_id, user_id, frame, CLOCK.now())
        await self.refresh()

    async def _on_unmute(self, user_id: int, frame: incoming.Unmute) -> None:
        await run_in_db_thread(chat.unmute, self._public_id, user_id, frame.player)
        await self.refresh()

    async def _on_report(self, user_id: int, frame: incoming.Report) -> None:
        now = CLOCK.now()
        await run_in_db_thread(chat.report, self._public_id, self._side, user_id, frame.id, now)

    _HANDLERS: ClassVar[dict[type, Callable[["ChatSession", int, Any], Awaitable[None]]]] = {
        incoming.Mute: _on_mute,
        incoming.Unmute: _on_unmute,
        incoming.Report: _on_report,
    }
