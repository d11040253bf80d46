"""Requests of one network are answered a few at a time; other networks do not wait for them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest

from config.http import page_turns
from config.http.body_limit import MAX_BODY_BYTES
from config.http.page_turns import (
    ALL_AT_ONCE,
    ALL_BYTES,
    AT_ONCE,
    LARGE_BYTES,
    NETWORK_BYTES,
    WIDE_BYTES,
    WIDE_TURNS,
    PageTurns,
)

CROWD = 5 * AT_ONCE


class Pages:
    """Pages that answer when the test lets them; `answering` counts the requests in progress."""

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
async def test_a_network_has_a_few_requests_in_progress_and_all_are_answered() -> None:
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
async def test_ipv6_networks_of_one_wide_network_share_turns() -> None:
    pages = Pages()
    turns = PageTurns(pages)
    many = [
        asyncio.create_task(turns(scope, None, None))
        for scope in in_wide_network(CROWD * WIDE_TURNS)
    ]
    await settled()
    assert pages.answering == AT_ONCE * WIDE_TURNS
    async with crowd(turns, "192.0.2.1"):
        assert pages.answering == AT_ONCE * (WIDE_TURNS + 1)
        pages.may_answer.set()
    await asyncio.gather(*many)
    assert not turns._networks


def in_wide_network(count: int, *headers: tuple[bytes, bytes]) -> list[dict[str, Any]]:
    """Return requests, each from its own /64, all from one wide network (a /48)."""
    return [posting(f"2001:db8:1:{number:x}::1", *headers) for number in range(count)]


@pytest.mark.asyncio
async def test_ipv6_networks_of_one_wide_network_leave_room_for_bodies_of_others() -> None:
    pages = Pages()
    turns = PageTurns(pages)
    largest = length_header(MAX_BODY_BYTES)
    found = await statuses(
        turns, pages, [*in_wide_network(CROWD, largest), posting("192.0.2.1", largest)]
    )
    fit = WIDE_BYTES * NETWORK_BYTES // MAX_BODY_BYTES
    assert found == [None] * fit + [429] * (CROWD - fit) + [None]


@pytest.mark.asyncio
async def test_another_network_does_not_wait() -> None:
    pages = Pages()
    turns = PageTurns(pages)
    async with crowd(turns, "192.0.2.1"), crowd(turns, "192.0.2.2"):
        assert pages.answering == 2 * AT_ONCE
        pages.may_answer.set()


@pytest.mark.asyncio
async def test_all_networks_together_are_bounded_and_all_are_answered() -> None:
    pages = Pages()
    turns = PageTurns(pages)
    scopes = [scope_of(f"198.51.100.{number}") for number in range(2 * ALL_AT_ONCE)]
    many = [asyncio.create_task(turns(scope, None, None)) for scope in scopes]
    await settled()
    assert pages.answering == ALL_AT_ONCE
    pages.may_answer.set()
    await asyncio.gather(*many)
    assert (pages.most, pages.answered) == (ALL_AT_ONCE, 2 * ALL_AT_ONCE)


@pytest.mark.asyncio
async def test_canceled_and_failed_requests_free_their_turns() -> None:
    pages = Pages()
    turns = PageTurns(pages)
    async with crowd(turns, "192.0.2.1") as tasks:
        for task in tasks[: CROWD - 2]:  # in progress and waiting
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


def posting(address: str, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    return {**scope_of(address), "headers": list(headers)}


def length_header(size: int) -> tuple[bytes, bytes]:
    return b"content-length", str(size).encode()


async def nothing() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}


async def statuses(turns: PageTurns, pages: Pages, scopes: list[dict[str, Any]]) -> list[Any]:
    """Send requests while no page answers; return each refusal's status, None if let through."""
    sent: list[list[Any]] = [[] for _ in scopes]

    async def ask(scope: dict[str, Any], messages: list[Any]) -> None:
        async def send(message: Any) -> None:
            messages.append(message)

        await turns(scope, nothing, send)

    each = zip(scopes, sent, strict=True)
    tasks = [asyncio.create_task(ask(scope, messages)) for scope, messages in each]
    await settled()
    pages.may_answer.set()
    await asyncio.gather(*tasks)
    pages.may_answer.clear()
    assert not turns._networks
    assert not turns._bytes
    return [messages[0]["status"] if messages else None for messages in sent]


LARGEST = [length_header(MAX_BODY_BYTES), (b"transfer-encoding", b"chunked"), length_header(10**30)]


@pytest.mark.asyncio
@pytest.mark.parametrize("largest", LARGEST)
async def test_large_bodies_of_one_network_do_not_fill_the_memory(largest: Any) -> None:
    pages = Pages()
    turns = PageTurns(pages)
    many = [posting("192.0.2.1", largest) for _ in range(CROWD)]
    found = await statuses(turns, pages, many)
    fit = NETWORK_BYTES // MAX_BODY_BYTES
    assert found == [None] * fit + [429] * (CROWD - fit)


@pytest.mark.asyncio
async def test_large_bodies_of_many_networks_do_not_fill_the_memory() -> None:
    pages = Pages()
    turns = PageTurns(pages)
    many = [posting(f"2001:db8:{n}::1", length_header(MAX_BODY_BYTES)) for n in range(CROWD)]
    small = [posting("192.0.2.9", length_header(LARGE_BYTES)), scope_of("192.0.2.9")]
    found = await statuses(turns, pages, many + small)
    fit = ALL_BYTES // MAX_BODY_BYTES
    assert found == [None] * fit + [429] * (CROWD - fit) + [None, None]


@pytest.mark.asyncio
async def test_waiting_requests_of_one_network_are_bounded(monkeypatch: Any) -> None:
    monkeypatch.setattr(page_turns, "MOST_REQUESTS", CROWD - 2)
    pages = Pages()
    turns = PageTurns(pages)
    found = await statuses(turns, pages, [scope_of("192.0.2.1") for _ in range(CROWD)])
    assert found == [None] * (CROWD - 2) + [429] * 2
