"""Pair people who wait for an opponent. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# The rating difference accepted at once, and the points by which each second of waiting widens it.
FIRST_RANGE = 100.0
WIDER_EACH_S = 20.0
# Seconds of waiting after which any rating is accepted.
ANY_AFTER_S = 45.0
# Maximum number of matches in a row between the same two people while other people wait.
MOST_IN_A_ROW = 2


@dataclass(frozen=True, slots=True)
class Waiting:
    """A person who waits. `terms` name rules, time and stake: only people with equal terms meet."""

    key: int
    person: str
    terms: str
    waited_s: float
    rating: float = 1500.0
    is_staked: bool = False
    # Persons whom this person blocks, and those with whom a pair was refused.
    apart_from: frozenset[str] = frozenset()
    # The opponents of the last matches with people, the newest first.
    last_met: tuple[str, ...] = ()
    # Digests of a member's origins. For credits, two members who share a device are never paired,
    # and two who share a network only if both have a history of matches.
    devices: frozenset[str] = frozenset()
    networks: frozenset[str] = frozenset()
    has_history: bool = True

    @property
    def range(self) -> float:
        if self.waited_s >= ANY_AFTER_S:
            return float("inf")
        return FIRST_RANGE + WIDER_EACH_S * self.waited_s


Pair = tuple[Waiting, Waiting]


def pair_up(waiting: Iterable[Waiting]) -> list[Pair]:
    """Pair people in order of waiting, each with the nearest rating that fits.

    Nobody is in two pairs, and no two of those left over fit each other.
    """
    people = sorted(waiting, key=_waiting_order)
    free = {one.key: one for one in people}
    pairs = []
    for one in people:
        if one.key not in free:
            continue
        found = min(
            (other for other in free.values() if fit(one, other, people)),
            key=lambda other: (distance(one, other), _waiting_order(other)),
            default=None,
        )
        if found is not None:
            pairs.append((one, found))
            del free[one.key], free[found.key]
    return pairs


def fit(one: Waiting, other: Waiting, waiting: Iterable[Waiting]) -> bool:
    """Return whether two may be paired now; `waiting` are all who wait."""
    if not may_meet(one, other) or distance(one, other) > max(one.range, other.range):
        return False
    return not is_too_often(one, other) or not any(_others(one, other, waiting))


def may_meet(one: Waiting, other: Waiting) -> bool:
    """Return whether two may be paired at all, however long they wait."""
    if one.person == other.person or one.terms != other.terms:
        return False
    if one.person in other.apart_from or other.person in one.apart_from:
        return False
    if not one.is_staked:
        return True
    if one.devices & other.devices:
        return False
    return (one.has_history and other.has_history) or not one.networks & other.networks


def is_too_often(one: Waiting, other: Waiting) -> bool:
    """Return whether another match of the two would exceed MOST_IN_A_ROW."""
    return _met_only(one, other.person) and _met_only(other, one.person)


def distance(one: Waiting, other: Waiting) -> float:
    return abs(one.rating - other.rating)


def _met_only(one: Waiting, person: str) -> bool:
    return one.last_met[:MOST_IN_A_ROW] == (person,) * MOST_IN_A_ROW


def _others(one: Waiting, other: Waiting, waiting: Iterable[Waiting]) -> Iterator[Waiting]:
    """Yield the other people whom one of the two could meet instead, now or later."""
    for third in waiting:
        is_other = third.person not in (one.person, other.person)
        if is_other and (may_meet(one, third) or may_meet(other, third)):
            yield third


def _waiting_order(one: Waiting) -> tuple[float, int]:
    return -one.waited_s, one.key
