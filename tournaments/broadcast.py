"""Nudges after the commit, which make pages read a tournament again."""

from collections.abc import Iterable
from functools import partial

from accounts.broadcast import nudge, nudge_topic
from accounts.shared.transactions import announce_after_commit

# Names of nudges: the lists, one tournament (to its members), the count of running tournaments.
TOURNAMENTS = "tournaments"
TOURNAMENT = "tournament"
RUNNING = "running"


def lists_changed() -> None:
    """Refresh lists of tournaments."""
    announce_after_commit(partial(nudge_topic, TOURNAMENTS))


def running_changed() -> None:
    """Refresh the count of running tournaments, which every page of a member shows."""
    announce_after_commit(partial(nudge_topic, RUNNING))


def members_changed(user_ids: Iterable[int], public_id: str) -> None:
    """Refresh what these members' pages show of one tournament, and the lists of everybody."""
    lists_changed()
    for user_id in sorted(set(user_ids)):
        announce_after_commit(partial(nudge, user_id, TOURNAMENT, public_id))
