"""The person or bot that acts, before their seat is looked up."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self
from uuid import UUID

from games.engine.sides import Side
from games.models import Seat


@dataclass(frozen=True, slots=True)
class Actor:
    """A member, a guest or a bot, by the first three fields; a stranger if all three are None.

    `holder` is the fencing token of the acting connection; None for bots and for connections that
    only watch. `lag_ms` is the lag of that connection as the server measured it.
    """

    user_id: int | None = None
    guest: UUID | None = None
    bot_side: Side | None = None
    holder: UUID | None = None
    lag_ms: int = 0

    @classmethod
    def bot(cls, side: Side) -> Self:
        return cls(bot_side=side)

    def is_on(self, seat: Seat) -> bool:
        if self.bot_side is not None:
            return bool(seat.bot) and seat.side == self.bot_side.value
        if self.user_id is not None:
            return seat.user_id == self.user_id
        return self.guest is not None and seat.guest == self.guest

    def is_holder_of(self, seat: Seat) -> bool:
        """Return whether this connection holds the seat; False if it has no token."""
        return self.holder is not None and seat.holder == self.holder


def find_seat(seats: Iterable[Seat], actor: Actor) -> Seat | None:
    return next((seat for seat in seats if actor.is_on(seat)), None)


def asker_key(actor: Actor) -> str:
    """Return the key by which requests for reviews and advice are limited, per member or guest."""
    return f"user {actor.user_id}" if actor.user_id is not None else f"guest {actor.guest}"
