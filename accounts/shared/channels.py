"""Channels of the channel layer, freed when their reader ends; their messages may be lost."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from django.dispatch import Signal

logger = logging.getLogger(__name__)

# Prefix of channels that get messages of groups only: they need no subscription in Redis.
FOR_GROUPS = "for_groups."

# Sent in the event loop when this process has subscribed again after it lost its connection to
# Redis: messages sent meanwhile have not reached it.
messages_lost = Signal()


async def new_channel_for_groups(layer: Any) -> str:
    """Return a new channel to which nothing is sent except through its groups."""
    channel: str = await layer.new_channel(FOR_GROUPS)
    return channel


async def free_channel(layer: Any, channel: str) -> None:
    """Free the messages and the subscription of a channel; log a failing layer."""
    try:
        await layer.delete_channel(channel)
    except Exception:
        logger.exception("channel not freed")


@asynccontextmanager
async def own_channel(layer: Any) -> AsyncIterator[str]:
    """Yield a new channel; free it at the end, even if the reader is cancelled."""
    channel = await layer.new_channel()
    try:
        yield channel
    finally:
        await free_channel(layer, channel)
