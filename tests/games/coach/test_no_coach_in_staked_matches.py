"""Matches for credits have no coach."""

from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async

from games.coach import advice
from games.engine.match.permissions import on_turn
from games.engine.match.state import Phase
from tests.games.factories import StakeSitting, some_play
from tests.games.table_client import signed_in
from tests.wallet.factories import player

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


@sync_to_async
def after_a_roll() -> StakeSitting:
    sitting = StakeSitting(player("white5"), player("black5")).sit().start_game()
    sitting.play_until(Phase.TO_PLAY)
    return sitting


async def test_match_for_credits_has_neither_hints_nor_warnings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fail(*question: Any, **more: Any) -> None:
        raise AssertionError("the coach was asked about a match for credits")

    monkeypatch.setattr(advice.COACH, "ask", fail)
    monkeypatch.setattr(advice, "BLUNDER", -1.0)
    sitting = await after_a_roll()
    state = await sync_to_async(lambda: sitting.state)()
    side = on_turn(state)
    assert side is not None
    client = await signed_in(sitting.public_id, sitting.users[side])
    await client.join()
    id = str(uuid4())
    await client.send(t="hint", id=id, seq=client.seq)
    answer = await client.until(lambda frame: frame.get("id") == id)
    assert answer["code"] == "no_coach"
    assert (await client.command("play", d=some_play(state), warn=True))["t"] == "ack"
    await client.close()
