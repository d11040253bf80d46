"""Single moves of long nardy, on positions packed into three integers.

A node of the search is [own points 1-12, own points 13-24, rest], four bits for each point; the
rest is the set of points held and, from bit 32 on, the last source played.
"""

from games.ai.kernel.bits import OUTSIDE_HOME, IntArray, trailing_zeros
from games.ai.kernel.jit import njit
from games.ai.kernel.long.blocks import is_forbidden

HEAD = 24
LAST_SHIFT = 32
_HELD = (1 << 25) - 1
_HEAD_BIT = 1 << HEAD
_HEAD_SHIFT = 4 * (HEAD - 13)
# Factors of the hash of a position: for points 1-12 and for points 13-24.
_MIX_LOW, _MIX_HIGH = 0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9


@njit
def spread(
    nodes: IntArray,
    begin: int,
    end: int,
    at: int,
    die: int,
    bounds: tuple[int, int, int],
    slots: IntArray,
) -> int:
    """Play one die from the nodes `begin` to `end`, write the results from `at` on, return the end.

    `bounds` holds the points without enemies, the number of checkers that must stay on the head,
    and the zone where a block is forbidden. `slots` is a hash table, cleared by the caller, by
    which each position is written once. If it has no slots, positions are not compared; instead
    only sources up to the last one played are tried.
    """
    free, head_floor, zone = bounds
    compares = len(slots) > 0
    for index in range(begin, end):
        held = nodes[index, 2] & _HELD
        sources = held & (free << die)
        if nodes[index, 1] >> _HEAD_SHIFT <= head_floor:
            sources &= ~_HEAD_BIT
        if not held & OUTSIDE_HOME:
            sources |= _bear_off(held, die)
        if not compares:
            sources &= (2 << (nodes[index, 2] >> LAST_SHIFT)) - 1
        while sources:
            source = trailing_zeros(sources)
            sources &= sources - 1
            _play(nodes[index], source, die, nodes[at])
            if zone and is_forbidden(nodes[at, 2], zone):
                continue
            if not compares or _is_new(nodes, at, slots):
                at += 1
    return at


@njit
def _bear_off(held: int, die: int) -> int:
    """Return the bit of the point from which the die bears off when all are home, 0 for none."""
    if held >> die & 1:
        return 1 << die
    below = held & ((1 << die) - 1)
    if below != held:
        return 0
    while below & (below - 1):
        below &= below - 1
    return below


@njit
def _play(node: IntArray, source: int, die: int, after: IntArray) -> None:
    """Write to `after` the node with one checker moved by the die; past point 1 it is borne off."""
    low, high, held = node[0], node[1], node[2] & _HELD
    if source > 12:
        high -= 1 << 4 * (source - 13)
        emptied = (high >> 4 * (source - 13)) & 15 == 0
    else:
        low -= 1 << 4 * (source - 1)
        emptied = (low >> 4 * (source - 1)) & 15 == 0
    if emptied:
        held &= ~(1 << source)
    target = source - die
    if target > 12:
        high += 1 << 4 * (target - 13)
    elif target > 0:
        low += 1 << 4 * (target - 1)
    if target > 0:
        held |= 1 << target
    after[0], after[1], after[2] = low, high, held | source << LAST_SHIFT


@njit
def _is_new(nodes: IntArray, at: int, slots: IntArray) -> bool:
    """Insert the position of node `at`; return whether it was new."""
    low, high = nodes[at, 0], nodes[at, 1]
    mixed = low * _MIX_LOW ^ high * _MIX_HIGH
    slot = (mixed ^ mixed >> 29) >> 11 & (len(slots) - 1)
    while slots[slot] >= 0:
        known = slots[slot]
        if nodes[known, 0] == low and nodes[known, 1] == high:
            return False
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = at
    return True
