"""Tells pages that announced games changed, and people that their own game did."""

from collections.abc import Iterable

from accounts.broadcast import nudge, nudge_topic

SEEKS = "seeks"
MATCH = "match"


def seeks_changed() -> None:
    """After the commit: the lists of announced and running games are no longer right."""
    nudge_topic(SEEKS)


def own_game_changed(user_ids: Iterable[int | None]) -> None:
    """After the commit: a match begins, or a challenge comes, goes or is answered.

    Nobody is told for None.
    """
    for user_id in user_ids:
        if user_id is not None:
            nudge(user_id, MATCH)
