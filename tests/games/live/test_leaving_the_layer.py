"""A connection leaves nothing behind in the channel layer or an audience, however it ends."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer

from accounts.broadcast import user_group
from games.broadcast import match_group
from games.engine.sides import Side
from games.live.audiences import AUDIENCES
from games.models import Seat
from tests.accounts.page_client import PageSocket
from tests.accounts.page_client import signed_in as browser_of
from tests.games.factories import StakeSitting
from tests.games.table_client import PATIENCE_S
from tests.wallet.factories import player

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _hosts(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]


@sync_to_async
def new_sitting() -> StakeSitting:
    return StakeSitting(player("white5"), player("black5"), length=5)


def channels_of(group: str) -> list[str]:
    """Return the channels of a group in this process."""
    layer: Any = get_channel_layer()
    return [each for name, found in layer.groups.items() if name.endswith(group) for each in found]


async def opened(sitting: StakeSitting, user: Any) -> PageSocket:
    socket = await PageSocket(await browser_of(user), f"/ws/match/{sitting.public_id}/").open()
    await socket.say(t="join", v=1, since=-1, hold=True)
    assert (await socket.receive())["t"] == "state"
    return socket


async def test_canceled_connection_leaves_every_group() -> None:
    sitting = await new_sitting()
    user = sitting.users[Side.WHITE]
    socket = await opened(sitting, user)
    assert len(channels_of(match_group(sitting.public_id))) == 1
    assert len(channels_of(user_group(user.pk))) == 1
    socket.socket.future.cancel()
    with suppress(asyncio.CancelledError):
        await socket.socket.future
    assert channels_of(match_group(sitting.public_id)) == []
    assert channels_of(user_group(user.pk)) == []


async def test_canceled_connection_of_a_spectator_leaves_the_audience() -> None:
    sitting = await new_sitting()
    socket = await opened(sitting, await sync_to_async(player)("watcher5"))
    assert sitting.public_id in AUDIENCES._by_match
    socket.socket.future.cancel()
    with suppress(asyncio.CancelledError):
        await socket.socket.future
    assert sitting.public_id not in AUDIENCES._by_match


@pytest.mark.parametrize("is_player", [True, False])
async def test_connection_leaves_the_table_even_if_the_layer_fails(
    monkeypatch: pytest.MonkeyPatch, is_player: bool
) -> None:
    sitting = await new_sitting()
    user = sitting.users[Side.WHITE] if is_player else await sync_to_async(player)("watcher5")
    socket = await opened(sitting, user)

    async def broken(group: str, channel: str) -> None:
        raise OSError("no layer")

    with monkeypatch.context() as patched:
        patched.setattr(get_channel_layer(), "group_discard", broken, raising=False)
        await socket.leave()
    assert sitting.public_id not in AUDIENCES._by_match
    if is_player:
        assert await Seat.objects.aget(match=sitting.match, user=user, holder__isnull=True)


async def test_audience_tries_again_until_the_layer_gives_it_a_channel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting = await new_sitting()
    layer: Any = get_channel_layer()
    new_channel, failures = layer.new_channel, ["first"]

    async def fails_once() -> Any:
        if failures and asyncio.current_task() is not socket.socket.future:
            failures.pop()
            raise OSError("no layer")
        return await new_channel()

    user = await sync_to_async(player)("watcher5")
    socket = await PageSocket(await browser_of(user), f"/ws/match/{sitting.public_id}/").open()
    monkeypatch.setattr("games.live.audience.ERROR_PAUSE_S", 0.01)
    monkeypatch.setattr(layer, "new_channel", fails_once, raising=False)
    await socket.say(t="join", v=1, since=-1, hold=False)
    async with asyncio.timeout(PATIENCE_S):
        assert (await socket.receive())["t"] == "state"
        while not channels_of(f"{sitting.public_id}.watch"):
            await asyncio.sleep(0.01)
    assert failures == []
    await socket.leave()
