"""Tells pages that announced games changed, and two people that their match begins."""

from collections.abc import Iterable

from accounts.broadcast import nudge, nudge_topic

SEEKS = "seeks"
MATCH = "match"


def seeks_changed() -> None:
    """After the commit: the lists of announced and running games are no longer right."""
    nudge_topic(SEEKS)


def match_began(user_ids: Iterable[int]) -> None:
    """After the commit: their table waits for them."""
    for user_id in user_ids:
        nudge(user_id, MATCH)
