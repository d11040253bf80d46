"""Messages of the channel layer that wait for their reader in this process."""

import asyncio
from typing import Generic, TypeVar

# Messages that may wait in one channel.
CAPACITY = 100

T = TypeVar("T")


class Mailbox(Generic[T]):
    """A queue with one reader; while the queue is full, new messages are dropped.

    A message may get lost, since its receiver relies on the database alone. Each open socket has
    one mailbox. It takes a tenth of the memory of an `asyncio.Queue`.
    """

    __slots__ = ("_reader", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[T] = []
        self._reader: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def put_nowait(self, message: T) -> None:
        if len(self._waiting) < CAPACITY:
            self._waiting.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> T:
        """Return the oldest message. A cancelled call removes no message."""
        while not self._waiting:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._waiting.pop(0)
