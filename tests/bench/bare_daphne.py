"""A Daphne without the site, for comparison: its sockets wait, or echo through Channels."""

import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from daphne.server import Server
from django.conf import settings

from tests.support.own_process import ROOT
from tests.support.site_process import START_TIMEOUT_S


async def accept_and_wait(scope: Any, receive: Any, send: Any) -> None:
    """Serve a socket as an ASGI application that does nothing."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


class Echo(AsyncWebsocketConsumer):
    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await self.send(text_data)


@contextmanager
def bare_daphne(kind: str) -> Iterator[tuple[str, int]]:
    """Start a Daphne whose sockets "wait" or "echo"; yield its address and process id."""
    command = [sys.executable, "-m", "tests.bench.bare_daphne", kind]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert select.select([process.stdout], [], [], START_TIMEOUT_S)[0], "it did not start"
        yield process.stdout.readline().strip(), process.pid
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    settings.configure()
    application = {"wait": accept_and_wait, "echo": Echo.as_asgi()}[sys.argv[1]]
    server = Server(
        application,
        endpoints=["tcp:port=0:interface=127.0.0.1"],
        signal_handlers=False,
        verbosity=0,
    )
    listen_success = server.listen_success

    def announce(port: Any) -> None:
        listen_success(port)
        print("http://{}:{}".format(*server.listening_addresses[0]), flush=True)

    server.listen_success = announce
    server.run()


if __name__ == "__main__":
    main()
