"""Long nardy, compiled: whole turns, the other side's view, the end of a game.

`games.engine` stays the source of truth; a test compares the two under every rule switch. The
board is described in the docstring of `games.ai.kernel`. The side's point p is the enemy's point
p + 12 or p - 12.
"""

import numpy as np

from games.ai.kernel.bits import POINTS, IntArray
from games.ai.kernel.jit import njit
from games.ai.kernel.long.blocks import block_zone, is_forbidden
from games.ai.kernel.long.inputs import INPUTS, INPUTS_VERSION, MAX_ACTIVE, encode
from games.ai.kernel.long.shape import flip, is_race
from games.ai.kernel.long.single_moves import HEAD, LAST_SHIFT, spread
from games.engine.board.position import Counts
from games.engine.board.variants import LONG
from games.engine.rules import BlockRule, HeadRule, Profile, Rules

__all__ = [
    "BLOCK_AT_END", "FIRST_TURN", "HEAD_FIXED", "INPUTS", "INPUTS_VERSION", "KOKS", "KOKS_AT_HOME",
    "MANUAL", "MARS", "MAX_ACTIVE", "MAX_AFTERSTATES", "PHASES", "afterstates", "board_of",
    "counts_of", "encode", "finished", "flip", "kinds_of", "phase", "start", "turn_flags",
]  # fmt: skip

# Bits of `flags`. FIRST_TURN: the mover has not moved in this game yet. HEAD_FIXED: in the first
# turn, a second checker may leave the head with `_FIXED_DOUBLETS` only; without this bit, it may
# do so if more dice can be played then. BLOCK_AT_END: blocks are judged at the end of the turn, not
# at every move.
FIRST_TURN, HEAD_FIXED, BLOCK_AT_END = 1, 2, 4

# Bits of `kinds`. MARS, KOKS: mars and koks count. KOKS_AT_HOME: a loser's checker in the winner's
# home makes koks (federation), not one in the loser's first quarter. MANUAL: a loser's checker
# outside the loser's home makes mars, even if others have been borne off.
MARS, KOKS, KOKS_AT_HOME, MANUAL = 1, 2, 4, 8

# A turn of four moves splits among the fifteen checkers as 1+1+1+1 (1365 ways), 2+1+1 (1365),
# 3+1 (210), 2+2 (105) or 4 (15): at most 3060 results; three moves have at most 680, two 120.
MAX_AFTERSTATES = 3060
_DOUBLET_NODES = 1 + 15 + 120 + 680 + MAX_AFTERSTATES
_PLAIN_NODES = 1 + 15 + 15 + 225
_DOUBLET_SLOTS, _PLAIN_SLOTS = 8192, 1024

_FIXED_DOUBLETS = (3, 4, 6)

# A net for the race, and four for contact, by which sides have a checker in their first quarter.
PHASES = 5
BOTH_BEHIND, RACE, MINE_BEHIND, THEIRS_BEHIND, NONE_BEHIND = range(PHASES)


def turn_flags(rules: Rules, first_turn: bool) -> int:
    """Return the `flags` of a turn under these rules."""
    flags = FIRST_TURN if first_turn else 0
    flags |= HEAD_FIXED if rules.head is HeadRule.FIXED else 0
    return flags | (BLOCK_AT_END if rules.block is BlockRule.END_OF_TURN else 0)


def kinds_of(rules: Rules) -> int:
    """Return the `kinds` of a game under these rules."""
    kinds = (MARS if rules.mars else 0) | (KOKS if rules.koks else 0)
    kinds |= KOKS_AT_HOME if rules.profile is Profile.FEDERATION else 0
    return kinds | (MANUAL if rules.profile is Profile.MANUAL else 0)


def board_of(mine: Counts, theirs: Counts) -> IntArray:
    """Return the board of the engine's counts of the mover and the other side."""
    board = np.zeros(26, np.int8)
    board[0], board[25] = mine[0], theirs[0]
    for point in range(1, 25):
        board[point] = mine[point] - theirs[LONG.opposite[point]]
    return board


def counts_of(board: IntArray) -> tuple[Counts, Counts]:
    """Return the engine's counts of the mover and the other side."""
    points = [int(count) for count in board]
    mine = (points[0], *(max(count, 0) for count in points[1:25]), 0)
    theirs = (max(-points[LONG.opposite[point]], 0) for point in range(1, 25))
    return mine, (points[25], *theirs, 0)


@njit
def phase(board: IntArray) -> int:
    """Return the phase, the number of the net that evaluates the board."""
    if is_race(board):
        return RACE
    mine = theirs = False
    for point in range(19, 25):
        mine |= board[point] > 0
        theirs |= board[point - 12] < 0
    if mine:
        return BOTH_BEHIND if theirs else MINE_BEHIND
    return THEIRS_BEHIND if theirs else NONE_BEHIND


@njit
def start(board: IntArray) -> None:
    board[:] = 0
    board[HEAD] = 15
    board[HEAD - 12] = -15


@njit
def finished(board: IntArray, kinds: int = MARS) -> int:
    """Return the points of the mover's win, 0 while checkers are left; the cube is not counted."""
    if board[0] < 15:
        return 0
    if not kinds & MARS or (board[25] > 0 and not kinds & MANUAL):
        return 1
    # In the mover's numbers the enemy's first quarter is 7-12 and the enemy's home 13-18.
    quarter = 1 if kinds & KOKS_AT_HOME else 7
    for point in range(quarter, quarter + 6):
        if board[point] < 0:
            return 3 if kinds & KOKS else 2
    if kinds & MANUAL:
        for point in range(1, 25):
            if board[point] < 0 and (point < 13 or point > 18):
                return 2
        return 1
    return 2


@njit
def afterstates(board: IntArray, d1: int, d2: int, flags: int, out: IntArray) -> int:
    """Write the distinct boards after the whole turn to `out`, still seen by the mover.

    Return their count: at least one, since a pass leaves the board unchanged.
    """
    high, low = max(d1, d2), min(d1, d2)
    dice = 4 if high == low else 2
    nodes = np.empty((_DOUBLET_NODES if dice == 4 else _PLAIN_NODES, 3), np.int64)
    first_turn = flags & FIRST_TURN
    limit = 1
    if first_turn and flags & HEAD_FIXED and dice == 4 and high in _FIXED_DOUBLETS:
        limit = 2
    used, begin, end = _search(board, high, low, limit, flags, nodes)
    if first_turn and not flags & HEAD_FIXED and used < dice:
        other = np.empty_like(nodes)
        more, other_begin, other_end = _search(board, high, low, 2, flags, other)
        if more > used:
            nodes, begin, end = other, other_begin, other_end
    assert end - begin <= len(out)
    for index in range(begin, end):
        _unpack(nodes[index], board, out[index - begin])
    return end - begin


@njit
def _unpack(node: IntArray, board: IntArray, out: IntArray) -> None:
    """Write the board of a node to `out`; `board` is the one before the turn."""
    left = 0
    for half in range(2):
        word = node[half]
        for place in range(12 * half + 1, 12 * half + 13):
            count = word & 15
            word >>= 4
            left += count
            out[place] = min(board[place], 0) + count
    out[0] = 15 - left
    out[25] = board[25]


@njit
def _search(
    board: IntArray, high: int, low: int, limit: int, flags: int, nodes: IntArray
) -> tuple[int, int, int]:
    """Return (dice used, begin, end): the rows of `nodes` with the legal results.

    At most `limit` checkers leave the head.
    """
    nodes[0, 0], nodes[0, 1] = 0, 0
    held = closed = 0
    for point in range(1, 25):
        count = board[point]
        if count > 0:
            held |= 1 << point
            nodes[0, (point - 1) // 12] |= np.int64(count) << 4 * ((point - 1) % 12)
        elif count < 0:
            closed |= 1 << point
    nodes[0, 2] = held | HEAD << LAST_SHIFT
    # Skip the check of blocks if the turn cannot make six points in a row ahead of all enemies.
    zone = block_zone(closed, board[25])
    free = POINTS & ~closed
    if not is_forbidden(_reach(held, free, high, low), zone):
        zone = 0
    at_end, each_move = (zone, 0) if flags & BLOCK_AT_END else (0, zone)
    bounds = (free, board[HEAD] - limit, each_move)
    if high == low:
        return _search_doublet(nodes, high, bounds, at_end)
    return _search_plain(nodes, high, low, bounds, at_end)


@njit
def _search_plain(
    nodes: IntArray, high: int, low: int, bounds: tuple[int, int, int], at_end: int
) -> tuple[int, int, int]:
    """Play both dice in either order; if only one can be played, the larger if possible."""
    no_slots = np.empty(0, np.int16)
    slots = np.full(_PLAIN_SLOTS, -1, np.int16)
    after_high = spread(nodes, 0, 1, 1, high, bounds, no_slots)
    after_low = spread(nodes, 0, 1, after_high, low, bounds, no_slots)
    both = spread(nodes, 1, after_high, after_low, low, bounds, slots)
    both = spread(nodes, after_high, after_low, both, high, bounds, slots)
    both = _keep_legal(nodes, after_low, both, at_end)
    if both > after_low:
        return 2, after_low, both
    legal = _keep_legal(nodes, 1, after_high, at_end)
    if legal > 1:
        return 1, 1, legal
    legal = _keep_legal(nodes, after_high, after_low, at_end)
    if legal > after_high:
        return 1, after_high, legal
    return 0, 0, 1


@njit
def _search_doublet(
    nodes: IntArray, die: int, bounds: tuple[int, int, int], at_end: int
) -> tuple[int, int, int]:
    """Search move by move; return the legal results with the most moves.

    If blocks are checked at the end only, the order of moves does not matter: playing rear checkers
    first finds each result once. If they are checked at each move, results have to be compared.
    """
    judges_moves = bounds[2] != 0
    slots = np.empty(_DOUBLET_SLOTS if judges_moves else 0, np.int16)
    ends = np.empty(5, np.int64)
    ends[0] = 1
    begin, used = 0, 0
    while used < 4:
        slots[:] = -1
        end = spread(nodes, begin, ends[used], ends[used], die, bounds, slots)
        if end == ends[used]:
            break
        begin = ends[used]
        used += 1
        ends[used] = end
    while used > 0:
        begin = ends[used - 1]
        legal = _keep_legal(nodes, begin, ends[used], at_end)
        if legal > begin:
            return used, begin, legal
        used -= 1
    return 0, 0, 1


@njit
def _keep_legal(nodes: IntArray, begin: int, end: int, zone: int) -> int:
    """Drop the nodes with a block forbidden in `zone`; return the new end."""
    if not zone:
        return end
    kept = begin
    for index in range(begin, end):
        if not is_forbidden(nodes[index, 2], zone):
            nodes[kept] = nodes[index]
            kept += 1
    return kept


@njit
def _reach(held: int, free: int, high: int, low: int) -> int:
    """Return all points that may be held at some moment of the turn, the present ones included."""
    if high == low:
        for _ in range(4):
            held |= held >> high & free
        return held
    one, other = held >> high & free, held >> low & free
    return held | one | other | (one >> low & free) | (other >> high & free)
