"""A rematch over the socket: everybody at the table hears of it, and the new table is there."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from asgiref.sync import sync_to_async

from games.engine.sides import Side
from tests.games.table_client import Client, MemberClient, signed_in
from tests.lobby.factories import StakeSitting, player

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

SCHEMA = json.loads((Path(__file__).parents[2] / "games/protocol.schema.json").read_text())
SERVER_FRAMES = jsonschema.Draft202012Validator(
    {"$ref": "#/$defs/server", "$defs": SCHEMA["$defs"]}
)


@sync_to_async
def finished() -> StakeSitting:
    sitting = StakeSitting(player("white5"), player("black5")).sit().shake()
    sitting.do("resign_match", side=Side.WHITE)
    return sitting


async def at_the_table(sitting: StakeSitting, side: Side) -> MemberClient:
    client = await signed_in(sitting.public_id, sitting.users[side])
    await client.join()
    return client


async def news(client: Client) -> dict[str, Any]:
    frame = await client.news("rematch")
    SERVER_FRAMES.validate(frame)
    told: dict[str, Any] = frame["rematch"]
    return told


async def test_an_offer_is_heard_and_accepted_and_the_new_table_waits() -> None:
    sitting = await finished()
    white, black = [await at_the_table(sitting, side) for side in Side]
    visitor = Client(sitting.public_id, None)
    state = await visitor.join()
    SERVER_FRAMES.validate(state)
    assert state["rematch"]["offered_by"] is None
    assert (await white.command("rematch_offer"))["t"] == "ack"
    for client in (black, visitor):
        assert (await news(client))["offered_by"] == "white"
    assert (await black.command("rematch_accept"))["t"] == "ack"
    told = await white.until(lambda frame: frame["t"] == "rematch" and frame["rematch"]["match"])
    for client in (black, visitor):
        heard = await client.until(
            lambda frame: frame["t"] == "rematch" and frame["rematch"]["match"] is not None
        )
        assert heard == told
    again = await signed_in(told["rematch"]["match"], sitting.users[Side.WHITE])
    state = await again.join()
    SERVER_FRAMES.validate(state)
    assert state["you"]["side"] == "black"
    assert state["match"]["series"] == {"white": 1, "black": 0}
    for client in (white, black, visitor, again):
        await client.close()


async def test_a_refusal_is_heard() -> None:
    sitting = await finished()
    white, black = [await at_the_table(sitting, side) for side in Side]
    await black.command("rematch_offer")
    await news(white)
    await white.command("rematch_refuse")
    assert (await black.until(lambda frame: refused(frame)))["rematch"]["offered_by"] is None
    answer = await white.command("rematch_accept")
    assert (answer["t"], answer["code"]) == ("error", "wrong_phase")
    SERVER_FRAMES.validate(answer)
    for client in (white, black):
        await client.close()


def refused(frame: dict[str, Any]) -> bool:
    return frame["t"] == "rematch" and bool(frame["rematch"]["refused"])


async def test_the_end_of_a_match_says_until_when_another_can_be_agreed_on() -> None:
    sitting = await sync_to_async(lambda: StakeSitting(player("white5"), player("black5")))()
    white = await at_the_table(sitting, Side.WHITE)
    await white.command("resign_match")
    told = await news(white)
    assert told["until"] > white.newest["now"]
    assert told["series"] == {"white": 0, "black": 1}
    await white.close()
