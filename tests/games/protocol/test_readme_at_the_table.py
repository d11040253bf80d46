"""Sentences of the protocol's README about people without a seat, account or opponent are true."""

import ast
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async

from chat.services.messages import DAILY_REPORTS, MAX_MUTES
from games.engine.match.permissions import on_turn
from games.engine.match.state import MatchCause, Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models.kind import STAKE
from games.services.deadlines import settle_due
from tests.games.factories import FriendlySitting, Sitting, StakeSitting
from tests.games.frames import SCHEMA, SERVER_FRAMES
from tests.games.protocol.test_readme import README
from tests.games.table_client import Client, signed_in
from tests.wallet.factories import player

ROOT = Path(__file__).parents[3]
# The files whose code answers frames of a table.
REFUSING = [
    *(ROOT / "games/live").glob("*.py"),
    *(ROOT / "games/coach").glob("*.py"),
    *(ROOT / "games/services").glob("*.py"),
    ROOT / "games/consumers.py",
    ROOT / "games/stakes/limits.py",
    ROOT / "chat/services/messages.py",
]


def codes_of(path: Path) -> set[str]:
    """Return the codes with which a module raises `Refused`."""
    return {
        call.args[0].value
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "Refused"
        and call.args
        and isinstance(call.args[0], ast.Constant)
    }


def test_schema_has_every_code_of_a_refusal_at_a_table() -> None:
    raised = set().union(*map(codes_of, REFUSING), {"credits_frozen"})  # wallet/errors.py
    assert len(raised) > 20
    assert raised <= set(SCHEMA["$defs"]["error"]["properties"]["code"]["enum"])


def test_readme_has_the_bounds_of_mutes_and_reports() -> None:
    assert f"a `report` after {DAILY_REPORTS} in a day" in README
    assert f"a `mute` after {MAX_MUTES} people" in README


@sync_to_async
def training() -> Sitting:
    return Sitting(Rules.of("short", length=3)).sit().start_game().play_until(Phase.TO_PLAY)


@sync_to_async
def stake() -> StakeSitting:
    return StakeSitting(player("white5"), player("black5"))


@sync_to_async
def friendly() -> FriendlySitting:
    return FriendlySitting()


async def answer(client: Client, t: str, **fields: Any) -> str | None:
    """Send a frame, then a ping; return the code of an error before the pong, or None."""
    await client.send(t=t, **fields)
    await client.send(t="ping", seq=client.seq)
    frame = await client.until(lambda each: each["t"] in ("error", "pong"))
    SERVER_FRAMES.validate(frame)
    if frame["t"] == "pong":
        return None
    await client.news("pong")
    return str(frame["code"])


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_passive_connection_gets_permissions_of_its_side_and_may_not_use_them() -> None:
    assert "`may` and `plays` tell what the *side* may do, to a passive connection too" in README
    sitting = await training()
    holder = Client(sitting.public_id, sitting.guest)
    passive = Client(sitting.public_id, sitting.guest)
    to_holder, to_passive = await holder.join(), await passive.join(hold=False)
    assert [to_holder["you"]["holder"], to_passive["you"]["holder"]] == [True, False]
    assert to_holder["may"] is not None
    assert (to_holder["may"], to_holder["plays"]) == (to_passive["may"], to_passive["plays"])
    assert (await passive.command("resign_match"))["code"] == "passive"
    for client in (holder, passive):
        await client.close()


ID = str(uuid4())
PHRASE, TEXT = {"id": ID, "phrase": "hello"}, {"id": ID, "text": "hello"}
MUTE, REPORT = {"player": "white"}, {"id": 1}
# By person: the frames that they send, and the code of the refusal (None = accepted).
ANSWERS: dict[str, list[tuple[str, dict[str, Any], str | None]]] = {
    "guest in training": [
        ("say", PHRASE, "no_chat"),
        ("mute", MUTE, "no_chat"),
        ("report", REPORT, "no_chat"),
    ],
    "guest in a friendly match": [
        ("say", PHRASE, None),
        ("say", TEXT, "not_member"),
        ("mute", MUTE, "not_member"),
        ("report", REPORT, "not_member"),
    ],
    "guest who watches": [
        ("say", PHRASE, "not_member"),
        ("mute", MUTE, "not_member"),
        ("take_seat", {}, "not_seated"),
    ],
    "member who watches": [
        ("say", TEXT, None),
        ("mute", MUTE, None),
        ("take_seat", {}, "not_seated"),
        ("premove", {"id": ID, "game": 1, "roll": True, "cube": None}, "not_seated"),
    ],
}


async def client_of(person: str) -> Client:
    if person == "guest in training":
        sitting = await training()
        return Client(sitting.public_id, sitting.guest)
    if person == "guest in a friendly match":
        played = await friendly()
        return Client(played.public_id, played.actors[Side.WHITE].guest)
    watched = await stake()
    if person == "guest who watches":
        return Client(watched.public_id, None)
    return await signed_in(watched.public_id, await sync_to_async(player)("onlook"))


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("person", ANSWERS)
async def test_frames_of_each_person_get_the_documented_answers(person: str) -> None:
    assert "guests may write in the players' chat of a friendly match only" in README
    assert "`not_seated` means no seat: a spectator sent what only players may send" in README
    client = await client_of(person)
    await client.join()
    for t, fields, code in ANSWERS[person]:
        assert await answer(client, t, **fields) == code, (t, fields)
    await client.close()


@pytest.mark.django_db
def test_match_of_two_absent_players_ends_when_the_clock_of_the_side_to_act_runs_out() -> None:
    said = "the clocks run on, and the side to act loses when its time is up"
    assert f"When both are absent nobody claims: {said}" in README
    white, black = player("white5"), player("black5")
    sitting = StakeSitting(white, black, length=7).sit().start_game().both_move()
    side = on_turn(sitting.state)
    assert side is not None
    for each in Side:
        sitting.go(each)
    assert STAKE.absence_budget_ms is not None
    sitting.pass_time(STAKE.absence_budget_ms + 1000)
    settle_due(sitting.now)
    assert sitting.state.outcome is None
    rules = sitting.match.match_rules
    assert rules.delay_ms is not None
    assert rules.reserve_ms is not None
    sitting.pass_time(rules.delay_ms + rules.reserve_ms)
    settle_due(sitting.now)
    outcome = sitting.state.outcome
    assert outcome is not None
    assert (outcome.cause, outcome.winner) == (MatchCause.FLAG, side.other)
