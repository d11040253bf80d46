"""The spectators of a match in this process: one channel of the group for all of them.

Each channel of a group costs one delivery per message; five hundred spectators would cost five
hundred. So an audience listens to the watch group once, encodes a frame once, and writes it to its
sockets in slices, between which the event loop serves others. It sends at most five frames a
second, and as many chat messages: events wait in a queue, and when too many wait, one whole state
replaces them.

*News* are the frames other than events, states and chat: the number of spectators, presence,
rematches.
"""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Protocol
from uuid import UUID, uuid4

from channels.layers import get_channel_layer

from accounts.shared.channels import own_channel
from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import run_in_db_thread
from games import broadcast
from games.live import metrics
from games.live.chat import MOST_REMEMBERED
from games.live.open_tables import OPEN_TABLES
from games.live.sent_news import SentNews
from games.live.shared_reads import PRESENCE
from games.live.spectator_count import REPEAT_S, SpectatorCount
from games.protocol import outgoing, snapshots
from games.protocol.snapshots import News
from games.services import chat

logger = logging.getLogger(__name__)

# Seconds from one frame to the next.
TICK_S = 0.2
# Seconds by which the players get their frames before the spectators.
HEAD_START_S = 0.02
# Most events that wait to be sent; the same for chat messages.
MAX_WAITING = 50
# Sockets written to before the event loop serves others.
SLICE = 10
# Seconds for which one reading of the state serves every newcomer.
STATE_AGE_S = 0.25
# Least seconds between two frames of news while events wait.
NEWS_EVERY_S = 1.0
# News that may reveal an action: they wait until every event before them was sent.
NEWS_AFTER_EVENTS = frozenset({"presence", "rematch"})
# Seconds before the next attempt after the channel layer or the database failed.
ERROR_PAUSE_S = 1.0


class SpectatorChat(Protocol):
    async def handle(self, message: dict[str, Any]) -> None: ...


class SpectatorLike(Protocol):
    """The part of a spectator that an audience uses; `seq`: last action sent to the client."""

    public_id: str
    seq: int

    @property
    def chat(self) -> SpectatorChat: ...

    async def pass_on(self, text: str) -> None: ...

    async def pass_on_numbered(self, text: str, seq: int) -> None: ...


class Audience:
    """The spectators of a match in this process.

    `newest`: seq of the last action that was sent to all or waits to be sent; `flushed`: seq of the
    last one sent to all. The first state read sets `newest`. Later, a newcomer's state changes
    neither: the others still need the events up to it.
    """

    def __init__(self, public_id: str) -> None:
        self.public_id = public_id
        self.id = str(uuid4())
        self.spectators: set[SpectatorLike] = set()
        self.newest = self.flushed = -1
        self.spectator_count = SpectatorCount()
        self._events: deque[dict[str, Any]] = deque()
        self._chat: deque[dict[str, Any]] = deque()
        self._said: deque[int] = deque(maxlen=MOST_REMEMBERED)  # ids of messages that came
        # "count" = report our own number to the group; "watchers" = send clients the new total.
        self._news: set[str] = set()
        self._sent_news = SentNews()
        self._is_behind = False
        self._is_closed = False
        self._wake = asyncio.Event()
        self._is_listening = asyncio.Event()
        self._reading = asyncio.Lock()
        # The last state frame as text, its seq, its match time in ms; `_now_at` is the moment of
        # that match time, in seconds of time.monotonic().
        self._state: tuple[str, int, int] = ("", -1, 0)
        self._state_news: News = {}
        self._now_at = 0.0
        self._read_at = self._news_sent_at = float("-inf")
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        OPEN_TABLES.add(self)
        self._tasks = [
            asyncio.create_task(self._listen()),
            asyncio.create_task(self._send()),
        ]

    def close(self) -> None:
        """Stop listening; the other processes get a count of zero at once."""
        self._is_closed = True
        OPEN_TABLES.discard(self)
        for task in self._tasks:
            task.cancel()

    # --- called by the check of open tables ---------------------------------------------------

    async def catch_up(self, newest: int) -> None:
        """Send the state if the spectators have missed an action that they may see."""
        if newest > self.newest and await self.newest_seq() > self.flushed:
            self._note_loss("check")

    async def hear_news(self, newest: News) -> None:
        """Queue the news that differ from those last sent to all."""
        for kind in self._sent_news.outdated(newest):
            self._add_news(kind)

    @property
    def chat_room(self) -> str:
        return chat.room(self.public_id, None)

    async def hear(self, message: dict[str, Any]) -> None:
        """Take a message of the spectators' chat, unless it came before.

        A frame that hides a message has that message's id, so it always passes; each connection
        drops the frame if it has sent it before.
        """
        frame = message["frame"]
        if frame["t"] == "hidden" or frame["id"] not in self._said:
            self._handle_chat(message)

    def live_holder(self, since: float) -> UUID | None:
        """Return None: a spectator holds no seat."""
        return None

    # --- called by single spectators ----------------------------------------------------------

    async def show(self, spectator: SpectatorLike) -> None:
        """Send one spectator the whole state, at least as new as the last frame sent to all."""
        await self._is_listening.wait()
        text, seq, _now_ms = await self._newest_state()
        while seq < self.flushed:
            text, seq, _now_ms = await self._newest_state()
        spectator.seq = seq
        await spectator.pass_on(text)
        for kind in self._sent_news.outdated(self._state_news):  # the others need these, too
            self._add_news(kind)

    async def newest_seq(self) -> int:
        """Return the last seq that spectators may see, read STATE_AGE_S ago at most."""
        _text, seq, _now_ms = await self._newest_state()
        return seq

    async def now_ms(self) -> int:
        """Return the match time, counted from the last reading, so that a ping costs no query."""
        _text, _seq, now_ms = self._state if self._state[0] else await self._newest_state()
        return now_ms + round(1000 * (time.monotonic() - self._now_at))

    def count_changed(self) -> None:
        self._add_news("count")

    async def _newest_state(self, *, must_read: bool = False) -> tuple[str, int, int]:
        async with self._reading:
            is_fresh = not must_read and time.monotonic() - self._read_at <= STATE_AGE_S
            if not is_fresh or self._state[1] < self.newest:
                now, now_at = CLOCK.now(), time.monotonic()
                frame = await run_in_db_thread(snapshots.state_frame, self.public_id, None, -1, now)
                frame["you"] = outgoing.you(None, None)
                frame["watchers"] = self.spectator_count.total(time.monotonic())
                self._state = (outgoing.text(frame), frame["seq"], frame["now"])
                self._now_at, self._read_at = now_at, time.monotonic()
                self._state_news = snapshots.news_in(frame)
                if self.newest < 0:
                    self.newest = frame["seq"]
                    self._sent_news.note(self._state_news)
            return self._state

    # --- group messages -----------------------------------------------------------------------

    async def _listen(self) -> None:
        layer = get_channel_layer()
        try:
            # The loop does not rely on cancellation alone: a layer may turn it into another error.
            while not self._is_closed:
                try:
                    async with own_channel(layer) as channel:
                        await self._listen_on(layer, channel)
                except Exception:
                    logger.exception("audience cannot listen", extra={"match": self.public_id})
                    self._is_listening.set()
                    await asyncio.sleep(ERROR_PAUSE_S)
        finally:
            with contextlib.suppress(Exception):
                await broadcast.watchers(self.public_id, self.id, 0)

    async def _listen_on(self, layer: Any, channel: str) -> None:
        """Listen until something fails; the check of open tables finds missed events."""
        group = broadcast.watch_group(self.public_id)
        try:
            await layer.group_add(group, channel)
            self._is_listening.set()
            await broadcast.ask_watchers(self.public_id)
            while not self._is_closed:
                self._handle(await layer.receive(channel))
        finally:
            with contextlib.suppress(Exception):
                await layer.group_discard(group, channel)

    def _handle(self, message: dict[str, Any]) -> None:
        handler = self._HANDLERS.get(message["type"])
        if handler is not None:
            handler(self, message)

    def _handle_event(self, message: dict[str, Any]) -> None:
        frame = message["frame"]
        if frame["seq"] <= self.newest:
            return
        if frame["seq"] > self.newest + 1:
            self._note_loss("event")
            return
        self.newest = frame["seq"]
        if len(self._events) >= MAX_WAITING:  # one state replaces all events
            self._events.clear()
            self._fall_behind()
            return
        self._events.append(frame)
        self._wake.set()

    def _handle_count(self, message: dict[str, Any]) -> None:
        count, now = message["count"], time.monotonic()
        self.spectator_count.record(message["audience"], count, now)
        self._add_news("watchers")

    def _handle_chat(self, message: dict[str, Any]) -> None:
        """Queue a chat message; a later check of open tables repeats one that finds no place."""
        if len(self._chat) >= MAX_WAITING:
            return
        if message["frame"]["t"] == "said":
            self._said.append(message["frame"]["id"])
        self._chat.append(message)
        self._wake.set()

    _HANDLERS: ClassVar[dict[str, Callable[["Audience", dict[str, Any]], None]]] = {
        "watch.event": _handle_event,
        "watch.ask": lambda self, message: self._add_news("count"),
        "match.watchers": _handle_count,
        "match.said": _handle_chat,
        "match.presence": lambda self, message: self._add_news("presence"),
        "match.rematch": lambda self, message: self._add_news("rematch"),
    }

    def _note_loss(self, found_by: str) -> None:
        metrics.GAPS.labels(found_by).inc()
        self._fall_behind()

    def _fall_behind(self) -> None:
        self._is_behind = True
        self._wake.set()

    def _add_news(self, kind: str) -> None:
        self._news.add(kind)
        self._wake.set()

    # --- frames to all ------------------------------------------------------------------------

    async def _send(self) -> None:
        repeats_at = time.monotonic() + REPEAT_S
        while not self._is_closed:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(repeats_at - time.monotonic()):
                    await self._wake.wait()
            if time.monotonic() >= repeats_at:
                self._news |= {"count", "watchers"}
                repeats_at = time.monotonic() + REPEAT_S
            self._wake.clear()
            await asyncio.sleep(HEAD_START_S)
            try:
                await self._send_next()
            except Exception:
                logger.exception("audience frame not sent", extra={"match": self.public_id})
                await asyncio.sleep(ERROR_PAUSE_S)
            if self._events or self._news or self._chat or self._is_behind:
                self._wake.set()
            await asyncio.sleep(TICK_S - HEAD_START_S)

    async def _send_next(self) -> None:
        """Send the next chat message and the next other frame, if they wait.

        News must neither delay events nor reveal them early.
        """
        is_quiet = not (self._events or self._is_behind)
        now = time.monotonic()
        if self._chat:
            await self._send_chat(self._chat.popleft())
        ready = self._news if is_quiet else self._news - NEWS_AFTER_EVENTS
        if ready and (is_quiet or now - self._news_sent_at >= NEWS_EVERY_S):
            self._news_sent_at = now
            kind = next(iter(ready))
            self._news.discard(kind)
            with self._again_if_it_fails(lambda: self._news.add(kind)):
                await self._send_news(kind)
        elif self._is_behind:
            await self._send_state()
        elif self._events:
            frame = self._events.popleft()
            await self._send_to_all(outgoing.text(frame), frame["seq"])

    async def _send_state(self) -> None:
        self._is_behind = False
        with self._again_if_it_fails(self._fall_behind):
            text, seq, _now_ms = await self._newest_state(must_read=True)
        self.newest = max(self.newest, seq)
        self._sent_news.note(self._state_news)
        while self._events and self._events[0]["seq"] <= seq:
            self._events.popleft()
        await self._send_to_all(text, seq)

    @staticmethod
    @contextlib.contextmanager
    def _again_if_it_fails(put_back: Callable[[], None]) -> Iterator[None]:
        """If the block fails, call `put_back`, so that the sending is tried again."""
        try:
            yield
        except Exception:
            put_back()
            raise

    async def _send_news(self, kind: str) -> None:
        if kind == "count":
            await broadcast.watchers(self.public_id, self.id, len(self.spectators))
            return
        if kind == "watchers":
            count = self.spectator_count.changed(time.monotonic())
            frame = None if count is None else {"t": "watchers", "count": count}
        elif kind == "presence":
            frame = await PRESENCE.read(self.public_id)
        else:
            frame = await run_in_db_thread(snapshots.rematch_frame, self.public_id, CLOCK.now())
        if frame is not None:
            self._sent_news.note(snapshots.news_in(frame))
            await self._send_to_all(outgoing.text(frame))

    def _joined(self) -> list[SpectatorLike]:
        """Return the spectators whose join was answered: no other frame may come before that."""
        return [spectator for spectator in self.spectators if spectator.seq >= 0]

    async def _send_chat(self, message: dict[str, Any]) -> None:
        """Send a chat message to each spectator separately: some have muted its author."""
        for number, spectator in enumerate(self._joined(), 1):
            with contextlib.suppress(Exception):
                await spectator.chat.handle(message)
            if number % SLICE == 0:
                await asyncio.sleep(0)

    async def _send_to_all(self, text: str, seq: int | None = None) -> None:
        if seq is not None:
            self.flushed = max(self.flushed, seq)
        for number, spectator in enumerate(self._joined(), 1):
            try:
                if seq is None:
                    await spectator.pass_on(text)
                else:
                    await spectator.pass_on_numbered(text, seq)
            except Exception:  # a closing connection must not cost the others their frame
                logger.exception("spectator not told", extra={"match": self.public_id})
            if number % SLICE == 0:
                await asyncio.sleep(0)
