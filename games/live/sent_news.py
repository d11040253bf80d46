"""The news last sent to a player's connection or an audience: if outdated, a message was lost."""

from games.protocol.snapshots import News


class SentNews:
    """Presence and rematch of the last frames sent that had them."""

    def __init__(self) -> None:
        self._last: News = {}

    def note(self, news: News) -> None:
        """Note the news in a frame that is sent: both, one or none."""
        self._last |= news

    def outdated(self, newest: News) -> set[str]:
        """Return the kinds of news that differ from the last ones sent."""
        return {kind for kind, content in newest.items() if content != self._last.get(kind)}
