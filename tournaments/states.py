"""The states of a tournament and the only ways from one to another. Pure."""

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
# In these nothing can happen any more, except that prizes are paid.
OVER = frozenset(state for state, following in TRANSITIONS.items() if not following)


class WrongTransition(Exception):
    """A tournament cannot go from its state to the wanted one."""


def check(before: str, after: str) -> None:
    if after not in TRANSITIONS[before]:
        raise WrongTransition(f"{before} -> {after}")
