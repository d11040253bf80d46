"""The real server in a thread of the test process, with the worker's loops beside it.

Import this module only when a browser test runs: Daphne installs its reactor at import.
"""

import asyncio
import threading
import time

from daphne.server import Server, twisted_loop

from config.asgi import application
from config.background import worker
from config.sockets.guard import MAX_FRAME_BYTES
from games.bots.process import AiProcess
from tests.journeys.player import PATIENCE_MS

PATIENCE_S = PATIENCE_MS / 1000


class SharedAiProcess(AiProcess):
    """Share one bot process among the tests of a test process: starting one takes a second."""

    async def start(self):
        """Do nothing: a bot's first question starts the process, and most tests have no bot."""

    async def stop(self):
        """Keep the process for the next test."""

    async def end(self):
        await super().stop()


class SiteThread:
    """Run Daphne on a free port. A process has one reactor, which cannot be restarted."""

    def __init__(self):
        self.loop = twisted_loop
        self.ai_process = SharedAiProcess()
        self.listening = threading.Event()
        self.server = Server(
            application,
            endpoints=["tcp:port=0:interface=127.0.0.1"],
            signal_handlers=False,
            verbosity=0,
            websocket_max_frame_size=MAX_FRAME_BYTES,
            # As long as the browser waits: an interrupted handshake logs an error in its console.
            websocket_handshake_timeout=PATIENCE_S,
        )
        listen_success = self.server.listen_success
        self.server.listen_success = lambda port: (listen_success(port), self.listening.set())
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        asyncio.set_event_loop(self.loop)
        self.server.run()

    def start(self):
        self.thread.start()
        assert self.listening.wait(PATIENCE_S), "Daphne did not start"
        return "http://{}:{}".format(*self.server.listening_addresses[0])

    def run(self, coroutine):
        """Run a coroutine on the event loop of the site and return its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(PATIENCE_S)

    def wait_until_quiet(self):
        """Wait until every consumer has disconnected, so that no query reaches the next test."""
        end = time.monotonic() + PATIENCE_S
        while connected := self._connected():
            assert time.monotonic() < end, f"does not disconnect: {connected}"
            time.sleep(0.01)

    def _connected(self):
        """Return the addresses of connections that are still being answered."""
        tasks = [
            (getattr(protocol, "path", protocol), found.get("application_instance"))
            for protocol, found in list(self.server.connections.items())
        ]
        return [address for address, task in tasks if task is not None and not task.done()]

    def stop(self):
        from twisted.internet import reactor

        self.run(self.ai_process.end())
        reactor.callFromThread(reactor.stop)
        self.thread.join(PATIENCE_S)


class WorkerTask:
    """Run the worker's loops on the server's event loop for one test."""

    def __init__(self, loop):
        self.loop = loop
        self.stop_event = asyncio.Event()
        recovered = threading.Event()
        self.future = asyncio.run_coroutine_threadsafe(
            worker.run(self.stop_event, serves=True, when_recovered=recovered.set), loop
        )
        # A worker empties every seat when it starts, which must not happen once the test has begun.
        assert recovered.wait(PATIENCE_S), "the worker did not start"

    def stop(self):
        self.loop.call_soon_threadsafe(self.stop_event.set)
        self.future.result(PATIENCE_S)
