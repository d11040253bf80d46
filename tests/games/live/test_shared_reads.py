"""Pings of many players share queries; a query begins after all pings that it answers."""

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.shared.database_threads import SharedRead
from games.engine.rules import Rules
from games.live.shared_reads import read_progress
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
