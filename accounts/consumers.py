"""The socket that each page of a signed-in member opens, `/ws/site/`: presence and nudges."""

import json
import logging
import re
from datetime import datetime
from typing import Any

from django.utils import timezone

from accounts.broadcast import topic_group
from accounts.models import is_public_id
from accounts.notices import services as notices
from accounts.people import presence
from accounts.shared.database_threads import run_in_db_thread
from accounts.shared.sockets import SessionSocket

logger = logging.getLogger(__name__)

VERSION = 1  # of the frames
MAX_TOPICS = 4  # topics to which one socket may listen
_TOPIC = re.compile(r"[a-z]{1,20}")


class SiteConsumer(SessionSocket):
    """`accounts/README.md` describes the frames. A guest's socket is closed as signed out."""

    touched_at: datetime | None = None
    topics: frozenset[str] = frozenset()

    async def connect(self) -> None:
        await self.accept()  # accept, then close: a page cannot read why a handshake was refused
        user = self.scope.get("user")
        if user is None or not user.is_authenticated:
            await self.sign_out()
        elif await self.bind():
            await self.send_frame({"t": "hello", "v": VERSION})
            await self._touch()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        frame = parsed(text_data)
        if frame == {"t": "ping"}:
            await self.send_frame({"t": "pong"})
            await self._touch()
            return
        topic = listened_topic(frame)
        if topic in self.topics:
            return
        if topic is not None and len(self.topics) < MAX_TOPICS:
            self.topics |= {topic}
            await self.join_group(topic_group(topic))
            return
        notice = answered_notice(frame)
        if notice is not None:
            await run_in_db_thread(notices.note_here, self.user_id, notice)
            return
        await self.send_frame({"t": "error", "code": "unreadable"})
        await self.count_unreadable()

    async def _touch(self) -> None:
        """Write presence; a failing write is logged and does not close the socket."""
        now = timezone.now()
        if self.touched_at is not None and now - self.touched_at < presence.TOUCH_EVERY:
            return
        self.touched_at = now
        try:
            await run_in_db_thread(presence.touch, self.user_id, now)
        except Exception:
            logger.exception("presence not written")

    async def site_nudge(self, message: dict[str, Any]) -> None:
        named = {"id": message["id"]} if "id" in message else {}
        await self.send_frame({"t": "nudge", "what": message["what"], **named})


def parsed(text: str | None) -> dict[str, Any]:
    """Return the JSON object of a frame; {} for anything else."""
    try:
        frame = json.loads(text or "")
    except (ValueError, RecursionError):
        return {}
    return frame if isinstance(frame, dict) else {}


def listened_topic(frame: dict[str, Any]) -> str | None:
    """Return the topic of a `listen` frame, or None for any other frame."""
    if set(frame) != {"t", "to"} or frame["t"] != "listen":
        return None
    topic = frame["to"]
    return topic if isinstance(topic, str) and _TOPIC.fullmatch(topic) else None


def answered_notice(frame: dict[str, Any]) -> str | None:
    """Return the notice's id in a `here` frame, or None for any other frame."""
    if set(frame) != {"t", "id"} or frame["t"] != "here":
        return None
    notice = frame["id"]
    return notice if isinstance(notice, str) and is_public_id(notice) else None
