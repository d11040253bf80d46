"""Two URLs for machines: liveness and readiness."""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from channels.layers import get_channel_layer
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from accounts.shared.channels import own_channel
from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import run_in_db_thread
from config.seal_key import REPORT
from config.sockets.drain import DRAIN
from games.services import heartbeat

logger = logging.getLogger(__name__)
LAYER_TIMEOUT_S = 2
# A worker writes a heartbeat each second: if it is older than this, no worker keeps deadlines.
WORKER_SILENCE = timedelta(seconds=15)


@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


def _database_answers() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return cursor.fetchone() == (1,)


class LayerProbe:
    """Probes the channel layer, one probe at a time: concurrent requests share its answer."""

    def __init__(self) -> None:
        self._asking: asyncio.Task[bool] | None = None

    async def answers(self) -> bool:
        loop = asyncio.get_running_loop()
        asking = self._asking
        if asking is None or asking.done() or asking.get_loop() is not loop:
            asking = self._asking = loop.create_task(self._ask())
        return await asyncio.shield(asking)

    async def _ask(self) -> bool:
        """Send a message through a new channel, receive it, and free the channel."""
        layer: Any = get_channel_layer()
        async with asyncio.timeout(LAYER_TIMEOUT_S), own_channel(layer) as channel:
            await layer.send(channel, {"type": "readyz"})
            return (await layer.receive(channel)) == {"type": "readyz"}


LAYER = LayerProbe()


def worker_beats() -> bool:
    """Return whether a worker keeps the deadlines."""
    last = heartbeat.find_last_beat(heartbeat.WORKER)
    return last is not None and CLOCK.now() - last < WORKER_SILENCE


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
    """Answer 200 if database, layer, worker and dice work, else 503, with the state of each.

    A process that is about to stop answers 503 too (config/sockets/drain.py).

    `dice` is false if the process has a wrong DICE_SEAL_KEY: `manage.py serve` refuses to start
    with one, but other servers do not, and a running process may miss a change of the key.
    """
    parts = {
        "serving": not DRAIN.has_begun,
        "database": await _probe("database", _database_answers),
        "layer": await _probe("layer", LAYER.answers),
        "worker": await _probe("worker", worker_beats),
        "dice": await _probe("dice", REPORT.is_right),
    }
    return JsonResponse(parts, status=200 if all(parts.values()) else 503)
