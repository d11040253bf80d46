"""The table's socket: joining, commands, seat takeover, lost events, each receiver's frames."""

import asyncio
import logging
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer

from accounts.shared import database_threads
from accounts.shared.channels import messages_lost
from accounts.shared.database_threads import Stage, Turnstile
from games import broadcast, consumers
from games.broadcast import match_group
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.live import open_tables, seat
from games.live.open_tables import OPEN_TABLES
from games.live.shared_reads import PROGRESS
from games.protocol import snapshots
from tests.games.factories import Sitting, assert_log_folds
from tests.games.frames import SERVER_FRAMES
from tests.games.table_client import Client
from tests.support.patience import PATIENCE_S
from tests.support.steady import LATER_S

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True), pytest.mark.both]


@sync_to_async
def new_sitting(**rules: Any) -> Sitting:
    return Sitting(Rules.of("short", **{"length": 3, **rules}))


@sync_to_async
def on_the_guests_turn(sitting: Sitting) -> Sitting:
    """Bring the match to the guest's turn, without the socket."""
    while sitting.state.turn is not Side.WHITE:
        sitting.act_simply()
    return sitting


async def seated(sitting: Sitting) -> Client:
    client = Client(sitting.public_id, sitting.guest)
    await client.join()
    await client.start_game()
    return client


async def assert_folds(sitting: Sitting) -> None:
    await sync_to_async(assert_log_folds)(sitting.match)


async def test_join_answers_with_the_whole_state() -> None:
    sitting = await new_sitting()
    client = Client(sitting.public_id, sitting.guest)
    frame = await client.join()
    SERVER_FRAMES.validate(frame)
    assert frame["you"].pop("token")
    assert frame["you"] == {"side": "white", "holder": True}
    assert frame["view"]["phase"] == "seating"
    assert frame["match"]["seats"]["black"] == {"kind": "bot", "name": "", "level": "casual"}
    await client.close()


async def test_joining_and_leaving_wait_at_the_turnstile_even_if_the_connection_is_canceled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turnstile = Turnstile(most=1)
    for module in (consumers, seat, database_threads):
        monkeypatch.setattr(module, "TURNSTILE", turnstile)
    sitting = await new_sitting()
    client = await Client(sitting.public_id, sitting.guest).open()
    async with turnstile.turn(Stage.JOIN):
        await client.send(t="join", v=1, since=-1, hold=True)
        assert await client.socket.receive_nothing()
    await client.until(lambda frame: frame["t"] == "state")
    holder = sync_to_async(lambda: sitting.match.seats.get(side="white").holder)
    async with turnstile.turn(Stage.JOIN):
        await client.socket.send_input({"type": "websocket.disconnect", "code": 1006})
        async with asyncio.timeout(PATIENCE_S):
            while not seat._LEAVING:
                await asyncio.sleep(0.01)
        client.socket.future.cancel()  # as Daphne does after ten seconds
        await asyncio.sleep(0)
        assert await holder() is not None
    async with asyncio.timeout(PATIENCE_S):
        while await holder() is not None:
            await asyncio.sleep(0.01)


async def test_entropy_starts_the_first_game() -> None:
    sitting = await new_sitting()
    client = await seated(sitting)
    assert client.newest["view"]["game"] == 1
    assert client.newest["view"]["opening"]
    SERVER_FRAMES.validate(client.newest)
    await client.close()
    await assert_folds(sitting)


async def test_only_the_side_on_turn_gets_legal_plays() -> None:
    sitting = await new_sitting()
    client = await seated(sitting)
    await sync_to_async(lambda: sitting.sit())()
    rolled: set[str] = set()  # sides whose roll the client has seen
    while rolled != {"white", "black"}:
        view, plays = client.newest["view"], client.newest["plays"]
        is_rolled = view["phase"] == "to_play"
        assert (plays is not None) == (is_rolled and view["turn"] == "white")
        if is_rolled:
            rolled.add(view["turn"])
        await sync_to_async(sitting.act_simply)()
        seq = await sync_to_async(lambda: sitting.seq)()
        while client.seq < seq:
            await client.receive()
    await client.close()


async def test_socket_of_a_stranger_is_closed_with_not_found() -> None:
    sitting = await new_sitting()
    stranger = await Client(sitting.public_id, uuid4()).open()
    assert await stranger.close_code() == 4004
    await stranger.close()


async def test_socket_of_an_unknown_match_is_closed_with_not_found() -> None:
    visitor = await Client("nosuchmatch1", None).open()
    assert await visitor.close_code() == 4004
    await visitor.close()


async def test_frames_are_refused_before_joining() -> None:
    sitting = await new_sitting()
    client = await Client(sitting.public_id, sitting.guest).open()
    await client.send(t="ping", seq=0)
    assert (await client.receive())["code"] == "forbidden"
    await client.close()


async def test_join_with_another_protocol_version_is_refused_with_reload() -> None:
    sitting = await new_sitting()
    client = await Client(sitting.public_id, sitting.guest).open()
    await client.send(t="join", v=2, since=-1, hold=True)
    assert (await client.receive())["code"] == "reload"
    await client.close()


async def test_second_tab_takes_the_seat_and_first_becomes_passive() -> None:
    sitting = await new_sitting()
    first = await seated(sitting)
    second = Client(sitting.public_id, sitting.guest)
    await second.join()
    assert (await first.until(lambda frame: frame["t"] == "held")) == {"t": "held"}
    assert (await first.command("resign_match"))["code"] == "passive"
    await first.send(t="take_seat")
    state = await first.until(lambda frame: frame["t"] == "state")
    assert state["you"]["holder"]
    assert (await second.until(lambda frame: frame["t"] == "held")) == {"t": "held"}
    assert (await first.command("resign_match"))["t"] == "ack"
    await first.close()
    await second.close()
    await assert_folds(sitting)


async def test_join_without_hold_takes_no_seat() -> None:
    sitting = await new_sitting()
    first = await seated(sitting)
    second = Client(sitting.public_id, sitting.guest)
    state = await second.join(hold=False)
    assert not state["you"]["holder"]
    assert (await first.command("resign_match"))["t"] == "ack"
    await first.close()
    await second.close()


async def test_rejoin_sends_the_missed_actions() -> None:
    sitting = await new_sitting()
    client = await seated(sitting)
    await client.close()
    back = Client(sitting.public_id, sitting.guest)
    frame = await back.join(since=1)
    assert [action["kind"] for action in frame["actions"]][:3] == [
        "entropy_hash",
        "entropy",
        "start",
    ]
    assert len(frame["actions"]) == frame["seq"] - 1
    await back.close()


async def test_state_is_sent_at_the_next_event_after_a_lost_one() -> None:
    sitting = await new_sitting()
    client = await seated(sitting)
    await sync_to_async(lambda: sitting.sit())()
    await call_without_messages(sitting.act_simply)
    await sync_to_async(sitting.do)("resign_match")
    state = await client.until(lambda frame: frame["t"] == "state")
    assert state["seq"] == await sync_to_async(lambda: sitting.seq)()
    assert state["view"]["phase"] == "finished"
    await client.close()


async def test_state_is_sent_at_the_ping_after_a_lost_last_event() -> None:
    sitting = await new_sitting()
    client = await seated(sitting)
    await sync_to_async(lambda: sitting.sit())()
    await call_without_messages(lambda: sitting.do("resign_match"))
    await client.send(t="ping", seq=client.seq)
    pong = await client.until(lambda frame: frame["t"] == "pong")
    assert pong["seq"] > client.seq
    state = await client.until(lambda frame: frame["t"] == "state")
    assert state["view"]["phase"] == "finished"
    await client.close()


async def test_no_state_is_sent_at_a_ping_that_overtakes_an_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(open_tables, "DELIVERED_WITHIN_S", LATER_S)
    sitting = await new_sitting()
    client = await seated(sitting)
    await sync_to_async(lambda: sitting.sit())()
    held: list[Any] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(broadcast, "send", lambda *message: held.append(message))
        await sync_to_async(lambda: sitting.do("resign_match"))()
    await client.send(t="ping", seq=client.seq)
    pong = await client.until(lambda frame: frame["t"] == "pong")
    assert pong["seq"] > client.seq
    for message in held:
        await sync_to_async(broadcast.send)(*message)
    while client.seq < pong["seq"]:
        assert (await client.receive())["t"] != "state"
    await end_waiting(sitting)
    await client.send(t="sync", since=client.seq)
    answer = await client.until(lambda frame: frame["t"] in ("state", "current"))
    assert answer["t"] == "current"
    await client.close()


async def test_a_pong_is_not_older_than_the_state_sent_during_its_query() -> None:
    sitting = await new_sitting()
    client = await seated(sitting)
    await sync_to_async(lambda: sitting.sit())()

    async def read_then_send_a_newer_state(public_id: str) -> snapshots.Progress:
        here = await PROGRESS.read(public_id)
        await call_without_messages(lambda: sitting.do("resign_match"))
        await OPEN_TABLES.check()
        return here

    with pytest.MonkeyPatch.context() as patched:
        slow = SimpleNamespace(read=read_then_send_a_newer_state)
        patched.setattr(consumers, "PROGRESS", slow)
        await client.send(t="ping", seq=client.seq)
        state = await client.until(lambda frame: frame["t"] == "state")
        pong = await client.until(lambda frame: frame["t"] == "pong")
    assert pong["seq"] == state["seq"]
    await client.close()


async def test_two_pings_after_a_lost_event_bring_one_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(open_tables, "DELIVERED_WITHIN_S", LATER_S)
    sitting = await new_sitting()
    client = await seated(sitting)
    await sync_to_async(lambda: sitting.sit())()
    await call_without_messages(lambda: sitting.do("resign_match"))
    for _ in range(2):
        await client.send(t="ping", seq=client.seq)
        await client.until(lambda frame: frame["t"] == "pong")
    await end_waiting(sitting)
    await client.until(lambda frame: frame["t"] == "state")
    await client.send(t="sync", since=client.seq)
    answer = await client.until(lambda frame: frame["t"] in ("state", "current"))
    assert answer["t"] == "current"
    await client.close()


async def end_waiting(sitting: Sitting) -> None:
    """End the wait for the message of an action that a ping has found in the database."""
    [table] = [each for each in OPEN_TABLES._expected if each.public_id == sitting.public_id]
    OPEN_TABLES._end_waiting(table)
    await asyncio.gather(*OPEN_TABLES._catching_up)


async def test_check_of_open_tables_sends_the_state_after_a_lost_last_event() -> None:
    sitting = await new_sitting()
    client = await seated(sitting)
    await sync_to_async(lambda: sitting.sit())()
    await call_without_messages(lambda: sitting.do("resign_match"))
    await OPEN_TABLES.check()
    state = await client.until(lambda frame: frame["t"] == "state")
    assert state["view"]["phase"] == "finished"
    await client.close()


async def test_tables_are_checked_when_the_layer_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_tables, "CHECK_EVERY_S", 3600)
    sitting = await new_sitting()
    client = await seated(sitting)
    await sync_to_async(lambda: sitting.sit())()
    await call_without_messages(lambda: sitting.do("resign_match"))
    messages_lost.send(None)
    state = await client.until(lambda frame: frame["t"] == "state")
    assert state["view"]["phase"] == "finished"
    await client.close()


async def call_without_messages(act: Callable[[], Any]) -> None:
    """Call `act` while every group message is lost."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(broadcast, "send", lambda *message: None)
        await sync_to_async(act)()


async def test_answer_to_why_names_the_rule_against_a_move() -> None:
    sitting = await new_sitting()
    client = await seated(sitting)
    await on_the_guests_turn(sitting)
    await client.send(t="sync", since=-1)
    await client.until(lambda frame: frame["t"] == "state" and frame["view"]["turn"] == "white")
    if client.newest["view"]["phase"] == "to_roll":
        await client.command("roll")
    black = (await sync_to_async(lambda: sitting.state)()).position.black
    # In the first turn the guest has checkers on 24, which no roll brings to 1, and none on 2.
    reason = "not_your_checker" if black[23] else "point_empty"
    for source, expected in ((2, (reason, [2])), (24, ("wrong_die", []))):
        await client.send(t="why", d="", **{"from": source, "to": 1})
        answer = await client.until(lambda frame: frame["t"] in ("why", "error"))
        SERVER_FRAMES.validate(answer)
        assert (answer["reason"], answer["points"]) == expected
    await client.close()


async def test_twenty_unreadable_frames_close_the_connection() -> None:
    sitting = await new_sitting()
    client = await Client(sitting.public_id, sitting.guest).open()
    for _ in range(20):
        await client.send(t="nonsense")
        assert (await client.receive())["code"] == "unknown_type"
    assert await client.close_code() == 4009


async def test_command_repeated_after_reconnecting_is_done_once() -> None:
    sitting = await new_sitting()
    client = await seated(sitting)
    id = str(uuid4())
    await client.send(t="resign_match", id=id, seq=client.seq)
    answer = await client.until(lambda frame: frame.get("id") == id)
    await client.close()
    back = Client(sitting.public_id, sitting.guest)
    await back.join()
    await back.send(t="resign_match", id=id, seq=back.seq)
    again = await back.until(lambda frame: frame.get("id") == id)
    assert again == answer
    await back.close()
    await assert_folds(sitting)


async def test_internal_failure_closes_one_connection_without_details(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sitting = await new_sitting()
    client = await seated(sitting)

    def broken(*args: Any) -> None:
        raise RuntimeError("a fault of ours")

    with monkeypatch.context() as patched, caplog.at_level(logging.CRITICAL):
        patched.setattr("games.protocol.snapshots.progress", broken)
        await client.send(t="ping", seq=client.seq)
        answer = await client.until(lambda frame: frame["t"] == "error")
        assert answer == {"t": "error", "id": None, "code": "internal"}
        patched.setattr("games.protocol.snapshots.state_frame", broken)
        group = match_group(sitting.public_id)
        await get_channel_layer().group_send(group, {"type": "match.event", "event": {"seq": 99}})
        assert await client.close_code() == 4011


async def test_state_is_never_older_than_the_frame_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The state is read again before it is sent if an event has overtaken the first reading."""
    sitting = await new_sitting(delay_ms=30_000)
    client = await seated(sitting)
    table = next(table for table in OPEN_TABLES._tables if table.public_id == sitting.public_id)
    read, readings = snapshots.state_frame, []

    def read_late(*args: Any) -> dict[str, Any]:
        frame = read(*args)
        readings.append(frame["seq"])
        if len(readings) == 1:
            table.seq = frame["seq"] + 1  # as if an event had overtaken the state
            sitting.do("pause")
        return frame

    await sync_to_async(lambda: sitting.sit())()
    monkeypatch.setattr(snapshots, "state_frame", read_late)
    await table.send_state(client.seq)
    frame = await client.until(lambda frame: frame["t"] == "state")
    assert frame["seq"] == readings[-1] > readings[0]
    await client.close()


async def test_ids_in_upper_case_are_repeated_as_sent() -> None:
    client = await seated(await new_sitting())
    id = str(uuid4()).upper()
    for answer in ("ack", "ack", "error"):
        seq = client.seq if answer == "ack" else 10_000
        id = id if answer == "ack" else str(uuid4()).upper()
        await client.send(t="resign_match", id=id, seq=seq)
        frame = await client.news(answer)
        SERVER_FRAMES.validate(frame)
        assert frame["id"] == id
    await client.close()


async def test_premove_is_answered_and_sent_to_the_players_other_page_and_then_done() -> None:
    sitting = await new_sitting(length=5)
    client = await seated(sitting)
    game = client.newest["view"]["game"]
    other = Client(sitting.public_id, sitting.guest)
    await other.join(hold=False)
    wanted = {"roll": True, "cube": "take"}
    id = str(uuid4())
    await client.send(t="premove", id=id, game=game, **wanted)
    answer = await client.until(lambda frame: frame.get("id") == id)
    SERVER_FRAMES.validate(answer)
    assert answer == {"t": "premove", "id": id, "premove": wanted}
    assert (await other.news("premove"))["premove"] == wanted
    await other.send(t="premove", id=id, game=game, **wanted)
    refusal = await other.until(lambda frame: frame.get("id") == id)
    assert (refusal["t"], refusal["code"]) == ("error", "passive")
    await on_the_guests_turn(sitting)
    assert await sync_to_async(lambda: sitting.state.phase)() is Phase.TO_PLAY
    await assert_folds(sitting)
    await client.close()
    await other.close()
