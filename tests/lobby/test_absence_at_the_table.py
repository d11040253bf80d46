"""Who is there and who is not, as the two players of a match for credits are told."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import jsonschema
import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.engine.sides import Side
from games.live import open_tables
from games.live.lag import MAX_MS
from games.live.open_tables import OPEN_TABLES
from games.models import Seat
from games.models.actor import Actor
from games.models.kind import STAKE
from games.protocol.snapshots import state_frame
from games.services import seats as seat_services
from tests.games.table_client import Client, MemberClient, signed_in
from tests.lobby.factories import StakeSitting, player, total_of

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

SCHEMA = json.loads((Path(__file__).parents[2] / "games/protocol.schema.json").read_text())
SERVER_FRAMES = jsonschema.Draft202012Validator(
    {"$ref": "#/$defs/server", "$defs": SCHEMA["$defs"]}
)


@sync_to_async
def new_sitting(**fields: Any) -> StakeSitting:
    return StakeSitting(player("white5"), player("black5"), **fields)


async def at_the_table(sitting: StakeSitting, side: Side) -> MemberClient:
    client = await signed_in(sitting.public_id, sitting.users[side])
    await client.join()
    return client


async def seat_of(sitting: StakeSitting, side: Side) -> Seat:
    return await Seat.objects.aget(match=sitting.match, side=side.value)


async def away(sitting: StakeSitting, side: Side, ms: int) -> None:
    """Let the side have been away for so long already."""
    moment = timezone.now() - timedelta(milliseconds=ms)
    seats = Seat.objects.filter(match=sitting.match, side=side.value)
    await seats.aupdate(absence_at=moment)


async def silent(client: Client, seconds: float, now: float | None = None) -> None:
    """Let the connection have been silent for so long at the moment, by default already."""
    since = (open_tables.time.monotonic() if now is None else now) - seconds
    holder = client.newest["you"]["token"]
    for table in list(OPEN_TABLES._tables):
        seat = getattr(table, "seat", None)
        if seat is not None and str(seat.holder) == holder:
            seat.heard_at = since
    moment = timezone.now() - timedelta(seconds=seconds)
    await Seat.objects.filter(holder=holder).aupdate(seen_at=moment)


async def test_the_state_says_who_is_there_and_what_is_at_stake() -> None:
    sitting = await new_sitting(stake=150)
    white = await signed_in(sitting.public_id, sitting.users[Side.WHITE])
    frame = await white.join()
    SERVER_FRAMES.validate(frame)
    assert frame["match"]["stake"] == {"stake": 150, "rake": 15, "payout": 285}
    assert not frame["presence"]["white"]["is_absent"]
    assert 0 < frame["presence"]["white"]["left_ms"] <= STAKE.absence_budget_ms
    assert frame["presence"]["black"]["is_absent"]
    assert frame["rematch"] is None
    await white.close()


async def test_no_pause_is_offered_where_none_is_allowed() -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    await sync_to_async(sitting.sit)(Side.BLACK)
    holder = UUID(white.newest["you"]["token"])
    sitting.actors[Side.WHITE] = Actor(user_id=sitting.users[Side.WHITE].pk, holder=holder)
    await sync_to_async(sitting.shake)()
    event = await white.until(lambda frame: frame["t"] == "event" and frame["may"] is not None)
    assert not event["may"]["pause"]
    state = await sync_to_async(state_frame)(sitting.public_id, Side.WHITE, -1, timezone.now())
    assert state["view"]["clock"]["running"]
    assert not state["may"]["pause"]
    await white.close()


async def test_both_hear_when_one_comes_and_goes() -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    black = await at_the_table(sitting, Side.BLACK)
    came = await white.until(lambda frame: is_there(frame, "black"))
    SERVER_FRAMES.validate(came)
    await black.close()
    gone = await white.until(
        lambda frame: frame["t"] == "presence" and not is_there(frame, "black")
    )
    assert gone["presence"]["black"]["left_ms"] <= STAKE.absence_budget_ms
    await white.close()


def is_there(frame: dict[str, Any], side: str) -> bool:
    return frame["t"] == "presence" and not frame["presence"][side]["is_absent"]


async def test_a_spent_absence_is_claimed_over_the_socket_and_not_before() -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    black = await at_the_table(sitting, Side.BLACK)
    await sync_to_async(shake_both)(sitting, white, black)
    await black.close()
    await white.send(t="sync", since=-1)
    await white.news("state")
    assert (await white.command("claim"))["code"] == "not_absent"
    await away(sitting, Side.BLACK, STAKE.absence_budget_ms)
    assert (await white.command("claim"))["t"] == "ack"
    assert white.newest["view"]["outcome"] == {"winner": "white", "cause": "claim"}
    assert await sync_to_async(total_of)(sitting.users[Side.WHITE]) == 1090
    await white.close()


def shake_both(sitting: StakeSitting, *clients: MemberClient) -> None:
    """Both add to the dice, each through the seat that his page holds."""
    for side, client in zip(Side, clients, strict=True):
        actor = sitting.actors[side]
        holder = Seat.objects.get(match=sitting.match, side=side.value).holder
        sitting.actors[side] = type(actor)(user_id=actor.user_id, holder=holder)
        assert str(holder) == client.newest["you"]["token"]
    sitting.now = timezone.now()
    sitting.shake()


async def test_a_process_notes_which_holders_it_hears_of(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    black = await at_the_table(sitting, Side.BLACK)
    now = open_tables.time.monotonic()
    await silent(white, 16, now)
    await silent(black, 14, now)
    before = {side: (await seat_of(sitting, side)).seen_at for side in Side}
    monkeypatch.setattr(OPEN_TABLES, "_noted_at", now - 10)
    await OPEN_TABLES.note_life(now)
    after = {side: (await seat_of(sitting, side)).seen_at for side in Side}
    assert after[Side.WHITE] == before[Side.WHITE]
    assert after[Side.BLACK] > before[Side.BLACK]
    await white.close()
    await black.close()


async def test_it_notes_them_every_ten_seconds_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[Any] = []
    monkeypatch.setattr(seat_services, "mark_seen", lambda holders, now: noted.append(holders))
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    now = open_tables.time.monotonic()
    monkeypatch.setattr(OPEN_TABLES, "_noted_at", now - 8)
    await OPEN_TABLES.note_life(now)
    assert not noted
    await OPEN_TABLES.note_life(now + 1)
    await OPEN_TABLES.note_life(now + 2)
    assert len(noted) == 1
    await white.close()


async def test_who_was_silent_is_absent_and_back_with_his_next_word() -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    await silent(white, 21)
    await sync_to_async(seat_services.empty_silent_seats)(timezone.now())
    await white.until(lambda frame: frame["t"] == "presence" and not is_there(frame, "white"))
    assert (await seat_of(sitting, Side.WHITE)).is_absent
    await white.send(t="ping", seq=white.seq)
    await white.until(lambda frame: is_there(frame, "white"))
    assert (await white.command("entropy_hash", hash="0" * 64))["t"] == "ack"
    await white.close()


async def test_who_was_wrongly_thought_silent_is_back_at_once() -> None:
    """The process was too slow to note him: his connection speaks for him."""
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    await Seat.objects.aupdate(seen_at=timezone.now() - timedelta(seconds=21))
    await sync_to_async(seat_services.empty_silent_seats)(timezone.now())
    await white.until(lambda frame: frame["t"] == "presence" and not is_there(frame, "white"))
    await white.until(lambda frame: is_there(frame, "white"))
    assert not (await seat_of(sitting, Side.WHITE)).is_absent
    await white.close()


async def test_who_was_silent_while_another_device_took_over_only_watches() -> None:
    sitting = await new_sitting()
    phone = await at_the_table(sitting, Side.WHITE)
    await silent(phone, 21)
    await sync_to_async(seat_services.empty_silent_seats)(timezone.now())
    laptop = await at_the_table(sitting, Side.WHITE)
    await phone.send(t="ping", seq=phone.seq)
    await phone.until(lambda frame: frame["t"] == "held")
    assert (await laptop.command("entropy_hash", hash="0" * 64))["t"] == "ack"
    assert (await phone.command("entropy_hash", hash="0" * 64))["code"] == "passive"
    await phone.close()
    await laptop.close()


async def test_one_seat_that_cannot_be_emptied_costs_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting = await new_sitting()
    both = [await at_the_table(sitting, side) for side in Side]
    await Seat.objects.aupdate(seen_at=timezone.now() - timedelta(seconds=21))
    tried: list[Any] = []

    def fails(*arguments: Any) -> None:
        tried.append(arguments)
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(seat_services, "leave", fails)
    await sync_to_async(seat_services.empty_silent_seats)(timezone.now())
    assert len(tried) == 2
    monkeypatch.undo()
    for client in both:
        await client.close()


async def test_the_line_of_who_plays_for_credits_is_measured() -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    asked = await white.news("lag")
    SERVER_FRAMES.validate(asked)
    await white.send(t="lag", n=asked["n"])
    await white.send(t="ping", seq=white.seq)
    again = await white.news("lag")
    assert again["n"] != asked["n"]
    [table] = [table for table in OPEN_TABLES._tables if table.public_id == sitting.public_id]
    assert table.seat.lag._heard_at is not None
    assert 0 <= table.seat.lag.mean_ms(table.seat.lag._heard_at) <= MAX_MS
    await white.close()


async def test_a_tab_that_only_watches_is_not_asked() -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    second = await signed_in(sitting.public_id, sitting.users[Side.WHITE])
    await second.join(hold=False)
    await second.send(t="ping", seq=second.seq)
    await second.news("pong")
    await second.send(t="sync", since=-1)
    assert (await second.receive())["t"] in ("state", "presence")
    await white.close()
    await second.close()
