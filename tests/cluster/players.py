"""Players that come back after any lost connection."""

import asyncio
from typing import Any

from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.games.protocol.independent_client import Frame, IndependentClient, Site

# Seconds from a lost connection to the next attempt.
AGAIN_AFTER_S = 0.3


class StubbornClient(IndependentClient):
    """Plays a match to its end, even if the site fails again and again.

    `codes`: the close codes that the site sent. `is_away`: whether the connection is lost, or a new
    one has brought nothing yet; a page then shows that it is connecting.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.codes: list[int] = []
        self.is_away = True

    async def play(self) -> Frame:
        while not self._is_over():
            try:
                await super().play()
            except ConnectionClosed as closed:
                self.codes += [closed.rcvd.code] if closed.rcvd else []
            except (OSError, WebSocketException):
                pass  # the site does not answer, or asks to try again
            self.is_away = True
            await asyncio.sleep(AGAIN_AFTER_S)
        outcome: Frame = self.state["view"]["outcome"]
        return outcome

    async def _sit_down(self, socket: Any) -> None:
        await super()._sit_down(socket)
        self.is_away = False

    def _handle_error(self, frame: Frame) -> None:
        if frame["code"] == "internal":  # the database did not answer for a moment
            raise ConnectionError("the site asks to try again")
        super()._handle_error(frame)

    @property
    def is_done(self) -> bool:
        return self._is_over()

    async def reach(self, seq: int) -> None:
        """Wait until this player has seen the action with this seq, or the end of the match."""
        while self.seq < seq and not self._is_over():
            await asyncio.sleep(0.05)


async def begin_training(base: str, seed: int, **choices: str) -> StubbornClient:
    """Begin a training match at the site; return its player."""
    site = Site(base)
    match_id = await asyncio.to_thread(site.start_training, choices)
    return StubbornClient(site, match_id, seed)
