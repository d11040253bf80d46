"""Run the site's server with an application that lets data pile up at its sockets.

    python -m tests.config.sockets.bounds_probe CLOSE_TIMEOUT_S

Print the address and, each time `/pour` has ended, the number of frames that it sent.
`/pour`: send without pause, up to POURED frames or until the socket closes. `/answer`: send
ANSWERED frames for each frame. `/sleep`: take no frame from the queue.
"""

import asyncio
import os
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

FRAME = {"type": "websocket.send", "text": "x" * 4096}
POURED = 40_000
ANSWERED = 100


async def application(scope: Any, receive: Any, send: Any) -> None:
    from config.sockets.guard import Gate

    gate = Gate(receive, send, asyncio.get_running_loop().time)
    await receive()  # websocket.connect
    await gate.send({"type": "websocket.accept"})
    await {"/pour": pour, "/answer": answer, "/sleep": sleep}[scope["path"]](gate, receive)


async def pour(gate: Any, receive: Any) -> None:
    sent, ended = 0, asyncio.create_task(receive())
    while sent < POURED and not gate._closed and not ended.done():
        await gate.send(FRAME)
        sent += 1
        await asyncio.sleep(0)
    say(f"sent {sent}")
    await ended


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def answer(gate: Any, receive: Any) -> None:
    while (await receive())["type"] == "websocket.receive":
        for _ in range(ANSWERED):
            await gate.send(FRAME)


async def sleep(gate: Any, receive: Any) -> None:
    await asyncio.Event().wait()


async def nothing(stop: asyncio.Event) -> None:
    await stop.wait()


def main() -> None:
    import django

    django.setup()
    from config.management.commands.serve import SiteServer

    def ready(host: str, port: int) -> None:
        server.ws_factory.setProtocolOptions(closeHandshakeTimeout=float(sys.argv[1]))
        say(f"http://{host}:{port}")

    server = SiteServer("127.0.0.1", 0, nothing, ready)
    server.application = application
    server.run()


if __name__ == "__main__":
    main()
