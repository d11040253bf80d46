"""Players that come back after any lost connection."""

import asyncio
from contextlib import suppress

from websockets.exceptions import WebSocketException

from tests.games.protocol.independent_client import Frame, IndependentClient, Site

# Seconds until a player tries again.
AGAIN_AFTER_S = 0.3


class StubbornClient(IndependentClient):
    """Plays a match to its end, however often the site goes away."""

    async def play(self) -> Frame:
        while not self._is_over():
            with suppress(OSError, WebSocketException):
                await super().play()
            await asyncio.sleep(AGAIN_AFTER_S)
        outcome: Frame = self.state["view"]["outcome"]
        return outcome

    async def reach(self, seq: int) -> None:
        """Wait until this player has seen so many actions, or the end."""
        while self.seq < seq and not self._is_over():
            await asyncio.sleep(0.05)


async def sit_down(base: str, seed: int, **choices: str) -> StubbornClient:
    """Begin a training match at the site."""
    site = Site(base)
    match_id = await asyncio.to_thread(site.start_training, choices)
    return StubbornClient(site, match_id, seed)
