"""The signed-in sockets of this process, checked against their sessions.

A session's end is announced over the channel layer at once. The layer may lose the message, so
each minute two queries for all sockets of the process find those whose session is gone.
"""

import asyncio
import logging
from collections.abc import Iterable
from typing import Any, Protocol
from weakref import WeakSet

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import User
from accounts.shared.database_threads import SharedRead, run_in_db_thread

logger = logging.getLogger(__name__)
CHECK_EVERY_S = 60


class Socket(Protocol):
    """A signed-in socket, as far as this check needs it."""

    session_key: str
    user_id: int | None

    async def sign_out(self) -> None: ...


def owners(session_keys: Iterable[str]) -> dict[str, int]:
    """Return user ids by session key, for valid sessions only.

    Leave out sessions that ended or expired, those of banned users, and those from before a change
    of the password.
    """
    contents = read_sessions(session_keys)
    users = User.objects.filter(is_active=True).in_bulk(user_ids_in(contents.values()))
    found = {}
    for key, content in contents.items():
        user = users.get(int(content.get(SESSION_KEY, 0)))
        if user is not None and user.has_session_hash(content.get(HASH_SESSION_KEY, "")):
            found[key] = user.pk
    return found


def read_sessions(session_keys: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the contents of the sessions that exist and have not expired."""
    now = timezone.now()
    stored = Session.objects.filter(session_key__in=list(session_keys), expire_date__gt=now)
    return {session.session_key: session.get_decoded() for session in stored}


def user_ids_in(contents: Iterable[dict[str, Any]]) -> set[int]:
    return {int(content[SESSION_KEY]) for content in contents if SESSION_KEY in content}


def owner_of_each(session_keys: set[str]) -> dict[str, int | None]:
    """Return `owners` with None for the keys that it leaves out."""
    return dict.fromkeys(session_keys) | owners(session_keys)


OWNERS = SharedRead(owner_of_each)


class OpenSockets:
    """Start the check with the first signed-in socket and end it with the last."""

    def __init__(self) -> None:
        self._sockets: WeakSet[Socket] = WeakSet()
        self._task: asyncio.Task[None] | None = None

    def add(self, socket: Socket) -> None:
        self._sockets.add(socket)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._watch())

    def discard(self, socket: Socket) -> None:
        self._sockets.discard(socket)

    async def check(self) -> None:
        """Close every socket of this process whose session ended or belongs to another user now."""
        sockets = list(self._sockets)
        found = await run_in_db_thread(owners, {socket.session_key for socket in sockets})
        for socket in sockets:
            try:
                if found.get(socket.session_key) != socket.user_id:
                    await socket.sign_out()
            except Exception:  # a closing connection must not stop the check of the others
                logger.exception("session of a socket not checked")

    async def _watch(self) -> None:
        while self._sockets:
            await asyncio.sleep(CHECK_EVERY_S)
            try:
                await self.check()
            except Exception:
                logger.exception("sessions of sockets not checked")


OPEN_SOCKETS = OpenSockets()
