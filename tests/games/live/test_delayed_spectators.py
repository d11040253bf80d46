"""Spectators see a match above a certain stake one turn late, and never see a hidden stake."""

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.engine.match.state import Phase
from games.engine.sides import Side
from games.live import audience as audiences
from games.live.open_tables import OPEN_TABLES
from games.models import Action
from games.services import deadlines
from tests.games.factories import StakeSitting
from tests.games.frames import SERVER_FRAMES
from tests.games.live.test_spectators import at_the_table, leave, watching
from tests.games.table_client import Client
from tests.wallet.factories import player

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

STAKE = 600


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(audiences, "TICK_S", 0.03)
    monkeypatch.setattr(audiences, "NEWS_EVERY_S", 0.02)
    settings.WATCH_DELAY_STAKE = 500


@sync_to_async
def begun(stake: int = STAKE, length: int = 5, **fields: Any) -> StakeSitting:
    white, black = player("white5", 5000), player("black5", 5000)
    sitting = StakeSitting(white, black, stake=stake, length=length, **fields)
    return sitting.sit().start_game()


@sync_to_async
def plays_of(sitting: StakeSitting) -> list[int]:
    """Return the seqs of the turns played in the running game."""
    start = sitting.match.actions.filter(verb="start").order_by("-seq").first()
    assert start is not None
    plays = Action.objects.filter(match=sitting.match, verb="play", seq__gt=start.seq)
    return list(plays.order_by("seq").values_list("seq", flat=True))


@sync_to_async
def play_turns(sitting: StakeSitting, number: int) -> None:
    before = sitting.match.actions.filter(verb="play").count()
    while sitting.match.actions.filter(verb="play").count() < before + number:
        sitting.act_simply()


async def seen_by(client: Client, seq: int) -> list[dict[str, Any]]:
    """Receive frames until the client has the action `seq`; return them."""
    frames = []
    while client.seq < seq:
        frames.append(await client.receive())
        SERVER_FRAMES.validate(frames[-1])
    return frames


async def test_spectator_sees_a_turn_only_after_the_next_one_is_played() -> None:
    sitting = await begun()
    visitor = await watching(sitting)
    SERVER_FRAMES.validate(visitor.newest)
    assert visitor.newest["match"]["is_delayed"]
    assert visitor.newest["view"]["phase"] == Phase.SEATING.value  # not the opening roll
    for turns in range(2, 6):
        await play_turns(sitting, 2 if turns == 2 else 1)
        plays = await plays_of(sitting)
        assert len(plays) == turns
        frames = await seen_by(visitor, plays[-2])
        assert visitor.seq == plays[-2]
        events = [frame["action"]["kind"] for frame in frames if frame["t"] == "event"]
        assert events[-1] == "play"
    newcomer = await watching(sitting)
    assert newcomer.seq == plays[-2]
    await OPEN_TABLES.check()
    await visitor.send(t="ping", seq=visitor.seq)
    pong = await visitor.until(lambda frame: frame["t"] == "pong")
    assert pong["seq"] == plays[-2]
    mine = await at_the_table(sitting, Side.WHITE)
    assert mine.seq == await sync_to_async(lambda: sitting.seq)()
    await leave(visitor, newcomer, mine)


async def test_clock_for_spectators_starts_from_the_shown_state() -> None:
    sitting = await begun(now=timezone.now() - timedelta(minutes=2))
    await play_turns(sitting, 3)
    sitting.pass_time(120_000)
    await play_turns(sitting, 1)  # shows the turn before it, which was played two minutes earlier
    visitor = await watching(sitting)
    shown = await sync_to_async(lambda: sitting.match.delayed_view.state)()
    assert 0 <= visitor.newest["now"] - shown.at_ms < 60_000
    await leave(visitor)


@pytest.mark.parametrize("turns", [0, 1, 4])
async def test_end_of_the_match_ends_the_delay(turns: int) -> None:
    sitting = await begun()
    await play_turns(sitting, turns)
    visitor = await watching(sitting)
    assert visitor.newest["view"]["secret"] is None
    await sync_to_async(sitting.do)("resign_match")
    last = await sync_to_async(lambda: sitting.seq)()
    await seen_by(visitor, last)
    newcomer = await watching(sitting)
    assert newcomer.newest["view"]["secret"] is not None
    assert newcomer.seq == visitor.seq == last
    await leave(visitor, newcomer)


async def test_spectators_see_all_of_a_game_when_it_ends() -> None:
    sitting = await begun()
    await play_turns(sitting, 3)
    visitor = await watching(sitting)
    await sync_to_async(sitting.play_until)(Phase.BETWEEN_GAMES)
    await seen_by(visitor, await sync_to_async(lambda: sitting.seq)())
    sitting.pass_time(20_000)
    await sync_to_async(deadlines.settle)(sitting.public_id, sitting.now)
    await play_turns(sitting, 1)  # of the next game, which spectators do not see yet
    newcomer = await watching(sitting)
    assert newcomer.newest["view"]["phase"] == Phase.BETWEEN_GAMES.value
    assert newcomer.seq < (await plays_of(sitting))[0] - 1
    await leave(visitor, newcomer)


@pytest.mark.parametrize("fields", [{"stake": 500}, {"is_public": False}])
async def test_stakes_up_to_the_limit_and_private_matches_have_no_delay(
    fields: dict[str, Any],
) -> None:
    sitting = await begun(**fields)
    assert not await sync_to_async(lambda: sitting.match.is_delayed)()


async def test_hidden_stake_is_sent_to_the_players_only() -> None:
    sitting = await begun(hides_stake=True)
    visitor, mine = await watching(sitting), await at_the_table(sitting, Side.BLACK)
    SERVER_FRAMES.validate(visitor.newest)
    assert visitor.newest["match"]["stake"] is None
    assert mine.newest["match"]["stake"]["stake"] == STAKE
    await leave(visitor, mine)
