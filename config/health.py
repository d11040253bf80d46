"""Two addresses for machines: liveness and readiness."""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from channels.layers import get_channel_layer
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.shared.database_threads import run_in_db_thread
from games.services import heartbeat

logger = logging.getLogger(__name__)
LAYER_TIMEOUT_S = 2
# The loop beats each second; after this silence deadlines are not being kept.
WORKER_SILENCE = timedelta(seconds=15)


@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


def _database_answers() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return cursor.fetchone() == (1,)


async def _layer_answers() -> bool:
    """Send a message to ourselves and receive it."""
    layer: Any = get_channel_layer()
    channel = await layer.new_channel("readyz")
    await layer.send(channel, {"type": "readyz"})
    async with asyncio.timeout(LAYER_TIMEOUT_S):
        return (await layer.receive(channel)) == {"type": "readyz"}


def _worker_beats() -> bool:
    last = heartbeat.find_last_beat(heartbeat.WORKER)
    return last is not None and timezone.now() - last < WORKER_SILENCE


async def _probe(name: str, check: Callable[[], Any]) -> bool:
    try:
        if asyncio.iscoroutinefunction(check):
            return await check()
        return await run_in_db_thread(check)
    except Exception:
        logger.exception("readiness probe failed: %s", name)
        return False


@require_safe
async def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200 if database, channel layer and worker do, else 503; name each one's state."""
    parts = {
        "database": await _probe("database", _database_answers),
        "layer": await _probe("layer", _layer_answers),
        "worker": await _probe("worker", _worker_beats),
    }
    return JsonResponse(parts, status=200 if all(parts.values()) else 503)
