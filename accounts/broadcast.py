"""The only sender to the groups of users, sessions and topics.

A nudge names what changed; the page fetches it.
"""

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
    """Name the group of a session's sockets by a hash: the key itself opens the session."""
    return f"session.{hashlib.sha256(session_key.encode()).hexdigest()[:32]}"


def nudge(user_id: int, what: str, id: str | None = None) -> None:
    """Notify a user's pages that `what` changed ("balance", ...). Call after the commit.

    `id`: the public id of the one thing that changed, if it is one.
    """
    named = {} if id is None else {"id": id}
    _send(user_group(user_id), {"type": "site.nudge", "what": what, **named})


def blocks_changed(user_ids: Iterable[int]) -> None:
    """Notify these users' sockets, not their pages: a block stays secret. After the commit."""
    for user_id in user_ids:
        _send(user_group(user_id), {"type": "site.blocks"})


def topic_group(topic: str) -> str:
    return f"topic.{topic}"


def nudge_topic(topic: str) -> None:
    """Notify the pages that listen to a topic that it changed. Call after the commit."""
    _send(topic_group(topic), {"type": "site.nudge", "what": topic})


def close_user(user_id: int) -> None:
    """Close every socket of a user: signed out everywhere, new password, banned."""
    _send(user_group(user_id), {"type": "site.close"})


def close_session(session_key: str) -> None:
    """Close the sockets of one session after its sign-out."""
    _send(session_group(session_key), {"type": "site.close"})


def _send(group: str, message: dict[str, Any]) -> None:
    """Log a failing layer: it costs a nudge, and sockets check their session every minute."""
    layer = get_channel_layer()
    assert layer is not None
    try:
        async_to_sync(layer.group_send)(group, message)
    except Exception:
        logger.exception("group message lost")
