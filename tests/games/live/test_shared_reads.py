"""Many sockets share a query, which begins after all requests that it answers."""

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.shared import database_threads
from accounts.shared.database_threads import SharedRead, Stage, Turnstile
from games.engine.rules import Rules
from games.engine.sides import Side
from games.live.shared_reads import RECENT, read_progress
from games.models import Match
from games.protocol import snapshots
from games.protocol.snapshots import Progress
from tests.games.factories import Sitting
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def queried(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """Return a list that gets, for each query in order, the public ids it asks for."""
    found: list[set[str]] = []
    progress = snapshots.progress

    def counted(public_ids: Any, now: Any) -> dict[str, Progress]:
        found.append(set(public_ids))
        return progress(public_ids, now)

    monkeypatch.setattr(snapshots, "progress", counted)
    return found


async def tables(count: int) -> list[str]:
    rules = Rules.of("short")
    return [(await sync_to_async(Sitting)(rules)).public_id for _ in range(count)]


async def test_pings_during_a_query_share_the_next_one(queried: list[set[str]]) -> None:
    ids = await tables(3)
    await Match.objects.filter(public_id=ids[1]).aupdate(seq=7)
    reader = SharedRead(read_progress)
    first = asyncio.create_task(reader.read(ids[0]))
    async with asyncio.timeout(PATIENCE_S):
        while not queried:
            await asyncio.sleep(0)
    found = await asyncio.gather(*map(reader.read, [*ids, ids[0]]))
    assert queried == [{ids[0]}, set(ids)]
    assert found[1].seq == 7
    assert found[0] == found[3]
    assert (await first).seq < 7
    made = await Match.objects.aget(public_id=ids[0])
    passed_ms = (timezone.now() - made.created_at).total_seconds() * 1000
    assert 0 <= found[0].now_ms <= passed_ms


async def test_an_unknown_match_fails_alone() -> None:
    (id,) = await tables(1)
    reader = SharedRead(read_progress)
    known, unknown = await asyncio.gather(
        reader.read(id), reader.read("unknown"), return_exceptions=True
    )
    assert isinstance(known, Progress)
    assert isinstance(unknown, KeyError)


async def test_a_client_that_leaves_cancels_no_answer_of_another() -> None:
    (id,) = await tables(1)
    reader = SharedRead(read_progress)
    leaving, staying = (asyncio.create_task(reader.read(id)) for _ in range(2))
    await asyncio.sleep(0)
    leaving.cancel()
    assert isinstance(await staying, Progress)
    assert leaving.cancelled()


async def test_the_chat_of_a_joined_table_is_read_before_others_join(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order: list[str] = []
    turnstile = Turnstile(1)

    def read_chat(rooms: set[Any]) -> dict[Any, list[Any]]:
        order.append("chat")
        return {room: [] for room in rooms}

    async def join() -> None:
        async with turnstile.turn(Stage.JOIN):
            order.append("join")

    monkeypatch.setattr(database_threads, "TURNSTILE", turnstile)
    monkeypatch.setattr(RECENT, "_read_each", read_chat)
    async with turnstile.turn(Stage.JOIN):
        tasks = [asyncio.create_task(join()) for _ in range(2)]
        tasks.append(asyncio.create_task(RECENT.read(("match", Side.WHITE, None))))
        for _ in range(5):
            await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert order == ["chat", "join", "join"]
