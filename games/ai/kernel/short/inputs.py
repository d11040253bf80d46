"""Inputs of the nets of short backgammon.

First the points of each side in its own numbering, four units a point: a blot, a made point, a
third checker, half the number of further ones. Then numbers that a sum over points cannot express:
shots, blocks, escape rolls of the rearmost checker, pips, and distances that decide gammons.
"""

import numpy as np

from games.ai.kernel.arrays import wide
from games.ai.kernel.bits import IntArray, count_bits, trailing_zeros
from games.ai.kernel.jit import njit

# A net is bound to this number: raise it when anything that `encode` writes changes.
INPUTS_VERSION = 1

_UNITS = 96  # of one side's points
_MORE = 17  # further numbers of one side
INPUTS = 2 * (_UNITS + _MORE)
# One side has at most fifteen nonzero units: those of fifteen blots.
MAX_ACTIVE = 2 * (15 + _MORE)

# LEAVES: rolls of which the rearmost checker can play both dice. PASSES: those of them that bring
# it past the nearest closed point. HOME_MADE: points made at home. BEHIND: points held, and
# checkers on the bar, that must still pass the enemy's rearmost checker. TO_HOME: pips to bring all
# checkers home. ENTERS: the chance that both dice enter from the bar.
(
    _BAR, _BAR_MORE, _OFF, _NONE_OFF, _PIPS, _REAR, _LEAVES, _PASSES, _SHOTS, _HOME_MADE,
    _BLOCK_4, _BLOCK_5, _BLOCK_6, _BEHIND, _OUTSIDE, _TO_HOME, _ENTERS,
) = range(_MORE)  # fmt: skip

_POINTS = (1 << 25) - 2
_HOME = 0b1111110
_BAR_BIT = 1 << 25


def _way_tables() -> tuple[IntArray, IntArray]:
    """Return two counts of the 36 rolls, by the set of closed points among the next twelve.

    The first counts rolls of which a checker can play both dice; the second counts those of them
    that bring it past the nearest closed point.
    """
    plays, passes = np.zeros(4096, np.int8), np.zeros(4096, np.int8)
    for closed in range(4096):
        nearest = (closed & -closed).bit_length() or 13
        for a in range(1, 7):
            for b in range(1, 7):
                is_closed = [closed >> (step - 1) & 1 for step in (a, b, a + b)]
                if not is_closed[2] and not (is_closed[0] and is_closed[1]):
                    plays[closed] += 1
                    passes[closed] += a + b > nearest
    return plays, passes


_PLAYS, _PASSES_BLOCK = _way_tables()


@njit
def is_race(board: IntArray) -> bool:
    """Return whether contact is over."""
    if board[0] or board[25]:
        return False
    rear, front = 24, 1
    while rear and board[rear] <= 0:
        rear -= 1
    while front < 25 and board[front] >= 0:
        front += 1
    return rear < front


@njit
def encode(board: IntArray, idx: IntArray, val: IntArray) -> int:
    """Write the nonzero inputs, numbers to `idx` and values to `val`; return their count."""
    mine = my_made = theirs = their_made = 0
    my_pips = my_count = my_outside = my_way = 0
    their_pips = their_count = their_outside = their_way = 0
    for point in range(1, 25):
        own, enemy = max(wide(board[point]), 0), max(-wide(board[point]), 0)
        mine |= wide(own > 0) << point
        my_made |= wide(own > 1) << point
        theirs |= wide(enemy > 0) << point
        their_made |= wide(enemy > 1) << point
        my_count += own
        their_count += enemy
        my_pips += own * point
        their_pips += enemy * (25 - point)
        my_outside += own * wide(point > 6)
        their_outside += enemy * wide(point < 19)
        my_way += own * max(point - 6, 0)
        their_way += enemy * max(19 - point, 0)
    n = 0
    held = mine
    while held:
        point = trailing_zeros(held)
        held &= held - 1
        n = _units(4 * (point - 1), wide(board[point]), idx, val, n)
    held = theirs
    while held:
        point = trailing_zeros(held)
        held &= held - 1
        n = _units(_UNITS + 4 * (24 - point), -wide(board[point]), idx, val, n)
    my_bar, their_bar = wide(board[25]), wide(board[0])
    base, other = 2 * _UNITS, 2 * _UNITS + _MORE
    n = _race_part(base, my_count, my_pips, my_outside, my_way, my_bar, idx, val, n)
    n = _race_part(other, their_count, their_pips, their_outside, their_way, their_bar, idx, val, n)
    their_held = _mirror(theirs)
    rear, their_rear = _rear(mine, my_bar), _rear(their_held, their_bar)
    if rear + their_rear <= 25:
        return n
    my_blots, their_blots = _mirror(mine & ~my_made), theirs & ~their_made
    n = _contact_part(
        base, mine, my_made, my_bar, rear, their_made, their_blots, their_rear, idx, val, n
    )
    return _contact_part(
        other, their_held, _mirror(their_made), their_bar, their_rear, _mirror(my_made), my_blots,
        rear, idx, val, n,
    )  # fmt: skip


@njit
def _units(base: int, count: int, idx: IntArray, val: IntArray, n: int) -> int:
    """Write the four units of a point; count the nonzero ones, without a branch to mispredict."""
    one = wide(count == 1)
    idx[n], val[n] = base, 1.0
    n += one
    idx[n], val[n] = base + 1, 1.0
    n += 1 - one
    idx[n], val[n] = base + 2, 1.0
    n += wide(count > 2)
    idx[n], val[n] = base + 3, 0.5 * (count - 3)
    return n + wide(count > 3)


@njit
def _add(number: int, value: float, idx: IntArray, val: IntArray, n: int) -> int:
    idx[n] = number
    val[n] = value
    return n + 1


@njit
def _rear(held: int, bar: int) -> int:
    """Return the place of the rearmost checker, 0 when none is left."""
    if bar:
        return 25
    rear = 0
    for step in (16, 8, 4, 2, 1):
        if held >> step:
            held >>= step
            rear += step
    return rear


@njit
def _mirror(points: int) -> int:
    """Return bits 1..24 in the other side's numbering."""
    points <<= 7  # bit p is bit p + 7 of 32: mirrored it lands at 24 - p
    points = (points >> 1 & 0x55555555) | (points & 0x55555555) << 1
    points = (points >> 2 & 0x33333333) | (points & 0x33333333) << 2
    points = (points >> 4 & 0x0F0F0F0F) | (points & 0x0F0F0F0F) << 4
    points = (points >> 8 & 0x00FF00FF) | (points & 0x00FF00FF) << 8
    points = (points >> 16) | (points & 0xFFFF) << 16
    return points << 1


@njit
def _race_part(
    base: int,
    count: int,
    pips: int,
    outside: int,
    way: int,
    bar: int,
    idx: IntArray,
    val: IntArray,
    n: int,
) -> int:
    """Write pips, checkers off, and checkers still outside, which decide gammons."""
    n = _add(base + _PIPS, (pips + 25 * bar) * 0.01, idx, val, n)
    left = count + bar
    if left == 15:
        n = _add(base + _NONE_OFF, 1.0, idx, val, n)
    else:
        n = _add(base + _OFF, (15 - left) / 15.0, idx, val, n)
    if outside + bar:
        n = _add(base + _OUTSIDE, (outside + bar) * 0.1, idx, val, n)
        n = _add(base + _TO_HOME, (way + 19 * bar) * 0.02, idx, val, n)
    return n


@njit
def _contact_part(
    base: int,
    held: int,
    made: int,
    bar: int,
    rear: int,
    closed: int,
    blots: int,
    their_rear: int,
    idx: IntArray,
    val: IntArray,
    n: int,
) -> int:
    """Write one side's contact inputs in its own numbering; `closed`, `blots` are the enemy's."""
    if bar:
        n = _add(base + _BAR, 1.0, idx, val, n)
        open_points = 6 - count_bits(closed >> 18 & _HOME)
        n = _add(base + _ENTERS, open_points * open_points / 36.0, idx, val, n)
        if bar > 1:
            n = _add(base + _BAR_MORE, 0.5 * (bar - 1), idx, val, n)
    ahead = _mirror(closed << 12 >> rear << 1 & 8190) >> 13  # bit 0 = the point next to the rear
    n = _add(base + _REAR, rear / 24.0, idx, val, n)
    n = _add(base + _LEAVES, _PLAYS[ahead] / 36.0, idx, val, n)
    n = _add(base + _PASSES, _PASSES_BLOCK[ahead] / 36.0, idx, val, n)
    behind = held >> max(0, 25 - their_rear) + 1
    n = _add(base + _BEHIND, (count_bits(behind) + bar) * 0.2, idx, val, n)
    n = _add(base + _HOME_MADE, count_bits(made & _HOME) / 6.0, idx, val, n)
    shots = _shots(held, bar, _POINTS & ~closed, blots)
    if shots:
        n = _add(base + _SHOTS, shots / 36.0, idx, val, n)
    run = made & made >> 1
    run &= run >> 2
    if run:
        n = _add(base + _BLOCK_4, 1.0, idx, val, n)
        run = run & run >> 1
        if run:
            n = _add(base + _BLOCK_5, 1.0, idx, val, n)
            if run & run >> 1:
                n = _add(base + _BLOCK_6, 1.0, idx, val, n)
    return n


@njit
def _shots(held: int, bar: int, free: int, blots: int) -> int:
    """Count the rolls of 36 that hit a blot."""
    if not blots:
        return 0
    if bar:
        return _shots_from_bar(held, bar, free, blots)
    single = 0  # bit d: die d hits alone
    for die in range(1, 7):
        single |= wide((held >> die & blots) != 0) << die
    rolls = 0
    for a in range(1, 7):
        hit = single >> a & 1
        reached = held >> a & free
        if not hit:
            after_one = reached
            for _ in range(3):
                reached = reached >> a & free
                hit |= wide((reached & blots) != 0)
            reached = after_one
        rolls += hit
        for b in range(a + 1, 7):
            hit = (single >> a | single >> b) & 1
            both = (reached >> b | (held >> b & free) >> a) & blots
            rolls += 2 * (hit | wide(both != 0))
    return rolls


@njit
def _shots_from_bar(held: int, bar: int, free: int, blots: int) -> int:
    rolls = 0
    for a in range(1, 7):
        for b in range(1, 7):
            entry_a, entry_b = _BAR_BIT >> a & free, _BAR_BIT >> b & free
            hit = (entry_a | entry_b) & blots
            if a == b:
                reached = held | entry_a
                for _ in range(4 - bar if entry_a else 0):
                    reached = reached >> a & free
                    hit |= reached & blots
            elif bar == 1:
                if entry_a:
                    hit |= (held | entry_a) >> b & blots
                if entry_b:
                    hit |= (held | entry_b) >> a & blots
            rolls += hit != 0
    return rolls
