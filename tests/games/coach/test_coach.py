"""The coach at training tables: hints, warnings of blunders, and failures of its child process."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.shared.refusals import Refused
from games import selectors
from games.bots import process
from games.bots.process import NoAnswer
from games.coach import advice, session
from games.coach.process import COACH, CoachProcess
from games.coach.session import MAX_PER_MINUTE, Allowance
from games.engine.board.legal import legal_plays
from games.engine.board.moves import play_to_text
from games.engine.match.permissions import is_first_turn, on_turn
from games.engine.match.snapshot import dumps
from games.engine.match.state import MatchState, Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models.actor import Actor
from tests.games.factories import Sitting, assert_log_folds, command
from tests.games.frames import SERVER_FRAMES
from tests.games.table_client import Client
from tests.support.compiled import compile_all

# All tests share one event loop and so one child process, which takes long to start.
pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.django_db(transaction=True),
]

ALL_ARE_BLUNDERS = -1.0
LONG_ENOUGH_S = 60.0


@pytest_asyncio.fixture(scope="module", loop_scope="module", autouse=True)
async def _coach_process() -> AsyncIterator[None]:
    compile_all()
    yield
    await COACH.stop()


@pytest.fixture(autouse=True)
def _allow_slow_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "PATIENCE_S", LONG_ENOUGH_S)
    monkeypatch.setattr(process, "START_S", 300.0)


async def seated(variant: str = "short", **rules: Any) -> tuple[Sitting, Client]:
    """Return a match and its guest's client, with the guest's first roll on the board."""
    wanted = Rules.of(variant, **{"length": 5, **rules})
    sitting = await sync_to_async(lambda: Sitting(wanted))()
    client = Client(sitting.public_id, sitting.guest)
    await client.join()
    await client.start_game()
    await go_on(sitting, client, Phase.TO_PLAY)
    return sitting, client


async def go_on(
    sitting: Sitting, client: Client, phase: Phase, side: Side = Side.WHITE
) -> MatchState:
    """Play until the side has a choice in this phase; the guest acts through the socket."""
    while True:
        state = await state_of(sitting)
        await catch_up(sitting, client)
        if on_turn(state) is side and state.phase is phase and len(plays_of(state)) != 1:
            return state
        if on_turn(state) is Side.BLACK:
            await sync_to_async(sitting.act_simply)()
        elif state.phase is Phase.TO_ROLL:
            await client.command("roll")
        else:
            await client.command("play", d=plays_of(state)[0])


async def catch_up(sitting: Sitting, client: Client) -> None:
    newest = await sync_to_async(lambda: sitting.seq)()
    while client.seq < newest:
        await client.receive()


state_of = sync_to_async(lambda sitting: sitting.state)
log_of = sync_to_async(lambda sitting: list(sitting.match.actions.values_list("verb", flat=True)))


def plays_of(state: MatchState) -> list[str]:
    """Return the legal plays as text; an empty list if no dice are on the board."""
    if state.turn is None or state.dice is None:
        return []
    plays = legal_plays(state.position, state.turn, state.dice, state.rules, is_first_turn(state))
    return sorted(play_to_text(play) for play in plays.values())


async def ask(client: Client, **fields: Any) -> dict[str, Any]:
    frame = {"t": "hint", "id": str(uuid4()), "seq": client.seq, **fields}
    await client.send(**frame)
    answer = await client.until(lambda answer: answer.get("id") == frame["id"])
    SERVER_FRAMES.validate(answer)
    return answer


async def warned(client: Client, t: str, **fields: Any) -> dict[str, Any]:
    """Send a command that is refused as a blunder; return the warning's content."""
    answer = await client.command(t, warn=True, **fields)
    SERVER_FRAMES.validate(answer)
    assert answer["code"] == "blunder", answer
    blunder: dict[str, Any] = answer["blunder"]
    return blunder


@pytest.mark.parametrize("variant", ["short", "long"])
async def test_hint_is_given_and_blunder_is_warned_of_once(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting, client = await seated(variant)
    before = await log_of(sitting)
    hint = await ask(client)
    legal = plays_of(await state_of(sitting))
    assert (hint["kind"], hint["seq"], hint["plays"][0]["loss"]) == ("play", client.seq, 0)
    assert 1 <= len(hint["plays"]) <= 5
    assert {each["play"] for each in hint["plays"]} <= set(legal)

    monkeypatch.setattr(advice, "BLUNDER", ALL_ARE_BLUNDERS)
    worse = next(text for text in legal if text != hint["plays"][0]["play"])
    found = await warned(client, "play", d=worse)
    assert (found["kind"], found["done"], found["best"]) == (
        "play",
        worse,
        hint["plays"][0]["play"],
    )
    assert found["loss"] >= 0
    assert await log_of(sitting) == before
    assert (await client.command("play", d=worse))["t"] == "ack"
    await client.close()
    await sync_to_async(assert_log_folds)(sitting.match)


async def test_best_play_that_is_sent_twice_is_done_once() -> None:
    sitting, client = await seated()
    best = (await ask(client))["plays"][0]["play"]
    before = (await log_of(sitting)).count("play")
    id = str(uuid4())
    for _ in range(2):  # as if the first answer had been lost
        await client.send(t="play", id=id, seq=client.seq, d=best, warn=True)
    answer = await client.until(lambda frame: frame.get("id") == id)
    assert answer["t"] == "ack"
    await client.close()
    assert (await log_of(sitting)).count("play") == before + 1
    await sync_to_async(assert_log_folds)(sitting.match)


async def test_cube_actions_have_hints_and_warnings(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting, client = await seated(cube=True)
    monkeypatch.setattr(advice, "BLUNDER", ALL_ARE_BLUNDERS)
    await go_on(sitting, client, Phase.TO_ROLL)
    hint = await ask(client)
    assert {each["action"] for each in hint["actions"]} == {"double", "roll"}
    before = await log_of(sitting)
    for action in ("roll", "double"):
        blunder = await warned(client, action)
        assert (blunder["kind"], blunder["done"]) == ("cube", action)
        assert blunder["best"] == hint["actions"][0]["action"]
    assert await log_of(sitting) == before

    await go_on(sitting, client, Phase.TO_ROLL, Side.BLACK)
    await sync_to_async(sitting.do)("double", side=Side.BLACK)
    await catch_up(sitting, client)
    assert {each["action"] for each in (await ask(client))["actions"]} == {"take", "drop"}
    assert (await warned(client, "drop"))["done"] == "drop"
    assert (await client.command("take"))["t"] == "ack"

    await go_on(sitting, client, Phase.TO_ROLL, Side.BLACK)
    await sync_to_async(sitting.do)("resign", side=Side.BLACK, factor=3)
    await catch_up(sitting, client)
    assert {each["action"] for each in (await ask(client))["actions"]} == {"accept", "refuse"}
    assert (await warned(client, "refuse"))["best"] == "accept"
    await client.close()
    await sync_to_async(assert_log_folds)(sitting.match)


async def test_invalid_question_reaches_no_child(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fail(*question: Any, **more: Any) -> None:
        raise AssertionError("the child was asked")

    monkeypatch.setattr(COACH, "ask", fail)
    sitting, client = await seated()
    assert (await ask(client, seq=client.seq - 1))["code"] == "stale"
    refused = await client.command("play", d="24/1", warn=True)
    assert refused["code"] == "illegal"
    other = Client(sitting.public_id, sitting.guest)
    await other.join(hold=False)
    assert (await ask(other))["code"] == "passive"
    await client.close()
    await other.send(t="sync", since=-1)
    await other.until(lambda frame: frame["t"] == "state")
    assert (await ask(other))["code"] == "passive"  # now no connection holds the seat
    await other.close()


async def test_hints_are_limited_in_number_and_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting, client = await seated()
    ids = [str(uuid4()), str(uuid4())]
    for id in ids:
        await client.send(t="hint", id=id, seq=client.seq)
    answers = [await client.until(lambda frame: frame.get("id") in ids) for _ in ids]
    assert [answer["t"] for answer in answers] == ["error", "hint"]
    assert answers[0]["code"] == "too_fast"
    await client.close()
    monkeypatch.setattr(session, "MINUTE_S", 3600.0)
    monkeypatch.setattr(session, "HINTS", Allowance(0))
    back = Client(sitting.public_id, sitting.guest)
    await back.join()
    assert (await ask(back))["code"] == "too_fast"
    await back.close()


async def test_allowance_recovers_after_a_minute() -> None:
    allowance = Allowance()
    taken = [allowance.take("ann", 0.0) for _ in range(MAX_PER_MINUTE + 1)]
    assert taken.count(True) == MAX_PER_MINUTE
    assert allowance.take("bob", 59.9)
    assert not allowance.take("ann", 59.9)
    assert allowance.take("ann", 60.0)
    assert allowance.take("eve", 119.9)
    assert set(allowance._times) == {"ann", "eve"}


async def test_patience_runs_from_the_arrival_of_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting, client = await seated()
    monkeypatch.setattr(advice, "BLUNDER", ALL_ARE_BLUNDERS)
    seat = sitting.public_id, Side.WHITE
    holder = (await sync_to_async(selectors.holders_of)({seat}))[seat]
    actor = Actor(guest=sitting.guest, holder=holder)
    play = command("play", client.seq, d=plays_of(await state_of(sitting))[-1])
    now = timezone.now()
    assert await advice.blunder(sitting.public_id, actor, play, now)
    long_ago = now - timedelta(seconds=LONG_ENOUGH_S)
    assert await advice.blunder(sitting.public_id, actor, play, long_ago) is None
    await client.close()


async def test_killed_child_is_replaced_and_hanging_child_stops_no_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting, client = await seated()
    assert (await ask(client))["t"] == "hint"
    first = COACH.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert (await ask(client))["t"] == "hint"
    second = COACH.pid
    assert second not in (None, first)

    os.kill(second, signal.SIGSTOP)
    monkeypatch.setattr(advice, "PATIENCE_S", 0.1)
    monkeypatch.setattr(advice, "BLUNDER", ALL_ARE_BLUNDERS)
    worst = plays_of(await state_of(sitting))[-1]
    assert (await client.command("play", d=worst, warn=True))["t"] == "ack"
    await client.close()


async def test_command_near_the_flag_is_done_without_judgment() -> None:
    sitting, client = await seated(delay_ms=10_000)
    state = await state_of(sitting)
    assert state.clock is not None
    reserved = timedelta(seconds=LONG_ENOUGH_S + advice.MARGIN_S)
    last_call = timedelta(milliseconds=state.clock.flag_at_ms() or 0) - reserved
    created_at = sitting.match.created_at
    decide = sync_to_async(advice._decision)
    seat = sitting.public_id, Side.WHITE
    holder = (await sync_to_async(selectors.holders_of)({seat}))[seat]
    actor = Actor(guest=sitting.guest, holder=holder)
    earlier = created_at + last_call - timedelta(milliseconds=1)
    assert (await decide(sitting.public_id, actor, client.seq, now=earlier)).side is Side.WHITE
    with pytest.raises(Refused, match="out_of_time"):
        await decide(sitting.public_id, actor, client.seq, now=created_at + last_call)
    await client.close()


# A child process that answers each question with the number of questions before it.
COUNTING = """
import json, sys
for count, line in enumerate(sys.stdin):
    print(json.dumps({"id": json.loads(line)["id"], "hint": {"count": count}}), flush=True)
"""


async def test_abandoned_question_never_reaches_the_child() -> None:
    coach = CoachProcess(command=(sys.executable, "-c", COUNTING))
    assert await coach.ask({}, "hint", "ann") == {"count": 0}
    assert coach.pid is not None
    os.kill(coach.pid, signal.SIGSTOP)
    in_work = asyncio.create_task(coach.ask({}, "hint", "ann"))
    canceled = asyncio.create_task(coach.ask({}, "hint", "bob"))
    impatient = asyncio.create_task(coach.ask({}, "hint", "bob", patience_s=0.1))
    await asyncio.sleep(0)
    with pytest.raises(NoAnswer, match="too many questions"):
        await coach.ask({}, "hint", "bob")
    with pytest.raises(NoAnswer, match="no answer in time"):
        await impatient
    canceled.cancel()
    await asyncio.wait([canceled])
    patient = asyncio.create_task(coach.ask({}, "hint", "bob"))
    os.kill(coach.pid, signal.SIGCONT)
    assert await in_work == {"count": 1}
    assert await patient == {"count": 2}
    await coach.stop()


async def test_child_ends_when_idle() -> None:
    sitting, client = await seated()
    state = await state_of(sitting)
    coach = CoachProcess(idle_s=0.0)
    question = {"ask": "hint", "state": dumps(state), "side": Side.WHITE.value, "plies": 1}
    assert await coach.ask(question, "hint", "ann")
    assert coach._end is not None
    await coach._end
    assert coach.pid is None
    await client.close()
