"""One action at a table, as services write it and broadcasts announce it."""

from dataclasses import dataclass
from uuid import UUID

from games.engine.match.actions import Action
from games.engine.match.state import MatchState


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """An action, its number in the log, and the state after it.

    `client_id` is the id of the player's command, None for actions of the server.
    """

    seq: int
    action: Action
    state: MatchState
    client_id: UUID | None = None
