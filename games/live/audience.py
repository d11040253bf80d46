"""The spectators of a match in this process: one subscriber for all of them.

What a player hears costs one delivery; five hundred spectators would cost five hundred. So an
audience listens to the group of the watchers once, makes the text of a frame once, and writes it
to its sockets in slices, between which everybody else has his turn. It tells five frames a second
at most: events wait in line, and where too many wait, one whole state takes their place.
"""

import asyncio
import contextlib
import logging
import time
from collections import deque
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from channels.layers import get_channel_layer
from django.utils import timezone

from accounts.executor import hop
from games import broadcast
from games.live.open_tables import OPEN_TABLES
from games.live.spectator_count import REPEAT_S, Headcount
from games.protocol import outgoing, snapshots

if TYPE_CHECKING:
    from uuid import UUID

    from games.live.spectator import Spectator

logger = logging.getLogger(__name__)

TICK_S = 0.2
# The players' own frames are on their way by then.
HEAD_START_S = 0.02
MOST_WAITING = 50
SLICE = 10
# A state read so lately does for everybody who comes in the meantime.
STATE_AGE_S = 0.25
NEWS_EVERY_S = 1.0
ERROR_PAUSE_S = 1.0


class Audience:
    """Of one match. `newest` is the last action heard of, `flushed` the last that all were told."""

    def __init__(self, public_id: str) -> None:
        self.public_id = public_id
        self.id = str(uuid4())
        self.spectators: set[Spectator] = set()
        self.newest = self.flushed = -1
        self.headcount = Headcount()
        self._events: deque[dict[str, Any]] = deque()
        self._said: deque[dict[str, Any]] = deque(maxlen=MOST_WAITING)
        self._news: set[str] = set()
        self._is_behind = False
        self._wake = asyncio.Event()
        self._is_listening = asyncio.Event()
        self._reading = asyncio.Lock()
        self._state: tuple[str, int, int] = ("", -1, 0)
        self._read_at = self._told_news_at = float("-inf")
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        OPEN_TABLES.add(self)
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._tell())]

    def close(self) -> None:
        """The last one has left: who counts spectators hears of it at once."""
        OPEN_TABLES.discard(self)
        for task in self._tasks:
            task.cancel()

    # --- what the process asks ----------------------------------------------------------------

    async def catch_up(self, newest: int) -> None:
        """The process found that the match is further than we heard."""
        if newest > self.newest:
            self._note_gap()

    def live_holder(self, since: float) -> "UUID | None":
        """Nobody here holds a seat."""
        return None

    # --- what single spectators ask -----------------------------------------------------------

    async def show(self, spectator: "Spectator") -> None:
        """Tell one of them the whole state, one that is not behind what all were told."""
        await self._is_listening.wait()
        text, seq, _now_ms = await self._newest_state()
        while seq < self.flushed:
            text, seq, _now_ms = await self._newest_state()
        spectator.seq = seq
        await spectator.pass_on(text)

    async def now_ms(self) -> int:
        """The time of the match, from the last reading: no heartbeat costs a query."""
        _text, _seq, now_ms = self._state if self._state[0] else await self._newest_state()
        return now_ms + round(1000 * (time.monotonic() - self._read_at))

    def count_changed(self) -> None:
        self._add_news("count")

    async def _newest_state(self) -> tuple[str, int, int]:
        async with self._reading:
            is_fresh = time.monotonic() - self._read_at <= STATE_AGE_S
            if not is_fresh or self._state[1] < self.newest:
                frame = await hop(snapshots.state_frame, self.public_id, None, -1, timezone.now())
                frame["you"] = outgoing.you(None, None)
                frame["watchers"] = self.headcount.total(time.monotonic())
                self._state = (outgoing.text(frame), frame["seq"], frame["now"])
                self._read_at = time.monotonic()
                self.newest = max(self.newest, frame["seq"])
            return self._state

    # --- what the group says ------------------------------------------------------------------

    async def _listen(self) -> None:
        layer = get_channel_layer()
        assert layer is not None
        channel = await layer.new_channel()
        group = broadcast.watch_group(self.public_id)
        try:
            while True:
                await self._listen_on(layer, group, channel)
        finally:
            with contextlib.suppress(Exception):
                await layer.group_discard(group, channel)
                await broadcast.watchers(self.public_id, self.id, 0)

    async def _listen_on(self, layer: Any, group: str, channel: str) -> None:
        """Until something fails: then the process's check tells what is new, and we try again."""
        try:
            await layer.group_add(group, channel)
            self._is_listening.set()
            await broadcast.ask_watchers(self.public_id)
            while True:
                self._hear(await layer.receive(channel))
        except Exception:
            logger.exception("audience does not hear", extra={"match": self.public_id})
            self._is_listening.set()
            await asyncio.sleep(ERROR_PAUSE_S)

    def _hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "watch.event":
            self._hear_event(message["frame"])
        elif kind == "match.watchers":
            self.headcount.hear(message["audience"], message["count"], time.monotonic())
            self._add_news("watchers")
        elif kind == "watch.ask":
            self._add_news("count")
        elif kind == "match.said":
            self._said.append(message)
            self._wake.set()
        elif kind in ("match.presence", "match.rematch"):
            self._add_news(kind.removeprefix("match."))

    def _hear_event(self, frame: dict[str, Any]) -> None:
        if frame["seq"] <= self.newest:
            return
        if frame["seq"] > self.newest + 1:
            self._note_gap()
            return
        self.newest = frame["seq"]
        self._events.append(frame)
        self._wake.set()

    def _note_gap(self) -> None:
        self._is_behind = True
        self._wake.set()

    def _add_news(self, what: str) -> None:
        self._news.add(what)
        self._wake.set()

    # --- what is told to all ------------------------------------------------------------------

    async def _tell(self) -> None:
        while True:
            try:
                async with asyncio.timeout(REPEAT_S):
                    await self._wake.wait()
            except TimeoutError:
                self._news |= {"count", "watchers"}
            self._wake.clear()
            await asyncio.sleep(HEAD_START_S)
            try:
                await self._tell_next()
            except Exception:
                logger.exception("audience not told", extra={"match": self.public_id})
            if self._events or self._news or self._said or self._is_behind:
                self._wake.set()
            await asyncio.sleep(TICK_S - HEAD_START_S)

    async def _tell_next(self) -> None:
        """One frame for all, if something is to be told. News do not hold up the game."""
        is_quiet = not (self._events or self._is_behind)
        now = time.monotonic()
        if self._said:
            await self._tell_said(self._said.popleft())
        if self._news and (is_quiet or now - self._told_news_at >= NEWS_EVERY_S):
            self._told_news_at = now
            await self._tell_news(self._news.pop())
        elif self._is_behind or len(self._events) > MOST_WAITING:
            await self._tell_state()
        elif self._events:
            frame = self._events.popleft()
            await self._tell_all(outgoing.text(frame), frame["seq"])

    async def _tell_state(self) -> None:
        self._is_behind = False
        self._read_at = float("-inf")
        text, seq, _now_ms = await self._newest_state()
        while self._events and self._events[0]["seq"] <= seq:
            self._events.popleft()
        await self._tell_all(text, seq)

    async def _tell_news(self, what: str) -> None:
        if what == "count":
            await broadcast.watchers(self.public_id, self.id, len(self.spectators))
            return
        if what == "watchers":
            count = self.headcount.changed(time.monotonic())
            frame = None if count is None else {"t": "watchers", "count": count}
        elif what == "presence":
            frame = await hop(snapshots.presence_frame, self.public_id, timezone.now())
        else:
            frame = await hop(snapshots.rematch_frame, self.public_id, timezone.now())
        if frame is not None:
            await self._tell_all(outgoing.text(frame))

    async def _tell_said(self, message: dict[str, Any]) -> None:
        """To each by itself: some have muted the author."""
        for number, spectator in enumerate(list(self.spectators), 1):
            with contextlib.suppress(Exception):
                await spectator.speaker.hear(message)
            if number % SLICE == 0:
                await asyncio.sleep(0)

    async def _tell_all(self, text: str, seq: int | None = None) -> None:
        if seq is not None:
            self.flushed = max(self.flushed, seq)
        for number, spectator in enumerate(list(self.spectators), 1):
            try:
                if seq is None:
                    await spectator.pass_on(text)
                else:
                    await spectator.pass_on_numbered(text, seq)
            except Exception:  # one that is just going must not cost the others
                logger.exception("spectator not told", extra={"match": self.public_id})
            if number % SLICE == 0:
                await asyncio.sleep(0)


class Audiences:
    """Those of one process: made with a match's first spectator, gone with its last."""

    def __init__(self) -> None:
        self._by_match: dict[str, Audience] = {}

    def enter(self, spectator: "Spectator") -> Audience:
        audience = self._by_match.get(spectator.public_id)
        if audience is None:
            audience = self._by_match[spectator.public_id] = Audience(spectator.public_id)
            audience.open()
        audience.spectators.add(spectator)
        audience.count_changed()
        return audience

    def leave(self, spectator: "Spectator") -> None:
        audience = self._by_match.get(spectator.public_id)
        if audience is None:
            return
        audience.spectators.discard(spectator)
        audience.count_changed()
        if not audience.spectators:
            del self._by_match[spectator.public_id]
            audience.close()


AUDIENCES = Audiences()
