"""The hand-made player of long nardy, compiled: a fixed rung of the ladder.

It computes the same numbers as `heuristic`, which explains them; a test compares the two.
"""

import math
from itertools import product

import numpy as np

from games.ai.kernel.bits import OUTSIDE_HOME, FloatArray, IntArray
from games.ai.kernel.jit import njit
from games.ai.kernel.long.shape import closed_ahead, flip, is_race, movable, points_held, walls
from tests.bench.ladder import bearoff
from tests.bench.ladder.features import NAMES, SIDE_FEATURES
from tests.bench.ladder.race import PIPS_PER_ROLL
from tests.bench.ladder.weights import LOSE_MARS, WIN, WIN_MARS

_SIDE = len(SIDE_FEATURES)
_FEATURES = len(NAMES)
_WIN = np.array(WIN)
_WIN_MARS = np.array(WIN_MARS)
_LOSE_MARS = np.array(LOSE_MARS)
_KNOWN = bearoff.MAX_CHECKERS
_BASE = _KNOWN + 1
_LIMIT = 30.0  # the largest exponent, so that exp cannot overflow


def _rolls_needed() -> tuple[IntArray, FloatArray]:
    """Return (table row by `_home_index`, table of the chances of needing 0, 1, ... rolls)."""
    rows = np.zeros(_BASE**6, np.int16)
    table: list[FloatArray] = []
    for home in product(range(_BASE), repeat=6):
        left = sum(home)
        if left <= _KNOWN:
            rows[sum(count * _BASE**exponent for exponent, count in enumerate(home))] = len(table)
            chances = bearoff.rolls_needed((15 - left, *home, *[0] * 19))
            table.append(np.pad(chances, (0, 16 - len(chances))))
    return rows, np.array(table)


_ROWS, _ROLLS_NEEDED = _rolls_needed()


@njit
def estimate(board: IntArray, chances: FloatArray) -> None:
    """Write the chances that the side that has just played wins, wins a mars and loses a mars."""
    if board[0] == 15:
        chances[0], chances[1], chances[2] = 1.0, 0.0 if board[25] else 1.0, 0.0
        return
    other = np.empty(26, np.int8)
    flip(board, other)
    if is_race(board):
        _estimate_race(board, other, chances)
        return
    features = np.empty(_FEATURES, np.float64)
    features_of(board, other, features)
    win = _logistic(_WIN, features)
    chances[0] = win
    chances[1] = 0.0 if board[25] else win * _logistic(_WIN_MARS, features)
    chances[2] = 0.0 if board[0] else (1.0 - win) * _logistic(_LOSE_MARS, features)


@njit
def equity(board: IntArray) -> float:
    """Return the cubeless equity of the side that has just played."""
    chances = np.empty(3, np.float64)
    estimate(board, chances)
    return float(2.0 * chances[0] - 1.0 + chances[1] - chances[2])


@njit
def best_of(boards: IntArray, count: int) -> int:
    """Return the row of the afterstate with the best equity and, among equals, the fewest pips."""
    best, best_equity, best_pips = 0, -9.0, 0.0
    for index in range(count):
        worth, left = equity(boards[index]), _effective_pips(boards[index])
        if worth > best_equity or (worth == best_equity and left < best_pips):
            best, best_equity, best_pips = index, worth, left
    return best


@njit
def features_of(board: IntArray, other: IntArray, features: FloatArray) -> None:
    """Write the numbers of `features.features`; `other` is the board seen by the other side."""
    mine, theirs = points_held(board)
    _side(board, mine, theirs, features[:_SIDE])
    theirs, mine = points_held(other)
    _side(other, theirs, mine, features[_SIDE : 2 * _SIDE])
    low = 0
    for point in range(1, 13):
        low += max(board[point], 0) + max(other[point], 0)
    lead = -_on_roll_sigma(_effective_pips(other), _effective_pips(board))
    features[2 * _SIDE] = lead
    features[2 * _SIDE + 1] = lead * (low + board[0] + board[25]) / 30
    features[2 * _SIDE + 2] = 1.0


@njit
def _logistic(weights: FloatArray, features: FloatArray) -> float:
    total = 0.0
    for index in range(_FEATURES):
        total += weights[index] * features[index]
    return 1.0 / (1.0 + math.exp(-max(-_LIMIT, min(_LIMIT, total))))


@njit
def _side(board: IntArray, mine: int, theirs: int, into: FloatArray) -> None:
    into[:] = 0.0
    rear = hemmed = stuck = stack = pips = 0
    for point in range(1, 25):
        count = max(board[point], 0)
        if not count:
            continue
        rear, pips = point, pips + point * count
        closed = closed_ahead(theirs, point)
        hemmed += count * closed
        if point > 6:
            stuck += count if closed >= 5 else 0
            stack += max(0, count - 2) if point < 24 else 0
        if point < 24:
            quarter = (24 - point) // 6  # 0: 19-23, 1: 13-18, 2: 7-12, 3: 1-6
            into[4 + quarter] += 1
            into[8 + max(quarter - 1, 0)] += count
    head = max(board[24], 0)
    into[0], into[1], into[2], into[3] = pips / 100, board[0] / 15, head / 15, max(0, head - 6) / 9
    into[4] /= 5
    for at in range(5, 8):
        into[at] /= 6
    into[8:11] /= 15
    behind_of = np.empty(4, np.int64)
    walls(board, behind_of)
    into[11:15] = behind_of / 15
    for die in range(1, 7):
        ways = movable(mine, theirs, rear, die)
        into[15] += min(3, ways) / 18
        if not ways:
            into[16 + max(die - 3, 0)] += 1
    into[16] /= 3
    into[20], into[21], into[22] = hemmed / 45, stuck / 15, rear / 24
    into[23], into[24] = closed_ahead(theirs, rear) / 6, stack / 15
    into[25] = closed_ahead(theirs, 24) * head / 45


@njit
def _effective_pips(board: IntArray) -> float:
    pips = left = 0
    for point in range(1, 25):
        count = max(board[point], 0)
        pips += point * count
        left += count
    waste = 2.0 * max(0, board[1] - 1) + max(0, board[2] - 1) + max(0, board[3] - 3)
    for point in range(4, 7):
        waste += 1.0 if board[point] <= 0 else 0.0
    return float(pips + waste + 0.5 * left)


@njit
def _on_roll_sigma(mine: float, theirs: float) -> float:
    lead = theirs - mine + PIPS_PER_ROLL / 2
    return lead / math.sqrt(1.8 * max(1.0, mine + theirs - 4))


@njit
def _normal_cdf(sigma: float) -> float:
    return 0.5 * (1.0 + math.erf(sigma / math.sqrt(2.0)))


@njit
def _mars_chance(loser: IntArray, winner: IntArray, loser_on_roll: bool) -> float:
    if loser[0]:
        return 0.0
    outside = 0
    for point in range(7, 25):
        outside += (point - 6) * max(loser[point], 0)
    needed = (outside + 6.0) / PIPS_PER_ROLL + 0.7
    available = max(_effective_pips(winner) / PIPS_PER_ROLL, (15 - winner[0]) / 2.3)
    if loser_on_roll:
        available += 0.5
    return _normal_cdf((needed - available) / (0.7 + 0.2 * math.sqrt(needed)))


@njit
def _estimate_race(board: IntArray, other: IntArray, chances: FloatArray) -> None:
    if _is_known(board) and _is_known(other):
        chances[0], chances[1], chances[2] = 1.0 - _on_roll_wins(other, board), 0.0, 0.0
        return
    win = _normal_cdf(-_on_roll_sigma(_effective_pips(other), _effective_pips(board)))
    chances[0] = win
    chances[1] = min(win, _mars_chance(other, board, True))
    chances[2] = min(1.0 - win, _mars_chance(board, other, False))


@njit
def _is_known(board: IntArray) -> bool:
    return board[0] >= 15 - _KNOWN and points_held(board)[0] & OUTSIDE_HOME == 0


@njit
def _on_roll_wins(board: IntArray, other: IntArray) -> float:
    mine = _ROLLS_NEEDED[_ROWS[_home_index(board)]]
    theirs = _ROLLS_NEEDED[_ROWS[_home_index(other)]]
    won, not_yet_off = 0.0, 1.0
    for turn in range(16):
        won += mine[turn] * not_yet_off
        not_yet_off -= theirs[turn]
    return float(won)


@njit
def _home_index(board: IntArray) -> int:
    index = 0
    for point in range(6, 0, -1):
        index = index * _BASE + max(board[point], 0)
    return index
