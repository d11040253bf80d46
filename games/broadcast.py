"""The only sender to groups. A message is a hint: the database is the truth."""

import logging
from collections.abc import Sequence
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from games import frames
from games.engine.action_codec import action_to_dict
from games.models import Match
from games.steps import Step

logger = logging.getLogger(__name__)


def match_group(public_id: str) -> str:
    return f"match.{public_id}"


def steps(match: Match, done: Sequence[Step], now_ms: int) -> None:
    """Tell a match's group what was done. Call after the commit."""
    for step in done:
        event = frames.event(
            step.seq, action_to_dict(step.action), step.state, now_ms, is_last=step is done[-1]
        )
        _send(match.public_id, {"type": "match.event", "event": event})


def holder_changed(public_id: str, side: str, holder: str) -> None:
    """Tell that a seat is held by another connection now."""
    _send(public_id, {"type": "match.holder", "side": side, "holder": holder})


def presence_changed(public_id: str) -> None:
    """Tell that a player came or went. Who is there, the database says."""
    _send(public_id, {"type": "match.presence"})


def _send(public_id: str, message: dict[str, Any]) -> None:
    """A layer that is down costs its listeners a few seconds, never the action."""
    layer = get_channel_layer()
    assert layer is not None
    try:
        async_to_sync(layer.group_send)(match_group(public_id), message)
    except Exception:
        logger.exception("group message lost", extra={"match": public_id})
