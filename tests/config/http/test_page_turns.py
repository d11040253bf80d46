"""The pages of one network are answered a few at a time; other networks do not wait for it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest

from config.http.page_turns import AT_ONCE, PageTurns

CROWD = 5 * AT_ONCE


class Pages:
    """Pages that answer when the test lets them; `answering` counts the requests in work."""

    def __init__(self) -> None:
        self.answering = self.most = self.answered = 0
        self.fails = False
        self.may_answer = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        with self._count():
            await self.may_answer.wait()
            if self.fails:
                raise ValueError("page failed")
        self.answered += 1

    @contextmanager
    def _count(self) -> Iterator[None]:
        self.answering += 1
        self.most = max(self.most, self.answering)
        try:
            yield
        finally:
            self.answering -= 1


def scope_of(address: str) -> dict[str, Any]:
    return {"type": "http", "client": (address, 50_000), "headers": []}


@asynccontextmanager
async def crowd(turns: PageTurns, address: str) -> AsyncIterator[list[asyncio.Task[None]]]:
    """Send CROWD requests of one address; yield when no more of them can begin."""
    tasks = [asyncio.create_task(turns(scope_of(address), None, None)) for _ in range(CROWD)]
    await settled()
    yield tasks
    await asyncio.gather(*tasks, return_exceptions=True)


async def settled() -> None:
    for _ in range(2 * CROWD):
        await asyncio.sleep(0)


@pytest.mark.asyncio
async def test_a_network_has_a_few_requests_in_work_and_all_are_answered() -> None:
    pages = Pages()
    turns = PageTurns(pages)
    async with crowd(turns, "192.0.2.1"):
        assert pages.answering == AT_ONCE
        pages.may_answer.set()
    assert (pages.most, pages.answered) == (AT_ONCE, CROWD)
    assert not turns._networks


@pytest.mark.asyncio
async def test_addresses_of_one_ipv6_network_share_its_turns() -> None:
    pages = Pages()
    turns = PageTurns(pages)
    async with crowd(turns, "2001:db8::1"), crowd(turns, "2001:db8::2"):
        assert pages.answering == AT_ONCE
        pages.may_answer.set()


@pytest.mark.asyncio
async def test_another_network_does_not_wait() -> None:
    pages = Pages()
    turns = PageTurns(pages)
    async with crowd(turns, "192.0.2.1"), crowd(turns, "192.0.2.2"):
        assert pages.answering == 2 * AT_ONCE
        pages.may_answer.set()


@pytest.mark.asyncio
async def test_requests_given_up_or_failed_leave_their_turns() -> None:
    pages = Pages()
    turns = PageTurns(pages)
    async with crowd(turns, "192.0.2.1") as tasks:
        for task in tasks[: CROWD - 2]:  # in work and waiting
            task.cancel()
        await settled()
        assert pages.answering == 2
        pages.fails = True
        pages.may_answer.set()
    assert not turns._networks
    pages.fails = False
    async with crowd(turns, "192.0.2.1"):
        pass
    assert pages.answered == CROWD
