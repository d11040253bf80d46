"""Serve this process's figures over HTTP, on an address that no visitor reaches.

Each metric is defined in the module that counts it: games/broadcast.py, games/live/metrics.py,
accounts/mail/sender.py, accounts/notices/delivery.py, config/background/lateness.py.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import CommandError
from prometheus_client import REGISTRY, CollectorRegistry, start_http_server

from config.metrics.site_state import SiteState


@contextmanager
def serving(*, has_worker: bool, registry: CollectorRegistry = REGISTRY) -> Iterator[str]:
    """Serve figures at METRICS_BIND within the block; yield their URL, "" if there is no address.

    A process with a worker adds the state of the whole site, which it reads from the database at
    each request. Raises CommandError if the address is taken.
    """
    if not settings.METRICS_BIND:
        yield ""
        return
    parts = urlsplit(f"//{settings.METRICS_BIND}")
    try:
        server, thread = start_http_server(parts.port or 0, parts.hostname or "", registry)
    except OSError as error:
        raise CommandError(
            f"METRICS_BIND={settings.METRICS_BIND}: {error.strerror}."
            " Each process of a machine needs a port of its own."
        ) from error
    state = SiteState()
    if has_worker:
        registry.register(state)
    try:
        yield f"http://{parts.hostname}:{server.server_port}/metrics"
    finally:
        if has_worker:
            registry.unregister(state)
        server.shutdown()
        server.server_close()
        thread.join()
