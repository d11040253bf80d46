"""Presence and absence of the two players of a match for credits, over the socket."""

import asyncio
from datetime import timedelta
from typing import Any
from unittest.mock import MagicMock
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError
from django.utils import timezone

from accounts.shared.channels import messages_lost
from accounts.shared.database_clock import CLOCK
from games import broadcast
from games.engine.sides import Side
from games.live import audience, open_tables
from games.live.lag import MAX_MS
from games.live.open_tables import OPEN_TABLES, OpenTables
from games.models import Seat
from games.models.actor import Actor
from games.models.kind import STAKE
from games.protocol.snapshots import state_frame
from games.services import seats as seat_services
from tests.games.factories import StakeSitting
from tests.games.frames import SERVER_FRAMES
from tests.games.table_client import Client, MemberClient, signed_in
from tests.support.patience import PATIENCE_S
from tests.wallet.factories import player, total_of

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


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
    """Set the start of the side's absence to `ms` ago, by the clock used for claims."""
    moment = CLOCK.now() - timedelta(milliseconds=ms)
    seats = Seat.objects.filter(match=sitting.match, side=side.value)
    await seats.aupdate(absence_at=moment)


async def silent(client: Client, seconds: float, now: float | None = None) -> None:
    """Pretend that the client's last frame came `seconds` before `now`, by default the present."""
    since = (open_tables.time.monotonic() if now is None else now) - seconds
    holder = client.newest["you"]["token"]
    for table in list(OPEN_TABLES._tables):
        seat = getattr(table, "seat", None)
        if seat is not None and str(seat.holder) == holder:
            seat.heard_at = since
    moment = timezone.now() - timedelta(seconds=seconds)
    await Seat.objects.filter(holder=holder).aupdate(seen_at=moment)


async def test_state_frame_has_presence_and_stake() -> None:
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


async def test_clock_cannot_be_paused_in_a_match_for_credits() -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    await sync_to_async(sitting.sit)(Side.BLACK)
    holder = UUID(white.newest["you"]["token"])
    sitting.actors[Side.WHITE] = Actor(user_id=sitting.users[Side.WHITE].pk, holder=holder)
    await sync_to_async(sitting.start_game)()
    event = await white.until(lambda frame: frame["t"] == "event" and frame["may"] is not None)
    assert not event["may"]["pause"]
    state = await sync_to_async(state_frame)(sitting.public_id, Side.WHITE, -1, timezone.now())
    assert state["view"]["clock"]["running"]
    assert not state["may"]["pause"]
    await white.close()


async def test_presence_frame_is_sent_when_a_player_comes_or_goes() -> None:
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


async def test_seat_that_changes_between_tabs_sends_no_presence() -> None:
    """Each presence message makes every socket query the database; many would slow the opponent."""
    sitting = await new_sitting()
    black = await at_the_table(sitting, Side.BLACK)
    white = await at_the_table(sitting, Side.WHITE)
    await black.until(lambda frame: is_there(frame, "white"))
    tabs = [await at_the_table(sitting, Side.WHITE) for _ in range(3)]
    for tab in tabs:
        await tab.send(t="take_seat")
        await tab.news("state")
    for tab in (white, *tabs):
        await tab.close()
    seen = []
    while not seen or is_there(seen[-1], "white"):
        seen.append(await black.news("presence"))
    # The last frame says that White has left. One more may say that White is there: the frame about
    # Black's arrival is read from the database when it is sent, and may already show White.
    assert len(seen) <= 2
    await black.close()


async def test_lost_news_that_a_player_has_left_comes_once_with_the_next_check() -> None:
    sitting, white, black = await both_at_the_table()
    visitor = Client(sitting.public_id, None)
    await visitor.join()
    await leave_unheard(sitting, black)
    await OPEN_TABLES.check_with_news()
    for client in (white, visitor):
        gone = await client.until(
            lambda frame: frame["t"] == "presence" and not is_there(frame, "black")
        )
        SERVER_FRAMES.validate(gone)
    await OPEN_TABLES.check_with_news()
    black = await at_the_table(sitting, Side.BLACK)
    for client in (white, visitor):
        assert is_there(await client.news("presence"), "black")
    for client in (white, black, visitor):
        await client.close()


async def test_state_of_a_newcomer_brings_lost_news_to_the_other_spectators(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(audience, "STATE_AGE_S", 0)
    sitting, white, black = await both_at_the_table()
    visitor, newcomer = (Client(sitting.public_id, None) for _ in range(2))
    await visitor.join()
    await leave_unheard(sitting, black)
    await newcomer.join()
    await visitor.until(lambda frame: frame["t"] == "presence" and not is_there(frame, "black"))
    for client in (white, visitor, newcomer):
        await client.close()


async def test_news_are_checked_when_the_layer_is_back() -> None:
    sitting, white, black = await both_at_the_table()
    await leave_unheard(sitting, black)
    messages_lost.send(None)
    await white.until(lambda frame: frame["t"] == "presence" and not is_there(frame, "black"))
    await white.close()


async def both_at_the_table() -> tuple[StakeSitting, Client, Client]:
    """Return a match and its players' pages, after White's has heard of Black."""
    sitting = await new_sitting()
    white, black = [await at_the_table(sitting, side) for side in Side]
    await white.until(lambda frame: is_there(frame, "black"))
    return sitting, white, black


async def leave_unheard(sitting: StakeSitting, client: Client) -> None:
    """Close a player's connection while every group message is lost."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(broadcast, "send", lambda *messages: None)
        await client.close()
        assert (await seat_of(sitting, Side(client.newest["you"]["side"]))).is_absent


def is_there(frame: dict[str, Any], side: str) -> bool:
    return frame["t"] == "presence" and not frame["presence"][side]["is_absent"]


async def test_claim_over_the_socket_needs_a_spent_absence_budget() -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    black = await at_the_table(sitting, Side.BLACK)
    await sync_to_async(start_game_of_both)(sitting, white, black)
    await black.close()
    await white.send(t="sync", since=-1)
    await white.news("state")
    assert (await white.command("claim"))["code"] == "not_absent"
    await away(sitting, Side.BLACK, STAKE.absence_budget_ms)
    assert (await white.command("claim"))["t"] == "ack"
    assert white.newest["view"]["outcome"] == {"winner": "white", "cause": "claim"}
    assert await sync_to_async(total_of)(sitting.users[Side.WHITE]) == 1090
    await white.close()


def start_game_of_both(sitting: StakeSitting, *clients: MemberClient) -> None:
    """Let both sides send their entropy with the seat tokens of their pages."""
    for side, client in zip(Side, clients, strict=True):
        actor = sitting.actors[side]
        holder = Seat.objects.get(match=sitting.match, side=side.value).holder
        sitting.actors[side] = type(actor)(user_id=actor.user_id, holder=holder)
        assert str(holder) == client.newest["you"]["token"]
    sitting.now = timezone.now()
    sitting.start_game()


async def test_process_stores_only_holders_heard_recently(monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_live_holders_are_stored_at_most_every_nine_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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


async def test_live_holders_are_stored_again_soon_after_a_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noted: list[Any] = []

    def fail_once(holders: Any, now: Any) -> None:
        noted.append(holders)
        if len(noted) == 1:
            raise OperationalError

    monkeypatch.setattr(seat_services, "mark_seen", fail_once)
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    now = open_tables.time.monotonic()
    monkeypatch.setattr(OPEN_TABLES, "_noted_at", now - 10)
    with pytest.raises(OperationalError):
        await OPEN_TABLES.note_life(now)
    await OPEN_TABLES.note_life(now + 5)
    assert len(noted) == 2
    await white.close()


class EndlessChecks(OpenTables):
    """Open tables whose check of actions never ends; `noted` is set when holders are stored."""

    def __init__(self) -> None:
        super().__init__()
        self.noted = asyncio.Event()

    async def check(self) -> None:
        await asyncio.Event().wait()

    async def check_chats(self) -> None:
        pass

    async def note_life(self, now: float) -> None:
        self.noted.set()


async def test_holders_are_stored_during_a_slow_check_and_again_after_all_tables_were_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(open_tables, "CHECK_EVERY_S", 0.01)
    tables, table = EndlessChecks(), MagicMock()
    for _ in range(2):
        tables.add(table)
        tables.noted.clear()
        async with asyncio.timeout(PATIENCE_S):
            await tables.noted.wait()
        tables.discard(table)
        async with asyncio.timeout(PATIENCE_S):
            await tables._tasks["_watch_holders"]
    tables._tasks["_watch"].cancel()


async def test_silent_player_is_absent_until_the_next_frame() -> None:
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


async def test_connected_player_marked_silent_is_back_at_once() -> None:
    # The connection is alive, but the process was too slow to store that.
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    await Seat.objects.aupdate(seen_at=timezone.now() - timedelta(seconds=21))
    await sync_to_async(seat_services.empty_silent_seats)(timezone.now())
    await white.until(lambda frame: frame["t"] == "presence" and not is_there(frame, "white"))
    await white.until(lambda frame: is_there(frame, "white"))
    assert not (await seat_of(sitting, Side.WHITE)).is_absent
    await white.close()


async def test_connected_player_marked_silent_is_back_with_the_next_check() -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    await white.until(lambda frame: is_there(frame, "white"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(broadcast, "send", lambda *messages: None)
        await Seat.objects.aupdate(seen_at=timezone.now() - timedelta(seconds=21))
        await sync_to_async(seat_services.empty_silent_seats)(timezone.now())
    assert (await seat_of(sitting, Side.WHITE)).is_absent
    await OPEN_TABLES.check_with_news()
    assert not (await seat_of(sitting, Side.WHITE)).is_absent
    await white.close()


async def test_silent_device_cannot_play_after_another_took_the_seat() -> None:
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


async def test_commands_of_a_passive_page_are_refused_while_its_player_is_absent() -> None:
    sitting = await new_sitting()
    black = await at_the_table(sitting, Side.BLACK)
    white = await signed_in(sitting.public_id, sitting.users[Side.WHITE])
    await white.join(hold=False)
    seq = white.seq
    for t in ("entropy_hash", "resign_match", "leave"):
        fields = {"hash": "0" * 64} if t == "entropy_hash" else {}
        assert (await white.command(t, **fields))["code"] == "passive"
    assert (await seat_of(sitting, Side.WHITE)).is_absent
    await white.send(t="take_seat")
    await white.until(lambda frame: frame["t"] == "state" and frame["you"]["holder"])
    assert white.seq == seq
    assert not (await seat_of(sitting, Side.WHITE)).is_absent
    assert (await white.command("entropy_hash", hash="0" * 64))["t"] == "ack"
    await white.close()
    await black.close()


async def test_fault_at_one_seat_does_not_stop_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting = await new_sitting()
    both = [await at_the_table(sitting, side) for side in Side]
    await Seat.objects.aupdate(seen_at=timezone.now() - timedelta(seconds=21))
    tried: list[Any] = []

    def fails(*arguments: Any) -> None:
        tried.append(arguments)
        raise RuntimeError("injected fault")

    monkeypatch.setattr(seat_services, "leave", fails)
    await sync_to_async(seat_services.empty_silent_seats)(timezone.now())
    assert len(tried) == 2
    monkeypatch.undo()
    for client in both:
        await client.close()


async def test_lag_of_a_player_is_measured_in_a_match_for_credits() -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    question = await white.news("lag")
    SERVER_FRAMES.validate(question)
    await white.send(t="lag", n=question["n"])
    await white.send(t="ping", seq=white.seq)
    again = await white.news("lag")
    assert again["n"] != question["n"]
    [table] = [table for table in OPEN_TABLES._tables if table.public_id == sitting.public_id]
    assert table.seat.lag._heard_at is not None
    assert 0 <= table.seat.lag.mean_ms(table.seat.lag._heard_at) <= MAX_MS
    await white.close()


async def test_lag_of_a_passive_tab_is_not_measured() -> None:
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


@pytest.mark.parametrize("off_s", [60, -60])
async def test_seat_taken_at_a_machine_with_a_wrong_clock_is_emptied_on_time(
    monkeypatch: pytest.MonkeyPatch, off_s: int
) -> None:
    """A `seen_at` by the machine's own clock would get the seat emptied too early or too late."""
    # The connection stays open: on hearing that its player is absent, it would take the seat back.
    monkeypatch.setattr(broadcast, "presence_changed", lambda public_id: None)
    sitting = await new_sitting()
    with monkeypatch.context() as patched:
        patched.setattr(CLOCK, "_ahead", timedelta(seconds=off_s))
        by_database = CLOCK.now()
        await at_the_table(sitting, Side.WHITE)
        seen_at = (await seat_of(sitting, Side.WHITE)).seen_at
    assert seen_at is not None
    assert by_database <= seen_at < by_database + timedelta(seconds=30)
    await sync_to_async(seat_services.empty_silent_seats)(seen_at + seat_services.SILENCE)
    assert (await seat_of(sitting, Side.WHITE)).holder is not None
    just_after = seen_at + seat_services.SILENCE + timedelta(milliseconds=1)
    await sync_to_async(seat_services.empty_silent_seats)(just_after)
    assert (await seat_of(sitting, Side.WHITE)).holder is None
