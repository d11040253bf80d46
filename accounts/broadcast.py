"""The only sender to a user's own group. A nudge says what changed; the page asks for it."""

import hashlib
import logging
from collections.abc import Iterable
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)


def user_group(user_id: int) -> str:
    return f"user.{user_id}"


def session_group(session_key: str) -> str:
    """The sockets of one browser session. The key itself opens the session: it is not said."""
    return f"session.{hashlib.sha256(session_key.encode()).hexdigest()[:32]}"


def nudge(user_id: int, what: str) -> None:
    """Tell a user's pages that something of his changed ("balance", ...). After the commit."""
    _send(user_group(user_id), {"type": "site.nudge", "what": what})


def blocks_changed(user_ids: Iterable[int]) -> None:
    """Tell their sockets, not their pages: nobody learns who avoids him. After the commit."""
    for user_id in user_ids:
        _send(user_group(user_id), {"type": "site.blocks"})


def topic_group(topic: str) -> str:
    return f"topic.{topic}"


def nudge_topic(topic: str) -> None:
    """Tell the pages that listen to a topic that it changed. After the commit."""
    _send(topic_group(topic), {"type": "site.nudge", "what": topic})


def close_user(user_id: int) -> None:
    """Close every socket of a user: signed out everywhere, new password, barred."""
    _send(user_group(user_id), {"type": "site.close"})


def close_session(session_key: str) -> None:
    """Close the sockets of one session: signed out there."""
    _send(session_group(session_key), {"type": "site.close"})


def _send(group: str, message: dict[str, Any]) -> None:
    """A layer that is down costs a nudge; sockets look at their session every minute anyway."""
    layer = get_channel_layer()
    assert layer is not None
    try:
        async_to_sync(layer.group_send)(group, message)
    except Exception:
        logger.exception("group message lost")
