"""What the nets of short backgammon see of a position: mostly which places hold what.

Each side's points in its own numbering, four units a point (a blot, a made point, a third checker,
half of each further one), then what a sum over points cannot say: shots, blocks, the way out for
the rearmost checker, how far the race and a gammon are.
"""

import numpy as np

from games.ai.kernel.bits import IntArray, count_bits
from games.ai.kernel.jit import njit

# A net is bound to this number: it changes with anything that `encode` writes.
INPUTS_VERSION = 1

_UNITS = 96  # of one side's points
_MORE = 17  # further numbers of one side
INPUTS = 2 * (_UNITS + _MORE)
# Fifteen blots are the most units that one side can have.
MAX_ACTIVE = 2 * (15 + _MORE)

(
    _BAR, _BAR_MORE, _OFF, _NONE_OFF, _PIPS, _REAR, _LEAVES, _PASSES, _SHOTS, _CLOSED, _BLOCK_4,
    _BLOCK_5, _BLOCK_6, _BEHIND, _OUTSIDE, _TO_HOME, _ENTERS,
) = range(_MORE)  # fmt: skip

_POINTS = (1 << 25) - 2
_HOME = 0b1111110
_BAR_BIT = 1 << 25


def _way_tables() -> tuple[IntArray, IntArray]:
    """For each set of closed points among the next twelve, how many of 36 rolls let a checker
    play both dice, and how many of these take it past the nearest closed point."""
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
    """Whether the sides have passed each other."""
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
    """Writes the inputs that are not zero, their numbers to `idx` and values to `val`."""
    n = 0
    mine = my_made = theirs = their_made = 0
    my_pips = my_count = their_pips = their_count = 0
    for point in range(1, 25):
        count = np.int64(board[point])
        if count > 0:
            n = _units(4 * (point - 1), count, idx, val, n)
            mine |= 1 << point
            my_made |= np.int64(count > 1) << point
            my_pips += count * point
            my_count += count
        elif count < 0:
            n = _units(_UNITS + 4 * (24 - point), -count, idx, val, n)
            theirs |= 1 << 25 - point
            their_made |= np.int64(count < -1) << 25 - point
            their_pips -= count * (25 - point)
            their_count -= count
    my_bar, their_bar = np.int64(board[25]), np.int64(board[0])
    closed_to_me, closed_to_them = _mirror(their_made), _mirror(my_made)
    rears = _rear(mine, my_bar), _rear(theirs, their_bar)
    base = 2 * _UNITS
    n = _race_part(base, my_count + my_bar, my_pips + 25 * my_bar, idx, val, n)
    n = _race_part(base + _MORE, their_count + their_bar, their_pips + 25 * their_bar, idx, val, n)
    n = _home_part(base, board, 1, idx, val, n)
    n = _home_part(base + _MORE, board, -1, idx, val, n)
    if rears[0] + rears[1] <= 25:
        return n
    blots = _mirror(theirs & ~their_made), _mirror(mine & ~my_made)
    n = _contact_part(base, mine, my_bar, closed_to_me, blots[0], my_made, rears, idx, val, n)
    return _contact_part(
        base + _MORE, theirs, their_bar, closed_to_them, blots[1], their_made,
        (rears[1], rears[0]), idx, val, n,
    )  # fmt: skip


@njit
def _units(base: int, count: int, idx: IntArray, val: IntArray, n: int) -> int:
    if count == 1:
        return _add(base, 1.0, idx, val, n)
    n = _add(base + 1, 1.0, idx, val, n)
    if count > 2:
        n = _add(base + 2, 1.0, idx, val, n)
    if count > 3:
        n = _add(base + 3, 0.5 * (count - 3), idx, val, n)
    return n


@njit
def _add(number: int, value: float, idx: IntArray, val: IntArray, n: int) -> int:
    idx[n] = number
    val[n] = value
    return n + 1


@njit
def _rear(held: int, bar: int) -> int:
    """The place of the rearmost checker, 0 when none is left."""
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
    """Bits 1..24 as the other side numbers its points."""
    points <<= 7  # bit p is bit p + 7 of 32: mirrored it lands at 24 - p
    points = (points >> 1 & 0x55555555) | (points & 0x55555555) << 1
    points = (points >> 2 & 0x33333333) | (points & 0x33333333) << 2
    points = (points >> 4 & 0x0F0F0F0F) | (points & 0x0F0F0F0F) << 4
    points = (points >> 8 & 0x00FF00FF) | (points & 0x00FF00FF) << 8
    points = (points >> 16) | (points & 0xFFFF) << 16
    return points << 1


@njit
def _race_part(base: int, left: int, pips: int, idx: IntArray, val: IntArray, n: int) -> int:
    n = _add(base + _PIPS, pips * 0.01, idx, val, n)
    if left == 15:
        return _add(base + _NONE_OFF, 1.0, idx, val, n)
    return _add(base + _OFF, (15 - left) / 15.0, idx, val, n)


@njit
def _home_part(base: int, board: IntArray, side: int, idx: IntArray, val: IntArray, n: int) -> int:
    """How much has still to come home, which decides gammons."""
    outside = np.int64(board[25] if side > 0 else board[0])
    pips = outside * 19
    for step in range(7, 25):
        count = side * np.int64(board[step if side > 0 else 25 - step])
        if count > 0:
            outside += count
            pips += count * (step - 6)
    if outside:
        n = _add(base + _OUTSIDE, outside * 0.1, idx, val, n)
        n = _add(base + _TO_HOME, pips * 0.02, idx, val, n)
    return n


@njit
def _contact_part(
    base: int,
    held: int,
    bar: int,
    closed: int,
    blots: int,
    made: int,
    rears: tuple[int, int],
    idx: IntArray,
    val: IntArray,
    n: int,
) -> int:
    """One side's chances in its own numbering: `closed` and `blots` are the enemy's."""
    rear, their_rear = rears
    if bar:
        n = _add(base + _BAR, 1.0, idx, val, n)
        open_points = 6 - count_bits(closed >> 18 & _HOME)
        n = _add(base + _ENTERS, open_points * open_points / 36.0, idx, val, n)
        if bar > 1:
            n = _add(base + _BAR_MORE, 0.5 * (bar - 1), idx, val, n)
    ahead = (closed << 12 >> rear) & 4095  # bit 11 = the point next to the rearmost checker
    ahead = _mirror(ahead << 1) >> 13 & 4095
    n = _add(base + _REAR, rear / 24.0, idx, val, n)
    n = _add(base + _LEAVES, _PLAYS[ahead] / 36.0, idx, val, n)
    n = _add(base + _PASSES, _PASSES_BLOCK[ahead] / 36.0, idx, val, n)
    shots = _shots(held, bar, _POINTS & ~closed, blots)
    if shots:
        n = _add(base + _SHOTS, shots / 36.0, idx, val, n)
    behind = held & ~((2 << max(0, 25 - their_rear)) - 1)
    n = _add(base + _BEHIND, (count_bits(behind) + bar) * 0.2, idx, val, n)
    n = _add(base + _CLOSED, count_bits(made & _HOME) / 6.0, idx, val, n)
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
    """How many of 36 rolls hit a blot."""
    if not blots:
        return 0
    if bar:
        return _shots_from_bar(held, bar, free, blots)
    single = 0  # bit d: die d hits alone
    for die in range(1, 7):
        single |= np.int64((held >> die & blots) != 0) << die
    rolls = 0
    for a in range(1, 7):
        hit = single >> a & 1
        on = held >> a & free
        if not hit:
            first = on
            for _ in range(3):
                on = on >> a & free
                hit |= np.int64((on & blots) != 0)
            on = first
        rolls += hit
        for b in range(a + 1, 7):
            hit = (single >> a | single >> b) & 1
            both = (on >> b | (held >> b & free) >> a) & blots
            rolls += 2 * (hit | np.int64(both != 0))
    return rolls


@njit
def _shots_from_bar(held: int, bar: int, free: int, blots: int) -> int:
    rolls = 0
    for a in range(1, 7):
        for b in range(1, 7):
            entry_a, entry_b = _BAR_BIT >> a & free, _BAR_BIT >> b & free
            hit = (entry_a | entry_b) & blots
            if a == b:
                on = held | entry_a
                for _ in range(4 - bar if entry_a else 0):
                    on = on >> a & free
                    hit |= on & blots
            elif bar == 1:
                if entry_a:
                    hit |= (held | entry_a) >> b & blots
                if entry_b:
                    hit |= (held | entry_b) >> a & blots
            rolls += hit != 0
    return rolls
