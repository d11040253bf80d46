"""Single moves: the checkers that may play one die, in each variant.

A single move is (bit of the source point, board reached). Values that stay the same during the turn
are computed once, outside the inner functions, whose loops run a few hundred times a roll.
"""

from collections.abc import Callable

from games.engine.board.bitboard import (
    BAR_BIT,
    CARRY_BIT,
    COUNT_BITS,
    ENEMY_BAR_BIT,
    ENEMY_SHIFT,
    HELD_CARRY,
    OUTSIDE_HOME,
    OWN,
    POINTS,
    held,
    made,
)
from games.engine.board.position import Counts
from games.engine.board.six_block import block_zone, is_forbidden
from games.engine.board.variants import BAR, HEAD, LONG

SingleMoves = Callable[[int, int], list[tuple[int, int]]]

_HEAD_BIT = 1 << COUNT_BITS * HEAD
_HEAD_SHIFT = COUNT_BITS * HEAD


def _sources_by_die(open_points: int) -> tuple[int, ...]:
    """Return, for each die, the points from which it leads to an open point."""
    return tuple(open_points << COUNT_BITS * die for die in range(7))


def bear_off_source(sources: int, die: int) -> int:
    """Return the bit of the point from which the die bears off, 0 for none; all must be home.

    The die bears off from the point of its number or, if that point and all above are empty, from
    the highest point held.
    """
    exact = sources & 1 << COUNT_BITS * die
    if exact:
        return exact
    if sources >> COUNT_BITS * die:
        return 0
    return 1 << sources.bit_length() - 1 if sources else 0


def short_moves(enemy: Counts) -> SingleMoves:
    """Return the single moves of short backgammon.

    A checker on the bar moves first, two enemy checkers close a point, a blot is hit.
    """
    enemy_points = int.from_bytes(bytes(enemy), "big")
    leads_to_open = _sources_by_die(POINTS & ~made(enemy_points))

    def moves(board: int, die: int) -> list[tuple[int, int]]:
        own = board & OWN
        sources = ((own + HELD_CARRY) & CARRY_BIT) >> 4
        if sources & BAR_BIT:
            sources = BAR_BIT
        shift = COUNT_BITS * die
        movable = sources & leads_to_open[die]
        found = []
        while movable:
            bit = movable & -movable
            movable ^= bit
            target = bit >> shift
            reached = board - bit + target
            blot = target << ENEMY_SHIFT
            if board & blot:
                reached += ENEMY_BAR_BIT - blot
            found.append((bit, reached))
        if not own & OUTSIDE_HOME:
            bit = bear_off_source(sources, die)
            if bit:
                found.append((bit, board - bit + 1))
        return found

    return moves


def long_moves(own: Counts, enemy: Counts, head_limit: int, judges_moves: bool) -> SingleMoves:
    """Return the single moves of long nardy: no landing on the enemy, and a limit for the head.

    `own` are the side's counts at the start of the turn; at most `head_limit` checkers may leave
    the head during the turn. With `judges_moves`, moves that make a forbidden block are left out.
    """
    leads_to_open = _sources_by_die(_open_points(enemy))
    head_floor = own[HEAD] - head_limit
    zone = block_zone(enemy) if judges_moves else 0

    def moves(board: int, die: int) -> list[tuple[int, int]]:
        sources = ((board + HELD_CARRY) & CARRY_BIT) >> 4
        shift = COUNT_BITS * die
        movable = sources & leads_to_open[die]
        if board >> _HEAD_SHIFT <= head_floor:
            movable &= ~_HEAD_BIT
        found = []
        while movable:
            bit = movable & -movable
            movable ^= bit
            found.append((bit, board - bit + (bit >> shift)))
        if not board & OUTSIDE_HOME:
            bit = bear_off_source(sources, die)
            if bit:
                found.append((bit, board - bit + 1))
        if zone:
            return [move for move in found if not is_forbidden(held(move[1]), zone)]
        return found

    return moves


def _open_points(enemy: Counts) -> int:
    """Return the mover's points without an enemy checker."""
    numbers = LONG.opposite
    return sum(1 << COUNT_BITS * point for point in range(1, BAR) if not enemy[numbers[point]])
