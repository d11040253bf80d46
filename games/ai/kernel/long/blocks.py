"""Blocks in long nardy on sets of points: bit p of a set is the mover's own point p.

See `games.engine.board.six_block` for the rule. A block starts at its lowest point in the enemy's
numbering.
"""

from games.ai.kernel.bits import trailing_zeros
from games.ai.kernel.jit import njit

_HALF = (1 << 12) - 1


@njit
def to_enemy_way(points: int) -> int:
    """Return a set of own points in the enemy's numbering, the enemy's point 1 at bit 0."""
    return points >> 13 & _HALF | (points >> 1 & _HALF) << 12


@njit
def block_zone(enemies: int, enemy_off: int) -> int:
    """Return the points, in the enemy's numbering, where a forbidden block starts.

    These are the points below the enemy's foremost checker. `enemies` are the points that the
    enemy holds, in the mover's numbering.
    """
    if enemy_off > 0:
        return 0
    return (1 << trailing_zeros(to_enemy_way(enemies))) - 1


@njit
def is_forbidden(points: int, zone: int) -> bool:
    """Return whether six own points in a row, in the enemy's numbering, start in `zone`."""
    way = to_enemy_way(points)
    two = way & way >> 1  # bit p: points p and p + 1 are held
    return two & two >> 2 & two >> 4 & zone != 0
