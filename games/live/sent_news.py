"""The news last sent to a player's connection or an audience: if outdated, a message was lost."""

from games.protocol import snapshots
from games.protocol.snapshots import Frame, News


class SentNews:
    """Presence and rematch of the last frames sent that had them."""

    def __init__(self) -> None:
        self._last: News = {}

    def note(self, frame: Frame) -> None:
        """Note a frame that is sent; it may have both, as `state`, or one."""
        self._last |= snapshots.news_in(frame)

    def outdated(self, newest: News) -> set[str]:
        """Return the kinds of news that differ from the last ones sent."""
        return {kind for kind, content in newest.items() if content != self._last.get(kind)}
