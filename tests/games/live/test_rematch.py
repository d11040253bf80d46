"""Rematches over the socket: both players and spectators get the frames."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games import broadcast
from games.engine.sides import Side
from games.live.open_tables import OPEN_TABLES
from tests.games.factories import StakeSitting, give_history
from tests.games.frames import SERVER_FRAMES
from tests.games.table_client import Client, MemberClient, signed_in
from tests.wallet.factories import player

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


def begun() -> StakeSitting:
    return StakeSitting(player("white5"), player("black5")).sit().start_game()


@sync_to_async
def finished() -> StakeSitting:
    sitting = begun()
    for user in sitting.users.values():
        give_history(user)
    sitting.now = timezone.now()  # a rematch can be agreed for half a minute from now
    sitting.do("resign_match", side=Side.WHITE)
    return sitting


async def at_the_table(sitting: StakeSitting, side: Side) -> MemberClient:
    client = await signed_in(sitting.public_id, sitting.users[side])
    await client.join()
    return client


async def news(client: Client) -> dict[str, Any]:
    frame = await client.news("rematch")
    SERVER_FRAMES.validate(frame)
    rematch: dict[str, Any] = frame["rematch"]
    return rematch


async def test_players_and_spectators_get_the_offer_and_the_agreed_rematch() -> None:
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
    agreed = await white.until(lambda frame: frame["t"] == "rematch" and frame["rematch"]["match"])
    for client in (black, visitor):
        received = await client.until(
            lambda frame: frame["t"] == "rematch" and frame["rematch"]["match"] is not None
        )
        assert received == agreed
    again = await signed_in(agreed["rematch"]["match"], sitting.users[Side.WHITE])
    state = await again.join()
    SERVER_FRAMES.validate(state)
    assert state["you"]["side"] == "black"
    assert state["match"]["series"] == {"white": 1, "black": 0}
    for client in (white, black, visitor, again):
        await client.close()


async def test_lost_news_of_a_rematch_come_once_with_the_next_check() -> None:
    sitting = await finished()
    white, black = [await at_the_table(sitting, side) for side in Side]
    visitor = Client(sitting.public_id, None)
    await visitor.join()
    for asking, t in ((white, "rematch_offer"), (black, "rematch_accept")):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(broadcast, "send", lambda *messages: None)
            assert (await asking.command(t))["t"] == "ack"
        await OPEN_TABLES.check_with_news()
        found = [await news(each) for each in (white, black, visitor)]
        await OPEN_TABLES.check_with_news()
        assert found == 3 * [found[0]]
        assert (found[0]["offered_by"], found[0]["match"] is None) == (
            ("white", True) if asking is white else (None, False)
        )
    for client in (white, black, visitor):
        await client.close()


async def test_check_tells_of_no_rematch_before_the_end_of_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting = await sync_to_async(begun)()
    white = await at_the_table(sitting, Side.WHITE)
    check = OPEN_TABLES.check

    async def check_and_end_the_match() -> None:
        await check()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(broadcast, "send", lambda *messages: None)
            await sync_to_async(sitting.do)("resign_match", side=Side.BLACK)

    with monkeypatch.context() as patched:
        patched.setattr(OPEN_TABLES, "check", check_and_end_the_match)
        await OPEN_TABLES.check_with_news()
    await OPEN_TABLES.check_with_news()
    assert (await white.until(lambda frame: frame["t"] in ("state", "rematch")))["t"] == "state"
    await white.close()


async def test_lost_end_of_a_match_still_brings_the_deadline_of_a_rematch() -> None:
    sitting = await sync_to_async(begun)()
    white = await at_the_table(sitting, Side.WHITE)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(broadcast, "rematch_changed", lambda public_id: None)
        await white.command("resign_match")
    await OPEN_TABLES.check_with_news()
    assert (await news(white))["until"] > white.newest["now"]
    await white.close()


async def test_offering_side_gets_the_refusal() -> None:
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


async def test_end_of_a_match_sends_the_deadline_of_a_rematch() -> None:
    sitting = await sync_to_async(begun)()
    white = await at_the_table(sitting, Side.WHITE)
    await white.command("resign_match")
    rematch = await news(white)
    assert rematch["until"] > white.newest["now"]
    assert rematch["series"] == {"white": 0, "black": 1}
    await white.close()
