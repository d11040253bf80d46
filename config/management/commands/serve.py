"""`manage.py serve`: Daphne, by default with the worker's loop as a task of its event loop.

By default the whole site runs in one process, on SQLite and the in-memory channel layer.
`--no-worker` runs the web server alone, beside `manage.py worker`, for PostgreSQL and Redis.
"""

import asyncio
import errno
import faulthandler
import socket
from argparse import ArgumentParser
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

# This import comes first: it installs the asyncio reactor, and Twisted would install another one.
from daphne.server import Server, twisted_loop  # isort: skip
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from twisted.internet import reactor
from twisted.internet.defer import Deferred

from config import demonstration, garbage_collection, seal_key
from config.background import worker
from config.background.pulse import pulse_of
from config.checks.database import need_migrated
from config.demo.people import MEMBER_LOGINS, PASSWORD, STAFF_LOGIN, logins_of_demonstration
from config.http import body_limit
from config.metrics.server import serving
from config.sockets.bounds import BoundedWebSocket
from config.sockets.drain import DRAIN
from config.sockets.guard import MAX_FRAME_BYTES
from games.services import heartbeat

STOP_TIMEOUT_S = 8
EXIT_TIMEOUT_S = 5  # from the end of the event loop
HTTP_TIMEOUT_S = 60  # after which Daphne answers an unfinished request itself, with 503
# Longer than the guard lets a socket wait for its turn.
HANDSHAKE_TIMEOUT_S = 15
# Connections that may wait to be accepted. By default Twisted lets 50 wait. When all players
# reconnect, the kernel would drop the rest, and their clients would try again after 1, 3, 7 and 15
# seconds. The kernel lowers this number to its own limit (net.core.somaxconn).
BACKLOG = 4096
# Most bytes of a sent frame: the graph of a doublet's plays can have hundreds of nodes.
MAX_ANSWER_BYTES = 1024 * 1024
# Address that means all interfaces -> the one that a browser on this machine opens instead.
LOOPBACKS = {"0.0.0.0": "127.0.0.1", "::": "::1"}


class Command(BaseCommand):
    help = "Serve the site and keep its deadlines. With --no-worker, only serve the site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument(
            "--no-worker", action="store_true", help="`manage.py worker` runs separately"
        )
        seal_key.add_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        if not 0 <= port <= 65535:
            raise CommandError(f"There is no port {port}. Ports go from 0 to 65535.")
        if settings.DEMO and not demonstration.is_loopback(host):
            raise CommandError(
                f"Listening on {host or 'all addresses'} is refused. {demonstration.WHY}"
            )
        if is_taken(host, port):
            other = port + 1 if port < 65535 else port - 1
            raise CommandError(
                f"Port {port} is taken: another program, perhaps this site, answers there. "
                f"End it or choose another port: --port {other}"
            )
        need_migrated()
        if not settings.DEMO:
            refuse_public_passwords()
        seal_key.refuse_wrong_key(is_lost=options["lost_seal_key"])
        has_worker = not options["no_worker"]
        background = worker_task if has_worker else beat_task
        with serving(has_worker=has_worker) as figures_url:
            server = SiteServer(host, port, background, partial(self._ready, figures_url))
            server.run()
            exit_in_time()
        if server.failure:
            raise CommandError(server.failure)

    def _ready(self, figures_url: str, host: str, port: int) -> None:
        origin = origin_of(host, port)
        if settings.PLAIN_HTTP:
            origin = settings.LOCAL_URL = origin_of(LOOPBACKS.get(host, host), port)
        self.stdout.write(f"5Stars Gammon is ready: {origin}/ (Ctrl-C ends it)")
        if settings.DEMO:
            self.stdout.write(f"Staff pages: {origin}/admin/ ({STAFF_LOGIN} / {PASSWORD})")
            self.stdout.write(f"Members: {', '.join(MEMBER_LOGINS)} ({PASSWORD})")
        if figures_url:
            self.stdout.write(f"Figures for Prometheus: {figures_url}")
        self.stdout.flush()


def origin_of(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def refuse_public_passwords() -> None:
    """Raise CommandError if accounts have the public password of a demonstration."""
    known = logins_of_demonstration()
    if known:
        raise CommandError(
            f"The accounts {', '.join(known)} of this database have a demonstration's public"
            " password. Use a database of its own for a public site."
        )


def exit_in_time() -> None:
    """Exit with status 1 if the process has not exited by itself after `EXIT_TIMEOUT_S`.

    Python waits for all threads at its exit, and the thread of a request whose task was cancelled
    may wait for the event loop, which has ended. Before the exit a traceback of each thread is
    written to standard error.
    """
    faulthandler.dump_traceback_later(EXIT_TIMEOUT_S, exit=True)


def is_taken(host: str, port: int) -> bool:
    """Return whether another program listens there; False for port 0, which means any free port.

    The server itself reports any other fault, such as a port that only root may open.
    """
    if port == 0:
        return False
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error.errno == errno.EADDRINUSE
    return False


async def worker_task(stop: asyncio.Event) -> None:
    await worker.run(stop, serves=True)


async def beat_task(stop: asyncio.Event) -> None:
    pulse = pulse_of([heartbeat.WEB], asyncio.get_running_loop())
    pulse.start()
    try:
        await stop.wait()
    finally:
        pulse.stop()


class SiteServer(Server):
    """Run Daphne with a background task: both start and stop together."""

    def __init__(
        self,
        host: str,
        port: int,
        background: Callable[[asyncio.Event], Coroutine[Any, Any, None]],
        ready: Callable[[str, int], None],
    ) -> None:
        from config.asgi import application

        interface = host.replace(":", r"\:")
        super().__init__(
            application,
            endpoints=[f"tcp:port={port}:interface={interface}:backlog={BACKLOG}"],
            http_timeout=HTTP_TIMEOUT_S,
            # Autobahn applies the first limit to sent messages too, the second only to received
            # frames.
            websocket_max_message_size=MAX_ANSWER_BYTES,
            websocket_max_frame_size=MAX_FRAME_BYTES,
            websocket_handshake_timeout=HANDSHAKE_TIMEOUT_S,
            server_name="5stars",
            verbosity=0,
        )
        self._background = background
        self._ready = ready
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._ports: list[Any] = []
        self.failure = ""

    def run(self) -> None:
        body_limit.bound()
        reactor.callWhenRunning(self._use_bounded_sockets)
        # Called when signal handlers are installed and the port is open, so that "ready" is true.
        reactor.callWhenRunning(self._say_ready)
        reactor.callWhenRunning(self._start_background)
        super().run()

    def _use_bounded_sockets(self) -> None:
        self.ws_factory.protocol = BoundedWebSocket
        # Close with code 1009 after a too large frame; by default Autobahn just hangs up.
        # Each call resets allowNullOrigin to Autobahn's default; the guard checks origins.
        self.ws_factory.setProtocolOptions(failByDrop=False, allowNullOrigin=True)

    def _say_ready(self) -> None:
        garbage_collection.tune()
        for host, port in self.listening_addresses:
            self._ready(host, port)

    def listen_success(self, port: Any) -> None:
        self._ports.append(port)
        super().listen_success(port)

    def listen_error(self, failure: Any) -> None:
        self.failure = failure.getErrorMessage()
        super().listen_error(failure)

    def _start_background(self) -> None:
        self._task = twisted_loop.create_task(self._background(self._stop))
        self._task.add_done_callback(self._background_ended)

    def _background_ended(self, task: asyncio.Task[None]) -> None:
        """Stop the server if the task fails: deadlines, or at least the heartbeat, depend on it."""
        if not task.cancelled() and task.exception():
            self.failure = f"The background task ended: {task.exception()!r}"
            self.stop()

    def kill_all_applications(self) -> Any:
        """Drain; the reactor calls this before it ends, and waits.

        Daphne's own method fails for a connection whose request was answered already.
        """
        return Deferred.fromFuture(asyncio.ensure_future(self._end(), loop=twisted_loop))

    async def _end(self) -> None:
        """Drain, then let the task end its children, for `STOP_TIMEOUT_S` at most.

        Meanwhile the task goes on writing heartbeats, but the web's heartbeat only until the ports
        are closed: without another web process nobody can come back from then on, so the time
        counts as an outage.
        """
        try:
            await DRAIN.run(self, self._ports, settings.DRAIN_S)
        finally:  # the task's children would outlive the process
            self._stop.set()
            if self._task is not None:
                await asyncio.wait([self._task], timeout=STOP_TIMEOUT_S)
