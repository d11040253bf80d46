"""Whole matches are played while the channel layer loses, doubles and reorders messages.

Connections break too. The clients are written from the protocol's documents alone
(`IndependentClient`): they detect gaps by seq and pings. One client plays; the other, a second tab
of the same player, only watches. Both must end with the server's view and receive no view that the
server never had.
"""

import asyncio
import random
from contextlib import suppress
from math import sqrt
from typing import Any

import pytest
from channels.layers import channel_layers
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from config.sockets.memory_layer import MemoryLayer
from games import selectors
from games.bots.driver import BotDriver
from games.consumers import MatchConsumer
from games.engine.match.action_codec import action_from_dict
from games.engine.match.apply import apply
from games.engine.match.public_view import public_view
from games.engine.match.state import new_match
from games.engine.rules import Rules
from games.live import open_tables, state_pace
from tests.games import factories
from tests.games.factories import Sitting, assert_log_folds
from tests.games.protocol.independent_client import Frame, IndependentClient
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

LOST, DOUBLED, LATE = 0.30, 0.10, 0.15  # shares of the messages
LATE_S = 0.03  # the longest delay of a late message
TIMEOUT_S = 120
PLAYER_DROPS, WATCHER_DROPS = 12, 8  # most connections that each client loses on purpose


class ChaosLayer(MemoryLayer):
    """A channel layer that loses 30 % of group messages and doubles or delays some others."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.rng = random.Random(seed)
        self.counts = {"all": 0, "lost": 0, "doubled": 0, "late": 0}
        self.loop: asyncio.AbstractEventLoop | None = None  # delivers late messages

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        self.counts["all"] += 1
        pick = self.rng.random()
        if pick < LOST:
            self.counts["lost"] += 1
        elif pick < LOST + DOUBLED:
            self.counts["doubled"] += 1
            await super().send(channel, dict(message))
            await self._send_late(channel, message)
        elif pick < LOST + DOUBLED + LATE:
            await self._send_late(channel, message)
        else:
            await super().send(channel, message)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send to each channel separately, so that some lose the message and others do not."""
        for channel in list(self.groups.get(group, ())):
            await self.send(channel, dict(message))

    async def _send_late(self, channel: str, message: dict[str, Any]) -> None:
        self.counts["late"] += 1
        assert self.loop is not None

        async def deliver() -> None:
            await asyncio.sleep(LATE_S * self.rng.random())
            with suppress(Exception):  # its receiver may have disconnected
                await MemoryLayer.send(self, channel, dict(message))

        asyncio.run_coroutine_threadsafe(deliver(), self.loop)


class BreakingSocket:
    """A connection to the consumer that looks like a websocket and breaks without a close frame."""

    def __init__(
        self, sitting: Sitting, rng: random.Random, lingering: list[asyncio.Task[None]]
    ) -> None:
        self.lingering = lingering
        self.app = WebsocketCommunicator(MatchConsumer.as_asgi(), "/")
        self.app.scope["url_route"] = {"kwargs": {"public_id": sitting.public_id}}
        self.app.scope["session"] = {"guest": str(sitting.guest)}
        self.app.scope["user"] = AnonymousUser()
        self.rng = rng

    async def __aenter__(self) -> "BreakingSocket":
        await self.app.connect(timeout=TIMEOUT_S)
        return self

    async def __aexit__(self, *error: object) -> None:
        # The server notices half of the breaks at once, others perhaps only after a reconnection.
        hang_up = self.app.disconnect(timeout=TIMEOUT_S)
        if self.rng.random() < 0.5:
            await hang_up
        else:
            self.lingering.append(asyncio.create_task(hang_up))

    async def send(self, text: str) -> None:
        await self.app.send_input({"type": "websocket.receive", "text": text})

    async def recv(self) -> str:
        # Read the queue directly: the communicator's method cancels the consumer on a timeout.
        message = await self.app.output_queue.get()
        assert message["type"] == "websocket.send", message
        return message["text"]


class Player(IndependentClient):
    """A client that remembers each view it received."""

    def __init__(self, sitting: Sitting, seed: int, drops: int) -> None:
        super().__init__(
            DirectSite(sitting, seed), sitting.public_id, seed, drops, pace=1e6, ping_after_s=0.05
        )
        self.entropy = bytes(range(16))  # the same dice in every run
        self.seen: dict[int, Frame] = {}

    def _take(self, frame: Frame) -> None:
        assert frame["seq"] >= self.seq
        super()._take(frame)
        self.seen[frame["seq"]] = frame["view"]


class Watcher(Player):
    """A second tab: it never takes the seat and never acts."""

    def __init__(self, sitting: Sitting, seed: int, drops: int) -> None:
        super().__init__(sitting, seed, drops)
        self.holds = False

    async def _act(self, socket: Any) -> None:
        return


class DirectSite:
    """Replaces the `Site` of an `IndependentClient`: connects to the consumer without a server."""

    def __init__(self, sitting: Sitting, seed: int) -> None:
        self.sitting = sitting
        self.rng = random.Random(seed)
        self.lingering: list[asyncio.Task[None]] = []

    def socket(self, match_id: str) -> BreakingSocket:
        return BreakingSocket(self.sitting, self.rng, self.lingering)


async def drive_bots(driver: BotDriver) -> None:
    while True:
        await driver.drive(timezone.now())
        await asyncio.sleep(0.01)


async def play(clients: list[Player], layer: ChaosLayer) -> None:
    layer.loop = asyncio.get_running_loop()
    driver = BotDriver()
    await driver.start()
    driving = asyncio.create_task(drive_bots(driver))
    try:
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*(client.play() for client in clients))
            for client in clients:
                await asyncio.gather(*client.site.lingering)
    finally:
        driving.cancel()
        await asyncio.gather(driving, return_exceptions=True)
        await driver.stop()


def views(sitting: Sitting) -> dict[int, Frame]:
    """Return the server's view after each action, folded again from the log."""
    state = new_match(sitting.state.rules)
    found = {}
    for row in selectors.log_of(sitting.match):
        state = apply(state, action_from_dict(row.data))
        found[row.seq] = public_view(state, state.at_ms)
    return found


@pytest.mark.parametrize(
    ("rules", "seed"),
    [(Rules.of("short", length=3), 5), (Rules.of("long", length=1), 6)],
    ids=["short", "long"],
)
def test_every_client_ends_equal_to_the_server_when_messages_are_lost_and_connections_break(
    rules: Rules, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factories, "START", timezone.now())
    monkeypatch.setattr(open_tables, "CHECK_EVERY_S", 1)
    monkeypatch.setattr(state_pace, "EVERY_S", 0.01)  # these clients play faster than people
    layer = ChaosLayer(seed)
    monkeypatch.setitem(channel_layers.backends, "default", layer)
    sitting = Sitting(rules, "casual")
    clients = [
        Player(sitting, seed, drops=PLAYER_DROPS),
        Watcher(sitting, seed + 1, drops=WATCHER_DROPS),
    ]
    asyncio.run(play(clients, layer))
    assert_log_folds(sitting.match)
    truth = views(sitting)
    for client in clients:
        assert client.seq == sitting.match.seq
        assert client.state["view"] == truth[client.seq]
        assert client.seen.items() <= truth.items()
    # By chance the number of lost messages is off by 5 standard deviations once in a million runs.
    total = layer.counts["all"]
    assert abs(layer.counts["lost"] - LOST * total) < 5 * sqrt(total * LOST * (1 - LOST))
    assert min(layer.counts.values()) > 0
    assert sum(client.drops for client in clients) < PLAYER_DROPS + WATCHER_DROPS
