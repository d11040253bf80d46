"""The audiences of this process, one for each match that has spectators here."""

from games.live.audience import Audience, SpectatorLike


class Audiences:
    """The audiences of one process: opened for a match's first spectator, closed after its last."""

    def __init__(self) -> None:
        self._by_match: dict[str, Audience] = {}

    def enter(self, spectator: SpectatorLike) -> Audience:
        audience = self._by_match.get(spectator.public_id)
        if audience is None:
            audience = self._by_match[spectator.public_id] = Audience(spectator.public_id)
            audience.open()
        audience.spectators.add(spectator)
        audience.count_changed()
        return audience

    def leave(self, spectator: SpectatorLike) -> None:
        audience = self._by_match.get(spectator.public_id)
        if audience is None:
            return
        audience.spectators.discard(spectator)
        audience.count_changed()
        if not audience.spectators:
            del self._by_match[spectator.public_id]
            audience.close()


AUDIENCES = Audiences()
