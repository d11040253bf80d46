"""What one connection says and hears in the chat of its room."""

from collections.abc import Awaitable, Callable
from typing import Any

from django.utils import timezone

from accounts.executor import hop
from chat.selectors import unheard
from games.engine.sides import Side
from games.protocol import incoming
from games.services import talking
from games.services.refusals import Refused

Tell = Callable[[dict[str, Any]], Awaitable[None]]


class Speaker:
    """Of a player (`side`) or of a spectator; without an account one only reads."""

    def __init__(self, public_id: str, side: Side | None, user_id: int | None, tell: Tell) -> None:
        self._public_id = public_id
        self._side = side
        self._user_id = user_id
        self._tell = tell
        self._unheard: set[int] = set()

    async def catch_up(self) -> None:
        """What was said before this connection came."""
        await self.learn_whom_to_avoid()
        for frame in await hop(talking.recent, self._public_id, self._side, self._user_id):
            await self._tell(frame)

    async def learn_whom_to_avoid(self) -> None:
        if self._user_id is not None:
            self._unheard = await hop(unheard, self._user_id)

    async def answer(self, frame: incoming.Speech) -> None:
        """Raises `Refused`: `not_member` without an account, and the chat's own codes."""
        if self._user_id is None:
            raise Refused("not_member")
        now = timezone.now()
        if isinstance(frame, incoming.Say):
            await hop(talking.say, self._public_id, self._side, self._user_id, frame, now)
            await self._tell({"t": "heard", "id": str(frame.id)})
        elif isinstance(frame, incoming.Mute):
            muted = await hop(talking.mute, self._public_id, self._user_id, frame.player, now)
            self._unheard |= {muted} if muted is not None else set()
        else:
            await hop(talking.report, self._public_id, self._side, self._user_id, frame.id, now)

    async def hear(self, message: dict[str, Any]) -> None:
        """Somebody said something in the room."""
        if message["author"] not in self._unheard:
            await self._tell(message["frame"])
