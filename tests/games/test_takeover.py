"""Two tabs, one seat: whatever the channel layer loses or turns round, the newest one holds it."""

from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async

from games import broadcast
from games.engine.rules import Rules
from games.models import Match
from tests.games.factories import Sitting, assert_log_folds
from tests.games.table_client import Client

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


async def two_tabs() -> tuple[Sitting, Client, Client]:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    tabs = [Client(sitting.public_id, sitting.guest) for _ in range(2)]
    for tab in tabs:
        await tab.join()
    return sitting, tabs[0], tabs[1]


async def test_news_of_an_older_holder_that_comes_late_takes_nothing_away() -> None:
    sitting, older, newer = await two_tabs()
    await older.until(lambda frame: frame["t"] == "held")
    await sync_to_async(broadcast.holder_changed)(sitting.public_id, "white", str(uuid4()))
    await newer.send(t="ping", seq=newer.seq)
    assert (await newer.receive())["t"] == "pong"
    assert (await newer.command("entropy_hash", hash="0" * 64))["t"] == "ack"
    await older.close()
    await newer.close()
    await sync_to_async(assert_log_folds)(sitting.match)


async def test_a_tab_that_never_heard_of_the_takeover_learns_it_from_its_next_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lost: list[Any] = []
    monkeypatch.setattr(broadcast, "holder_changed", lambda *message: lost.append(message))
    _sitting, older, newer = await two_tabs()
    assert len(lost) == 2
    assert (await older.command("entropy_hash", hash="0" * 64))["code"] == "passive"
    await older.send(t="sync", since=-1)
    state = await older.until(lambda frame: frame["t"] == "state")
    assert not state["you"]["holder"]
    assert (await newer.command("entropy_hash", hash="0" * 64))["t"] == "ack"
    await older.close()
    await newer.close()


async def test_closing_a_tab_that_never_heard_of_the_takeover_leaves_the_seat_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broadcast, "holder_changed", lambda *message: None)
    sitting, older, newer = await two_tabs()
    await older.close()
    match = await Match.objects.aget(pk=sitting.match.pk)
    seat = await match.seats.aget(side="white")
    assert seat.holder is not None
    assert (await newer.command("entropy_hash", hash="0" * 64))["t"] == "ack"
    await newer.close()
