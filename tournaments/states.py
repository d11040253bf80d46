"""The states of a tournament, and the allowed changes from one to another. Pure."""

from collections.abc import Mapping
from types import MappingProxyType

PROPOSED, REJECTED = "PROPOSED", "REJECTED"
ANNOUNCED, CANCELED = "ANNOUNCED", "CANCELED"
RUNNING, FINISHED, VOID = "RUNNING", "FINISHED", "VOID"

TRANSITIONS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        PROPOSED: frozenset({ANNOUNCED, REJECTED}),
        REJECTED: frozenset(),
        ANNOUNCED: frozenset({RUNNING, CANCELED}),
        CANCELED: frozenset(),
        RUNNING: frozenset({FINISHED, VOID}),
        FINISHED: frozenset(),
        VOID: frozenset(),
    }
)
# The final states; only prizes are paid afterwards.
OVER = frozenset(state for state, following in TRANSITIONS.items() if not following)
# In these states only staff and the member who proposed the tournament see it.
HIDDEN = (PROPOSED, REJECTED)


class WrongTransition(Exception):
    """A tournament's state cannot change to the wanted one."""


def check(before: str, after: str) -> None:
    """Raise `WrongTransition` unless a tournament's state may change from `before` to `after`."""
    if after not in TRANSITIONS[before]:
        raise WrongTransition(f"{before} -> {after}")
