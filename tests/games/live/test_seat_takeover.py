"""The newest tab gets the seat, unless it returns with an outdated token."""

import hashlib
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError

from games import broadcast
from games.engine.rules import Rules
from games.models import Match, Seat
from games.services import seats
from tests.games.factories import Sitting, assert_log_folds
from tests.games.table_client import ENTROPY, Client

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


async def two_tabs() -> tuple[Sitting, Client, Client]:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    tabs = [Client(sitting.public_id, sitting.guest) for _ in range(2)]
    for tab in tabs:
        await tab.join()
    return sitting, tabs[0], tabs[1]


async def test_late_message_of_an_older_holder_changes_nothing() -> None:
    sitting, older, newer = await two_tabs()
    await older.until(lambda frame: frame["t"] == "held")
    await sync_to_async(broadcast.holder_changed)(sitting.public_id, "white", str(uuid4()))
    await newer.send(t="ping", seq=newer.seq)
    assert (await newer.receive())["t"] == "pong"
    assert (await newer.command("entropy_hash", hash="0" * 64))["t"] == "ack"
    await older.close()
    await newer.close()
    await sync_to_async(assert_log_folds)(sitting.match)


async def test_entropy_of_the_first_device_starts_the_game_after_a_second_took_the_seat() -> None:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    laptop, phone = (Client(sitting.public_id, sitting.guest) for _ in range(2))
    await laptop.join()
    digest = hashlib.sha256(ENTROPY).hexdigest()
    assert (await laptop.command("entropy_hash", hash=digest))["t"] == "ack"
    await phone.join()
    await laptop.news("held")
    assert (await laptop.command("entropy", entropy=ENTROPY.hex()))["t"] == "ack"
    assert (await laptop.command("resign_match"))["code"] == "passive"
    await phone.until(lambda frame: frame["t"] == "event" and frame["view"]["phase"] != "seating")
    await laptop.close()
    await phone.close()


async def test_tab_that_missed_the_takeover_is_passive_at_its_next_command(
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


async def test_holder_whose_seat_was_emptied_takes_it_back_with_the_next_command() -> None:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    tab = Client(sitting.public_id, sitting.guest)
    await tab.join()
    await Seat.objects.filter(match=sitting.match, side="white").aupdate(holder=None)
    assert (await tab.command("entropy_hash", hash="0" * 64))["t"] == "ack"
    seat = await Seat.objects.aget(match=sitting.match, side="white")
    assert seat.holder is not None
    await tab.close()
    await seat.arefresh_from_db()
    assert seat.holder is None


async def test_holder_whose_seat_could_not_be_taken_again_goes_on_with_its_old_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    tab = Client(sitting.public_id, sitting.guest)
    await tab.join()

    def fail(*given: Any, **named: Any) -> None:
        raise OperationalError

    with monkeypatch.context() as patched:
        patched.setattr(seats, "take", fail)
        await tab.send(t="take_seat")
        assert (await tab.news("error"))["code"] == "internal"
    assert (await tab.command("entropy_hash", hash="0" * 64))["t"] == "ack"
    await tab.close()


async def test_late_command_of_a_lost_connection_does_not_take_the_seat_from_the_next_one() -> None:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    lost, back = (Client(sitting.public_id, sitting.guest) for _ in range(2))
    token = (await lost.join())["you"]["token"]
    await back.join(token=token)
    assert (await lost.command("entropy_hash", hash="0" * 64))["code"] == "passive"
    assert (await back.command("entropy_hash", hash="0" * 64))["t"] == "ack"
    await lost.close()
    await back.close()


async def test_seat_stays_held_when_a_tab_that_missed_the_takeover_closes(
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


async def test_client_reclaims_its_seat_with_its_token() -> None:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    before = Client(sitting.public_id, sitting.guest)
    token = (await before.join())["you"]["token"]
    back = Client(sitting.public_id, sitting.guest)  # the old connection is still open
    you = (await back.join(token=token))["you"]
    assert you["holder"]
    assert you["token"] != token
    assert (await before.news("held")) == {"t": "held"}
    await before.close()
    assert (await back.command("entropy_hash", hash="0" * 64))["t"] == "ack"
    await back.close()


async def test_client_without_its_newest_token_reclaims_its_seat_with_an_older_one() -> None:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    tabs = [Client(sitting.public_id, sitting.guest) for _ in range(3)]
    token = (await tabs[0].join())["you"]["token"]
    await tabs[1].join(token=token)  # as if the connection broke before the answer arrived
    assert (await tabs[2].join(token=token))["you"]["holder"]
    for tab in tabs:
        await tab.close()


async def test_client_with_an_outdated_token_is_passive_until_take_seat() -> None:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    old = Client(sitting.public_id, sitting.guest)
    token = (await old.join())["you"]["token"]
    await old.close()
    elsewhere = Client(sitting.public_id, sitting.guest)
    await elsewhere.join()
    back = await Client(sitting.public_id, sitting.guest).open()
    await back.send(t="join", v=1, since=-1, hold=True, token=token)
    assert (await back.receive()) == {"t": "held"}
    you = (await back.news("state"))["you"]
    assert you == {"side": "white", "holder": False, "token": None}
    assert (await elsewhere.command("entropy_hash", hash="0" * 64))["t"] == "ack"
    await back.send(t="take_seat")
    assert (await back.news("state"))["you"]["holder"]
    assert (await elsewhere.news("held")) == {"t": "held"}
    await back.close()
    await elsewhere.close()


async def test_free_seat_is_taken_with_any_token() -> None:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    old, other = (Client(sitting.public_id, sitting.guest) for _ in range(2))
    token = (await old.join())["you"]["token"]
    await other.join()
    await old.close()
    await other.close()
    back = Client(sitting.public_id, sitting.guest)
    assert (await back.join(token=token))["you"]["holder"]
    await back.close()


async def test_a_lost_connection_whose_player_is_back_leaves_without_a_transaction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broadcast, "holder_changed", lambda *_: None)  # the first tab hears nothing
    sitting, lost, back = await two_tabs()
    left: list[Any] = []
    monkeypatch.setattr(seats, "leave", lambda *given: left.append(given))
    await lost.close()
    assert left == []
    await back.close()
    assert [given[0] for given in left] == [sitting.public_id]
