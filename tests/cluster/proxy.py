"""A TCP proxy on loopback that can distribute, slow, pause and cut connections."""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit, urlunsplit

Address = tuple[str, int]
CHUNK_BYTES = 65_536
SLOW_S = 0.02  # the delay of a chunk from or to a slow PostgreSQL
BACKLOG = 4096  # connections that wait to be accepted; the kernel drops more than these


class Proxy:
    """Passes each connection on to the target with the fewest; if that refuses, to the next one.

    An event loop in a separate thread runs two tasks for each connection. `delay_s` delays every
    chunk, in both directions.
    """

    def __init__(self, targets: Callable[[], Sequence[Address]]) -> None:
        self.delay_s = 0.0
        self.port = 0
        self._targets = targets
        self._open: Counter[Address] = Counter()  # connections of each target
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._passes = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)

    def __enter__(self) -> "Proxy":
        self._thread.start()
        self.port = self._call(self._listen())
        self.resume()
        return self

    def __exit__(self, *error: object) -> None:
        self.resume()
        self.cut()
        self._call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def url(self, url: str) -> str:
        """Return the URL with the address of this proxy as its host and port."""
        parts = urlsplit(url)
        who, at, _host = parts.netloc.rpartition("@")
        return urlunsplit(parts._replace(netloc=f"{who}{at}127.0.0.1:{self.port}"))

    def pause(self) -> None:
        """Stop passing data on; connections stay open."""
        self._loop.call_soon_threadsafe(self._passes.clear)

    def resume(self) -> None:
        self._loop.call_soon_threadsafe(self._passes.set)

    def cut(self) -> None:
        """Abort every connection, even in the middle of a message."""
        self._call(self._abort_all())

    def _call(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _listen(self) -> int:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, backlog=BACKLOG)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def _close(self) -> None:
        self._server.close()
        mine = asyncio.current_task()
        open_tasks = [task for task in asyncio.all_tasks() if task is not mine]
        for task in open_tasks:
            task.cancel()
        await asyncio.gather(*open_tasks, return_exceptions=True)

    async def _abort_all(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for target in sorted(self._targets(), key=lambda each: self._open[each]):
            self._open[target] += 1  # before the wait, so that it counts for the next client
            try:
                if found := await self._connect(target):
                    await self._serve(reader, writer, *found)
                    return
            finally:
                self._open[target] -= 1
        writer.transport.abort()

    async def _serve(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        back: asyncio.StreamReader,
        there: asyncio.StreamWriter,
    ) -> None:
        pair = {writer, there}
        self._writers |= pair
        try:
            await asyncio.gather(self._pump(reader, there), self._pump(back, writer))
        finally:
            self._writers -= pair
            for each in pair:
                each.transport.abort()

    async def _connect(
        self, target: Address
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        with suppress(OSError):
            return await asyncio.open_connection(*target)
        return None

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await reader.read(CHUNK_BYTES):
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)
                await self._passes.wait()
                writer.write(chunk)
                await writer.drain()
        if writer.can_write_eof():
            with suppress(OSError):
                writer.write_eof()
