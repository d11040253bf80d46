"""Scenario 9: frames that claim what only the server decides are refused and change nothing."""

import json
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async

from games.engine.sides import Side
from games.models import Action, Match, Seat
from tests.games.factories import StakeSitting, stake_on_move
from tests.games.table_client import MemberClient, signed_in
from tests.wallet.factories import total_of
from wallet.models import Entry, Hold, Transfer

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True), pytest.mark.both]

BEFORE_CLOSING = 15  # frames; twenty unreadable ones end a connection


def forged(play: str, side: str, other: str) -> dict[str, list[dict[str, Any]]]:
    """Return frames that a player on move could forge, by what each frame tries to decide."""
    board = {"white": [15, *[0] * 25], "black": [0, *[0] * 23, 15, 0]}
    mine = {"t": "play", "d": play}
    return {
        "state": [
            {"t": "state", "view": {**board, "phase": "finished"}},
            {"t": "event", "action": {"kind": "play", "side": other, "text": "-"}},
            {"t": "set_position", **board},
            {**mine, "view": board},
            {**mine, "position": board},
            {**mine, "board": board["white"]},
            {"t": "start", "game": 2},
            {"t": "takeover", "side": other},
            {"t": "cube", "value": 64},
        ],
        "dice": [
            {"t": "roll", "d1": 6, "d2": 6},
            {"t": "roll", "dice": [6, 6]},
            {**mine, "dice": [6, 6]},
            {**mine, "d1": 6, "d2": 6},
            {"t": "opening", "white": 6, "black": 1},
            {"t": "entropy", "entropy": "00" * 16},
            {"t": "entropy_hash", "hash": "00" * 32},
            {"t": "commit", "hash": "00" * 32},
            {"t": "reveal", "secret": "00" * 32},
            {"t": "play", "d": "24/18 24/18 24/18 24/18"},
        ],
        "clock": [
            {**mine, "at_ms": 0},
            {**mine, "grace_ms": 1000},
            {**mine, "now": 0},
            {"t": "credit", "ms": 10**6},
            {"t": "pause"},
            {"t": "resume"},
            {"t": "flag", "side": other},
            {"t": "flag"},
            {"t": "clock", "reserve_ms": 10**9},
        ],
        "winner": [
            {"t": "finish", "winner": side},
            {"t": "void", "cause": "outage"},
            {"t": "claim"},
            {"t": "resign_match", "side": other},
            {"t": "leave", "side": other},
            {"t": "resign", "factor": 1, "winner": side},
            {"t": "resign", "factor": -3},
            {"t": "accept"},
            {"t": "drop", "side": other},
            {"t": "next"},
            {"t": "rematch_accept"},
            {"t": "settle", "credits": 10**6},
        ],
    }


@sync_to_async
def record(sitting: StakeSitting) -> tuple[Any, ...]:
    """Return every row that a frame could change."""
    return (
        Match.objects.values().get(pk=sitting.match.pk),
        list(Action.objects.values_list("seq", "data")),
        list(Seat.objects.order_by("id").values("side", "user_id", "holder", "lag_ms")),
        list(Entry.objects.values_list("transfer", "account", "amount_credits")),
        (Transfer.objects.count(), list(Hold.objects.values_list("id", "state"))),
        {side: total_of(user) for side, user in sitting.users.items()},
    )


on_move = sync_to_async(stake_on_move)


async def seated(sitting: StakeSitting, side: Side) -> MemberClient:
    client = await signed_in(sitting.public_id, sitting.users[side])
    await client.join()
    return client


@pytest.mark.parametrize("subject", ["state", "dice", "clock", "winner"])
async def test_09_frames_that_decide_state_dice_clock_or_winner_are_refused(subject: str) -> None:
    sitting, side, play = await on_move()
    other = await seated(sitting, side.other)
    client = await seated(sitting, side)
    before = await record(sitting)
    frames = forged(play, side.value, side.other.value)[subject]
    assert len(frames) < BEFORE_CLOSING
    for frame in frames:
        await client.send(**{"id": str(uuid4()), "seq": client.seq, **frame})
        answer = await client.until(lambda frame: frame["t"] in ("error", "ack"))
        assert answer["t"] == "error", (frame, answer)
        assert answer["code"] != "internal", frame
        assert await record(sitting) == before, json.dumps(frame)
    # The other side cannot move with a well-formed command either.
    assert (await other.command("play", d=play))["code"] == "not_your_turn"
    assert await record(sitting) == before
    # The connection and the match still accept the legal play.
    assert (await client.command("play", d=play))["t"] == "ack"
    await client.close()
    await other.close()
