"""A client cannot make the site send the whole state again and again."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async

from accounts.shared.refusals import Refused
from games.engine.rules import Rules
from games.engine.sides import Side
from games.live import state_pace
from games.live.state_pace import BURST, REASONS_BURST, StatePace
from tests.games.factories import Sitting, StakeSitting
from tests.games.frames import SERVER_FRAMES
from tests.games.table_client import Client, signed_in
from tests.wallet.factories import player

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

MANY = 8


@pytest.fixture
def _slow_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow one more state an hour, so that even a slow test gets only the first BURST."""
    monkeypatch.setattr(state_pace, "EVERY_S", 3600.0)


@pytest.fixture(params=["player", "spectator"])
def table(request: pytest.FixtureRequest, transactional_db: None) -> Client:
    """Return a client that may join a table: a player of a training match, or a spectator."""
    if request.param == "player":
        sitting = Sitting(Rules.of("short", length=3))
        return Client(sitting.public_id, sitting.guest)
    return Client(StakeSitting(player("white5"), player("black5")).public_id, None)


async def answers(client: Client, count: int, **frame: Any) -> list[dict[str, Any]]:
    """Send the frame `count` times, then a ping; return all answers before its pong.

    If the frame is a ping itself, the last pong is among the answers. Frames with the number of
    spectators are left out: they come some time after a spectator joins.
    """
    for _ in range(count):
        await client.send(**frame)
    await client.send(t="ping", seq=client.seq)
    heard: list[dict[str, Any]] = []
    while True:
        answer = await client.receive()
        if answer["t"] == "watchers":
            continue
        heard.append(answer)
        if answer["t"] == "pong" and frame["t"] != "ping":
            return heard[:-1]
        if sum(each["t"] == "pong" for each in heard) > count:
            return heard


def state_count(frames: list[dict[str, Any]]) -> int:
    return sum(frame["t"] == "state" for frame in frames)


@pytest.mark.usefixtures("_slow_pace")
async def test_sync_repeated_at_once_is_refused(table: Client) -> None:
    await table.join()
    first, *others = await answers(table, MANY, t="sync", since=-1)
    assert first["t"] == "state"
    assert all(frame == {"t": "error", "id": None, "code": "too_fast"} for frame in others)
    assert len(others) == MANY - 1
    await table.close()


async def test_client_that_is_up_to_date_gets_only_the_seq(table: Client) -> None:
    state = await table.join()
    [answer] = await answers(table, 1, t="sync", since=table.seq)
    assert answer == {"t": "current", "seq": state["seq"], "now": answer["now"]}
    assert answer["now"] >= state["now"]
    SERVER_FRAMES.validate(answer)
    await table.close()


async def test_a_client_that_lost_an_event_gets_the_state() -> None:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    client = Client(sitting.public_id, sitting.guest)
    await client.join()
    await client.start_game()
    [answer] = await answers(client, 1, t="sync", since=client.seq - 2)
    assert (answer["t"], len(answer["actions"])) == ("state", 2)
    await client.close()


@pytest.mark.usefixtures("_slow_pace")
@pytest.mark.parametrize(
    "frame", [{"t": "join", "v": 1, "since": -1, "hold": False}, {"t": "ping", "seq": -1}]
)
async def test_state_is_sent_only_a_few_times_at_once_whatever_frame_asks_for_it(
    table: Client, frame: dict[str, Any]
) -> None:
    await table.join()
    heard = await answers(table, MANY, **frame)
    assert state_count(heard) == BURST - 1
    await table.close()


@pytest.mark.usefixtures("_slow_pace")
async def test_taking_the_seat_again_and_again_is_refused() -> None:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    client = Client(sitting.public_id, sitting.guest)
    await client.join()
    heard = await answers(client, MANY, t="take_seat")
    assert state_count(heard) == BURST - 1
    assert sum(frame.get("code") == "too_fast" for frame in heard) == MANY - state_count(heard)
    assert (await client.command("entropy_hash", hash="0" * 64))["t"] == "ack"
    await client.close()


@pytest.mark.usefixtures("_slow_pace")
async def test_the_rule_against_a_move_is_asked_only_a_few_times_at_once() -> None:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    client = Client(sitting.public_id, sitting.guest)
    await client.join()
    question: dict[str, Any] = {"t": "why", "d": "", "from": 24, "to": 1}
    heard = await answers(client, REASONS_BURST + 2, **question)
    codes = [frame["code"] for frame in heard if frame["t"] == "error"]
    assert codes == ["not_your_turn"] * REASONS_BURST + ["too_fast"] * 2
    await client.close()


async def test_chat_is_not_repeated_when_a_connection_joins_again() -> None:
    sitting = await sync_to_async(lambda: StakeSitting(player("white5"), player("black5")))()
    white = await signed_in(sitting.public_id, sitting.users[Side.WHITE])
    await white.join()
    await white.send(t="say", id="7f2c7a5e-0000-4000-8000-000000000001", phrase="hello")
    await white.news("heard")
    await white.close()
    back = await signed_in(sitting.public_id, sitting.users[Side.WHITE])
    await back.join()
    await back.news("said")
    heard = await answers(back, 1, t="join", v=1, since=-1, hold=True)
    assert state_count(heard) == 1
    assert not any(frame["t"] == "said" for frame in heard)
    await back.close()


async def test_more_states_are_allowed_after_some_time() -> None:
    pace = StatePace()
    assert [pace.take_state(now) for now in (5, 5, 5, 5, 5.5, 6, 6.5)] == [
        True, True, True, False, False, True, False,
    ]  # fmt: skip
    assert [pace.take_state(100) for _ in range(BURST + 1)] == [True] * BURST + [False]
    pace.need_sync(0)
    with pytest.raises(Refused, match="too_fast"):
        pace.need_sync(0.9)
    pace.need_sync(1.0)
