"""One action done at a table: what services write, and what listeners are told of."""

from dataclasses import dataclass
from uuid import UUID

from games.engine.match.actions import Action
from games.engine.match.state import MatchState


@dataclass(frozen=True, slots=True)
class Step:
    """An action, its number in the log, and the state it led to.

    `client_id` is the id of the player's command, None for what the server did by itself.
    """

    seq: int
    action: Action
    state: MatchState
    client_id: UUID | None = None
