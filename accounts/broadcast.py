"""The only sender to the groups of users, sessions and topics.

A nudge only names the part of the page that changed; the page then fetches this part.
"""

import asyncio
import hashlib
import logging
from collections import deque
from collections.abc import Callable, Iterable
from contextvars import ContextVar, copy_context
from functools import lru_cache, partial
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)

# A group and the message to send to it.
Message = tuple[str, dict[str, Any]]
# Builds messages that take a moment to compute.
Build = Callable[[], Iterable[Message]]

# Most messages that wait for a slow channel layer. Beyond that number the oldest ones are dropped:
# each is only a hint.
CAPACITY = 10_000
# Most items of the queue built and sent at once; a longer queue goes in several batches.
AT_ONCE = 50


def user_group(user_id: int) -> str:
    return f"user.{user_id}"


def session_group(session_key: str) -> str:
    """Name the group of a session's sockets by a hash: the key itself opens the session."""
    return f"session.{hashlib.sha256(session_key.encode()).hexdigest()[:32]}"


def nudge(user_id: int, what: str, id: str | None = None) -> None:
    """Notify a user's pages that `what` changed ("balance", ...). Call after the commit.

    `id`: the public id of the object that changed, if only one did.
    """
    named = {} if id is None else {"id": id}
    send((user_group(user_id), {"type": "site.nudge", "what": what, **named}))


def blocks_changed(user_ids: Iterable[int]) -> None:
    """Make these users' sockets read blocks again; no page is nudged. Call after the commit."""
    for user_id in user_ids:
        send((user_group(user_id), {"type": "site.blocks"}))


def friends_changed(user_ids: Iterable[int]) -> None:
    """Refresh what the pages of these users show of their friends. Call after the commit."""
    for user_id in user_ids:
        nudge(user_id, "friends")


def topic_group(topic: str) -> str:
    return f"topic.{topic}"


def nudge_topic(topic: str) -> None:
    """Notify the pages that listen to a topic that it changed. Call after the commit."""
    send((topic_group(topic), {"type": "site.nudge", "what": topic}))


def close_user(user_id: int) -> None:
    """Close every socket of a user who was signed out everywhere or banned."""
    send((user_group(user_id), {"type": "site.close"}))


def close_session(session_key: str) -> None:
    """Close the sockets of one session after its sign-out."""
    send((session_group(session_key), {"type": "site.close"}))


class _Outbox:
    """A queue of messages from any thread to one event loop, which sends them in order."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._waiting: deque[Message | Build] = deque(maxlen=CAPACITY)
        self._sending: asyncio.Task[None] | None = None

    def put(self, *messages: Message | Build) -> None:
        """Add messages, or functions that build them, from any thread."""
        self.loop.call_soon_threadsafe(self._add, messages)

    def _add(self, messages: tuple[Message | Build, ...]) -> None:
        self._waiting.extend(messages)
        if self._sending is None or self._sending.done():
            self._sending = self.loop.create_task(self._send_all())

    async def _send_all(self) -> None:
        """Send the queued messages, then those queued meanwhile, until none is left."""
        while self._waiting:
            count = min(AT_ONCE, len(self._waiting))
            waiting = tuple(self._waiting.popleft() for _ in range(count))
            try:
                messages = await self._messages_of(waiting)
            except Exception:  # the event loop is shutting down
                logger.exception("group messages lost")
            else:
                await _send_together(messages)
                await asyncio.sleep(0)  # for other tasks: a layer in memory never waits

    async def _messages_of(self, waiting: tuple[Message | Build, ...]) -> tuple[Message, ...]:
        """Build the messages, in another thread if one of them takes a moment to build."""
        if not any(map(callable, waiting)):
            return built(waiting)
        return await self.loop.run_in_executor(None, built, waiting)


_outbox_of = lru_cache(maxsize=1)(_Outbox)  # a process of the site has one loop
_outbox: ContextVar[_Outbox | None] = ContextVar("outbox", default=None)


def use_running_loop() -> None:
    """Make `send` queue its messages on this event loop, in this context and in its copies."""
    _outbox.set(_outbox_of(asyncio.get_running_loop()))


def send(*messages: Message | Build) -> None:
    """Send messages to groups, in order; call after the commit, from a thread without a loop.

    A thread of a socket (database_threads) neither waits nor builds messages: waiting would cost
    two more changes of thread and delay the answer to the client. An error of the channel layer is
    only logged, since a message is only a hint to read the database.
    """
    outbox = _outbox.get()
    try:
        if outbox is not None and outbox.loop.is_running():
            outbox.put(*map(_with_context, messages))
        else:
            async_to_sync(_send_together)(built(messages))
    except Exception:
        logger.exception("group messages lost")


def _with_context(message: Message | Build) -> Message | Build:
    """Make a `Build` run in the caller's context, so that log lines have the caller's ids."""
    return partial(copy_context().run, message) if callable(message) else message


def built(messages: Iterable[Message | Build]) -> tuple[Message, ...]:
    """Build messages; one that cannot be built is logged, and the others are kept."""
    found: list[Message] = []
    for each in messages:
        try:
            found += each() if callable(each) else (each,)
        except Exception:
            logger.exception("group messages lost")
    return tuple(found)


async def _send_together(messages: tuple[Message, ...]) -> None:
    """Send in order; over Redis in one round trip, at a quarter of the cost of separate ones."""
    send_many = getattr(get_channel_layer(), "group_send_many", None)
    if send_many is None or len(messages) == 1:
        for group, message in messages:
            await send_from_loop(group, message)
        return
    try:
        await send_many(messages)
    except Exception:
        logger.exception("group messages lost", extra={"groups": [group for group, _ in messages]})


async def send_from_loop(group: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    assert layer is not None
    try:
        await layer.group_send(group, message)
    except Exception:
        logger.exception("group message lost", extra={"group": group})
