"""Blocks in long nardy: when six points in a row are forbidden.

A block is a run of six or more points held by the mover, in a row *in the enemy's numbering*,
because it stands in the enemy's way. So a run may go on from the mover's point 1 to the mover's
point 24: they are neighbors in the middle of the enemy's way. It may not go on from the enemy's
point 24 to the enemy's point 1, the two ends of that way. A block is forbidden unless an enemy
checker is ahead of the whole run (on a smaller enemy number, or off).
"""

from games.engine.board.bitboard import COUNT_BITS
from games.engine.board.position import Counts, Position
from games.engine.board.variants import BAR, OFF, opposite
from games.engine.rules import Variant
from games.engine.sides import Side

BLOCK_LENGTH = 6
_HALF_BITS = 12 * COUNT_BITS
_RING = (1 << 2 * _HALF_BITS) - 1


def to_enemy_numbering(held: int) -> int:
    """Convert a mask that has own point p in byte p to one that has enemy point p in byte p - 1."""
    ring = (held >> COUNT_BITS) & _RING
    return ring >> _HALF_BITS | (ring << _HALF_BITS & _RING)


def block_zone(enemy: Counts) -> int:
    """Return the enemy numbers where a block may not start; 0 if no block is forbidden.

    A block starts at its smallest enemy number. The numbers returned are those below the foremost
    enemy checker, as a mask in the form of `to_enemy_numbering`.
    """
    foremost = next(point for point in range(BAR) if enemy[point])
    return 0 if foremost == OFF else (1 << COUNT_BITS * (foremost - 1)) - 1


def is_forbidden(held: int, zone: int) -> bool:
    """Return True if the mover's points `held` contain a block that starts inside `zone`."""
    ring = to_enemy_numbering(held)
    two = ring & ring >> 8
    return bool(two & two >> 16 & two >> 32 & zone)


def forbidden_points(position: Position, side: Side) -> tuple[int, ...]:
    """Return the points of the side's forbidden blocks, in its numbering; may be empty."""
    own, enemy = position.of(side), position.of(side.other)
    foremost = next(point for point in range(BAR) if enemy[point])
    found: list[int] = []
    run: list[int] = []
    for enemy_number in range(1, 26):
        own_point = opposite(Variant.LONG, enemy_number) if enemy_number < BAR else BAR
        if enemy_number < BAR and own[own_point]:
            run.append(own_point)
            continue
        if len(run) >= BLOCK_LENGTH and enemy_number - len(run) < foremost:
            found += run
        run = []
    return tuple(sorted(found, reverse=True))
