"""Spectators: they see only public data, change nothing, and delay no player."""

import asyncio
import json
import time
from collections.abc import Callable
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client as Browser

from accounts.broadcast import built
from games import broadcast
from games.engine.sides import Side
from games.live import audience as audiences
from games.live.audience import MAX_WAITING, Audience
from games.live.audiences import AUDIENCES, Audiences
from games.live.open_tables import OPEN_TABLES
from games.live.spectator_count import FORGET_S, SpectatorCount
from games.models import Action, Match, Seat
from games.protocol import snapshots
from games.protocol.incoming import COMMANDS
from tests.accounts.page_client import PageSocket
from tests.games.factories import StakeSitting
from tests.games.frames import SCHEMA, SERVER_FRAMES
from tests.games.table_client import PATIENCE_S, Client, MemberClient, signed_in
from tests.wallet.factories import player

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the intervals of an audience."""
    monkeypatch.setattr(audiences, "TICK_S", 0.03)
    monkeypatch.setattr(audiences, "NEWS_EVERY_S", 0.02)


@sync_to_async
def new_sitting(**fields: Any) -> StakeSitting:
    return StakeSitting(player("white5"), player("black5"), length=5, **fields)


@sync_to_async
def begun(sitting: StakeSitting) -> StakeSitting:
    return sitting.sit().start_game()


async def watching(sitting: StakeSitting) -> Client:
    client = Client(sitting.public_id, None)
    await client.join()
    return client


async def at_the_table(sitting: StakeSitting, side: Side) -> MemberClient:
    client = await signed_in(sitting.public_id, sitting.users[side])
    await client.join()
    return client


async def watched_by(client: Client, count: int) -> None:
    """Wait until the client has received this count of spectators."""
    if client.newest.get("watchers") != count:
        await client.until(lambda frame: frame.get("watchers", frame.get("count")) == count)


async def leave(*clients: Client) -> None:
    for client in clients:
        await client.close()


async def test_visitor_sees_a_public_match_without_private_data() -> None:
    sitting = await begun(await new_sitting())
    visitor = Client(sitting.public_id, None)
    frame = await visitor.join(since=1)
    SERVER_FRAMES.validate(frame)
    assert frame["you"] == {"side": None, "holder": False, "token": None}
    assert frame["plays"] is None
    assert frame["may"] is None
    assert frame["view"]["secret"] is None
    assert frame["match"]["stake"]["stake"] == 100
    await leave(visitor)


async def test_spectator_gets_every_event_without_legal_plays_and_permissions() -> None:
    sitting = await begun(await new_sitting())
    visitor = await watching(sitting)
    first = visitor.seq
    for _ in range(6):
        await sync_to_async(sitting.act_simply)()
    newest = await sync_to_async(lambda: sitting.seq)()
    seqs = []
    while visitor.seq < newest:
        frame = await visitor.receive()
        SERVER_FRAMES.validate(frame)
        if frame["t"] == "event":
            assert frame["plays"] is None
            assert frame["may"] is None
            seqs.append(frame["seq"])
    assert seqs == list(range(first + 1, newest + 1))
    await leave(visitor)


async def test_private_match_is_found_only_by_its_players() -> None:
    sitting = await new_sitting(is_public=False)
    stranger = await Client(sitting.public_id, None).open()
    assert await stranger.close_code() == 4004
    other = await signed_in(sitting.public_id, await sync_to_async(player)("other5"))
    await other.open()
    assert await other.close_code() == 4004
    mine = await at_the_table(sitting, Side.BLACK)
    assert mine.newest["you"]["side"] == "black"
    await leave(mine)


@sync_to_async
def record(sitting: StakeSitting) -> tuple[Any, ...]:
    """Return all that a spectator could change: rows of match and seats, number of actions."""
    return (
        list(Match.objects.filter(pk=sitting.match.pk).values()),
        list(Seat.objects.filter(match=sitting.match).order_by("pk").values()),
        Action.objects.count(),
    )


FIELDS = {
    "entropy_hash": {"hash": "0" * 64},
    "entropy": {"entropy": "00"},
    "play": {"d": "13/7 8/7"},
    "resign": {"factor": 1},
}


async def test_spectator_commands_are_refused_and_write_nothing() -> None:
    sitting = await begun(await new_sitting())
    before = await record(sitting)
    visitor = await watching(sitting)
    for kind in sorted(COMMANDS):
        answer = await visitor.command(kind, **FIELDS.get(kind, {}))
        assert (answer["t"], answer["code"]) == ("error", "not_seated"), kind
        SERVER_FRAMES.validate(answer)
    for frame in (
        {"t": "take_seat"},
        {"t": "why", "d": "", "from": 13, "to": None},
        {"t": "lag", "n": 5},
    ):
        await visitor.send(**frame)
        assert (await visitor.news("error"))["code"] == "not_seated"
    await visitor.send(t="ping", seq=visitor.seq)
    pong = await visitor.news("pong")
    assert pong["seq"] == visitor.seq
    await visitor.send(t="sync", since=-1)
    await visitor.news("state")
    await leave(visitor)
    assert await record(sitting) == before


async def test_frames_are_refused_before_joining() -> None:
    sitting = await new_sitting()
    visitor = await Client(sitting.public_id, None).open()
    await visitor.send(t="ping", seq=0)
    assert (await visitor.receive())["code"] == "forbidden"
    await leave(visitor)


async def test_everybody_gets_the_number_of_spectators() -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    first, second = await watching(sitting), await watching(sitting)
    for client in (white, first, second):
        await watched_by(client, 2)
    late = await at_the_table(sitting, Side.BLACK)
    await watched_by(late, 2)
    await second.close()
    await white.until(lambda frame: frame == {"t": "watchers", "count": 1})
    await first.until(lambda frame: frame == {"t": "watchers", "count": 1})
    await first.close()
    await white.until(lambda frame: frame == {"t": "watchers", "count": 0})
    await leave(white, late)


async def test_second_tab_of_a_player_is_not_a_spectator() -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    second = await signed_in(sitting.public_id, sitting.users[Side.WHITE])
    frame = await second.join(hold=False)
    assert frame["you"]["side"] == "white"
    assert sitting.public_id not in AUDIENCES._by_match
    await leave(white, second)


async def test_audience_opens_with_the_first_spectator_and_closes_after_the_last() -> None:
    sitting = await new_sitting()
    visitors = [await watching(sitting) for _ in range(3)]
    audience = AUDIENCES._by_match[sitting.public_id]
    assert len(audience.spectators) == 3
    assert audience in OPEN_TABLES._tables
    await leave(*visitors)
    assert sitting.public_id not in AUDIENCES._by_match
    assert audience not in OPEN_TABLES._tables
    await asyncio.wait(audience._tasks, timeout=60)
    assert all(task.done() for task in audience._tasks)


async def test_spectators_get_presence() -> None:
    sitting = await new_sitting()
    visitor = await watching(sitting)
    white = await at_the_table(sitting, Side.WHITE)
    frame = await visitor.news("presence")
    SERVER_FRAMES.validate(frame)
    assert not frame["presence"]["white"]["is_absent"]
    await leave(white, visitor)


async def test_check_of_open_tables_sends_spectators_the_state_after_a_lost_event() -> None:
    sitting = await begun(await new_sitting())
    visitor = await watching(sitting)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(broadcast, "send", lambda *messages: None)
        await sync_to_async(sitting.act_simply)()
    await OPEN_TABLES.check()
    await visitor.news("state")
    assert visitor.seq == await sync_to_async(lambda: sitting.seq)()
    await leave(visitor)


async def test_gap_in_the_events_of_a_spectator_is_filled_with_a_state() -> None:
    sitting = await begun(await new_sitting())
    visitor = await watching(sitting)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(broadcast, "send", lambda *messages: None)
        await sync_to_async(sitting.act_simply)()
    await sync_to_async(sitting.act_simply)()
    await visitor.news("state")
    assert visitor.seq == await sync_to_async(lambda: sitting.seq)()
    await leave(visitor)


async def test_players_get_events_before_spectators(monkeypatch: pytest.MonkeyPatch) -> None:
    groups: list[str] = []
    monkeypatch.setattr(
        broadcast, "send", lambda *messages: groups.extend(group for group, _ in built(messages))
    )
    sitting = await begun(await new_sitting())
    groups.clear()
    await sync_to_async(sitting.do)("resign_match")
    players = broadcast.match_group(sitting.public_id)
    watchers = broadcast.watch_group(sitting.public_id)
    # The two events for each group, then the rematch for both.
    assert groups == [players, players, watchers, watchers, players, watchers]


async def test_actions_of_a_private_match_are_not_sent_to_the_watch_group(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    groups: list[tuple[str, str]] = []
    monkeypatch.setattr(
        broadcast,
        "send",
        lambda *messages: groups.extend((group, each["type"]) for group, each in built(messages)),
    )
    sitting = await begun(await new_sitting(is_public=False))
    groups.clear()
    await sync_to_async(sitting.do)("resign_match")
    receivers = [group for group, kind in groups if kind != "match.rematch"]
    assert set(receivers) == {broadcast.match_group(sitting.public_id)}


class Listener:
    """A test double for a spectator, for example one of another process."""

    def __init__(self, public_id: str, seq: int = 0) -> None:
        self.public_id, self.seq = public_id, seq
        self.texts: list[str] = []

    async def pass_on(self, text: str) -> None:
        self.texts.append(text)

    async def pass_on_numbered(self, text: str, seq: int) -> None:
        self.seq = seq
        self.texts.append(text)

    def frames(self) -> list[Any]:
        return [json.loads(text) for text in self.texts]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.01)


async def test_spectators_of_all_processes_are_added_up() -> None:
    sitting = await new_sitting()
    white = await at_the_table(sitting, Side.WHITE)
    visitor = await watching(sitting)
    other_process = Audiences()
    strangers = [Listener(sitting.public_id) for _ in range(4)]
    for stranger in strangers:
        other_process.enter(stranger)
    await watched_by(white, 5)
    await watched_by(visitor, 5)
    await until(lambda: {"t": "watchers", "count": 5} in strangers[0].frames())
    for stranger in strangers:
        other_process.leave(stranger)
    await white.until(lambda frame: frame == {"t": "watchers", "count": 1})
    await leave(white, visitor)


async def test_count_of_a_dead_process_expires() -> None:
    count = SpectatorCount()
    count.record("here", 3, now=0)
    count.record("there", 4, now=10)
    assert count.changed(now=10) == 7
    assert count.changed(now=FORGET_S) is None
    assert count.changed(now=FORGET_S + 1) == 4
    count.record("there", 0, now=FORGET_S + 2)
    assert count.total(now=FORGET_S + 2) == 0


async def test_count_is_repeated_while_other_frames_are_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without repeats, other processes would forget the spectators of a match with many frames."""
    monkeypatch.setattr(audiences, "REPEAT_S", 0.2)
    reports: list[int] = []

    async def record(public_id: str, audience_id: str, count: int) -> None:
        reports.append(count)

    monkeypatch.setattr(broadcast, "watchers", record)
    audience, _ = await crowd(await begun(await new_sitting()), count=3)
    sending = asyncio.create_task(audience._send())
    async with asyncio.timeout(PATIENCE_S):
        while not reports:
            audience._wake.set()
            await asyncio.sleep(0.01)
    sending.cancel()
    assert reports[0] == 3


def event(seq: int) -> dict[str, Any]:
    return {"type": "watch.event", "frame": {"t": "event", "seq": seq}}


async def crowd(sitting: StakeSitting, count: int = 1) -> tuple[Audience, list[Listener]]:
    """Return an audience and its listeners; its loop does not run: tests call the steps."""
    audience = Audience(sitting.public_id)
    seq = await sync_to_async(lambda: sitting.seq)()
    audience.newest = audience.flushed = seq
    listeners = [Listener(sitting.public_id, seq) for _ in range(count)]
    audience.spectators.update(listeners)
    return audience, listeners


async def test_each_tick_sends_one_event() -> None:
    audience, [listener] = await crowd(await begun(await new_sitting()))
    first = audience.newest
    for number in (1, 2, 2, 3):
        audience._handle(event(first + number))
    for number in (1, 2, 3):
        await audience._send_next()
        assert [frame["seq"] for frame in listener.frames()] == list(
            range(first + 1, first + 1 + number)
        )
    await audience._send_next()
    assert len(listener.texts) == 3


async def test_too_many_waiting_events_are_replaced_by_one_state() -> None:
    sitting = await begun(await new_sitting())
    audience, [listener] = await crowd(sitting)
    first = audience.newest
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(broadcast, "send", lambda *messages: None)
        while await sync_to_async(lambda: sitting.seq)() <= first + MAX_WAITING:
            await sync_to_async(sitting.act_simply)()
    newest = await sync_to_async(lambda: sitting.seq)()
    for seq in range(first + 1, newest + 1):
        audience._handle(event(seq))
    await audience._send_next()
    [state] = listener.frames()
    assert (state["t"], state["seq"]) == ("state", newest)
    await audience._send_next()
    assert len(listener.texts) == 1


async def test_chat_messages_that_find_the_queue_full_come_with_the_next_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    audience, _ = await crowd(await new_sitting())
    sent: list[int] = []

    async def record(message: dict[str, Any]) -> None:
        sent.append(message["frame"]["id"])

    monkeypatch.setattr(audience, "_send_chat", record)
    ids = list(range(1, MAX_WAITING + 11))
    messages = [broadcast.said_message(None, {"t": "said", "id": id}) for id in ids]
    for message in messages:
        audience._handle(message)
    for _ in range(10):
        await audience._send_next()
    for message in messages:
        await audience.hear(message)
    for _ in range(MAX_WAITING + 1):
        await audience._send_next()
    assert sent == ids


async def test_state_is_read_again_if_the_reading_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    audience, [listener] = await crowd(await begun(await new_sitting()))
    audience._handle(event(audience.newest + 2))  # one event was lost
    with monkeypatch.context() as patched:
        patched.setattr(snapshots, "state_frame", None)
        with pytest.raises(TypeError):
            await audience._send_next()
    await audience._send_next()
    assert [frame["t"] for frame in listener.frames()] == ["state"]


async def test_match_time_is_known_while_the_state_is_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    audience, _ = await crowd(await begun(await new_sitting()))
    before = await audience.now_ms()
    is_reading, may_end, read = Event(), Event(), snapshots.state_frame

    def slow(*args: Any) -> dict[str, Any]:
        is_reading.set()
        may_end.wait(PATIENCE_S)
        return read(*args)

    monkeypatch.setattr(snapshots, "state_frame", slow)
    sending = asyncio.create_task(audience._send_state())
    await until(is_reading.is_set)
    assert await audience.now_ms() >= before
    may_end.set()
    await sending


async def test_frequent_news_delays_events_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audiences, "NEWS_EVERY_S", 3600)
    audience, [listener] = await crowd(await begun(await new_sitting()))
    for number in range(1, 11):
        audience._handle(event(audience.newest + 1))
        message = {"type": "match.watchers", "audience": "other", "count": number}
        audience._handle(message)
        await audience._send_next()
    kinds = [frame["t"] for frame in listener.frames()]
    assert kinds.count("event") == 9
    assert kinds.count("watchers") == 1


async def test_rematch_is_sent_after_the_events_that_lead_to_it() -> None:
    sitting = await begun(await new_sitting())
    audience, [listener] = await crowd(sitting)
    first = audience.newest
    await sync_to_async(lambda: sitting.do("resign_match", side=Side.WHITE))()
    for number in (1, 2, 3):
        audience._handle(event(first + number))
    audience._handle({"type": "match.rematch"})
    audience._handle({"type": "match.presence"})
    for _ in range(6):
        await asyncio.sleep(0.03)  # longer than NEWS_EVERY_S
        await audience._send_next()
    # There is no frame of presence, since the match has ended.
    assert [frame["t"] for frame in listener.frames()] == ["event"] * 3 + ["rematch"]


async def test_state_of_a_spectator_has_no_missed_actions() -> None:
    """All spectators get the same state, whatever they have missed, as the schema says."""
    visitor = Client((await begun(await new_sitting())).public_id, None)
    assert (await visitor.join(since=1))["actions"] == []
    described = SCHEMA["$defs"]["state"]["properties"]["actions"]["description"]
    assert "always empty for spectators" in described
    await leave(visitor)


async def test_event_loop_serves_other_tasks_while_a_frame_goes_to_a_crowd() -> None:
    audience, listeners = await crowd(await begun(await new_sitting()), count=100)
    seen: list[int] = []

    async def other() -> None:
        while len(seen) < 1000 and not listeners_done():
            seen.append(sum(bool(listener.texts) for listener in listeners))
            await asyncio.sleep(0)

    def listeners_done() -> bool:
        return all(listener.texts for listener in listeners)

    task = asyncio.create_task(other())
    await audience._send_to_all("x")
    await task
    assert len({count for count in seen if 0 < count < 100}) >= 5


async def test_state_is_read_once_for_newcomers_who_come_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting = await begun(await new_sitting())
    reads: list[Any] = []
    read, seconds = snapshots.state_frame, [0.0]

    def counted(*args: Any) -> dict[str, Any]:
        reads.append(args)
        seconds[0] += 1.5 * audiences.STATE_AGE_S  # a slow read, at whose end the state is fresh
        return read(*args)

    monkeypatch.setattr(snapshots, "state_frame", counted)
    monkeypatch.setattr(audiences, "time", SimpleNamespace(monotonic=lambda: seconds[0]))
    audience, _ = await crowd(sitting)
    audience._is_listening.set()
    newcomers = [Listener(sitting.public_id) for _ in range(30)]
    await asyncio.gather(*(audience.show(newcomer) for newcomer in newcomers))
    assert len(reads) == 1
    assert all(len(newcomer.texts) == 1 for newcomer in newcomers)


async def act_unheard(sitting: StakeSitting) -> int:
    """Write an action whose event is still on its way; return the last seq."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(broadcast, "send", lambda *messages: None)
        await sync_to_async(sitting.act_simply)()
    return await sync_to_async(lambda: sitting.seq)()


async def test_event_reaches_all_although_a_newcomer_has_seen_its_state() -> None:
    sitting = await begun(await new_sitting())
    audience, [listener] = await crowd(sitting)
    first, newest = audience.newest, await act_unheard(sitting)
    audience._is_listening.set()
    newcomer = Listener(sitting.public_id, -1)
    await audience.show(newcomer)
    assert newcomer.seq == newest
    seqs = list(range(first + 1, newest + 1))
    for seq in seqs:
        audience._handle(event(seq))
        await audience._send_next()
    assert [frame["seq"] for frame in listener.frames()] == seqs


async def test_check_finds_a_lost_event_whose_state_only_a_newcomer_has_seen() -> None:
    sitting = await begun(await new_sitting())
    audience, [listener] = await crowd(sitting)
    newest = await act_unheard(sitting)
    audience._is_listening.set()
    await audience.show(Listener(sitting.public_id, -1))
    await audience.catch_up(newest)
    await audience._send_next()
    assert [(frame["t"], frame["seq"]) for frame in listener.frames()] == [("state", newest)]


async def test_first_frame_of_a_spectator_is_the_state() -> None:
    audience, (waiting, shown) = await crowd(await begun(await new_sitting()), count=2)
    waiting.seq = -1
    await audience._send_to_all("watchers")
    await audience._send_chat({})
    assert (waiting.texts, shown.texts) == ([], ["watchers"])
    audience._is_listening.set()
    await audience.show(waiting)
    await audience._send_to_all("presence")
    assert [text[:8] for text in waiting.texts[1:]] == ["presence"]


async def test_broken_spectator_does_not_affect_the_others() -> None:
    audience, listeners = await crowd(await begun(await new_sitting()), count=3)

    async def broken(text: str) -> None:
        raise OSError("gone")

    listeners[1].pass_on = broken  # type: ignore[method-assign]
    await audience._send_to_all("x")
    assert sum(len(listener.texts) for listener in listeners) == 2


async def test_pong_time_advances_and_never_runs_ahead() -> None:
    sitting = await new_sitting()
    visitor = await watching(sitting)
    started = time.monotonic()
    await visitor.send(t="ping", seq=visitor.seq)
    pong = await visitor.news("pong")
    await asyncio.sleep(0.01)
    await visitor.send(t="ping", seq=visitor.seq)
    again = await visitor.news("pong")
    assert 0 < again["now"] - pong["now"] <= 1000 * (time.monotonic() - started) + 2
    await leave(visitor)


async def test_visitor_joins_from_the_page_through_the_socket_guard(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    sitting = await new_sitting()
    browser = Browser()
    await sync_to_async(browser.get)(f"/match/{sitting.public_id}/")
    socket = await PageSocket(browser, f"/ws/match/{sitting.public_id}/").open()
    await socket.say(t="join", v=1, since=-1, hold=True)
    frame = await socket.receive()
    assert (frame["t"], frame["you"]["side"]) == ("state", None)
    await socket.leave()
