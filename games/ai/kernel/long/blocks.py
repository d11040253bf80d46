"""Blocks in long nardy on sets of points: bit p of a set is the mover's own point p.

See `games.engine.blocks` for the rule; runs are counted along the enemy's way.
"""

from games.ai.kernel.bits import trailing_zeros
from games.ai.kernel.jit import njit

_HALF = (1 << 12) - 1


@njit
def to_enemy_way(points: int) -> int:
    """A set of own points as a set of the enemy's, his point 1 at bit 0."""
    return points >> 13 & _HALF | (points >> 1 & _HALF) << 12


@njit
def block_zone(enemies: int, enemy_off: int) -> int:
    """Where, in the enemy's numbers, a forbidden block may start: below his foremost checker.

    `enemies` are the own points that he holds.
    """
    if enemy_off > 0:
        return 0
    return (1 << trailing_zeros(to_enemy_way(enemies))) - 1


@njit
def is_forbidden(points: int, zone: int) -> bool:
    """Whether the own points contain six in a row, as the enemy walks, that start in `zone`."""
    way = to_enemy_way(points)
    two = way & way >> 1
    return two & two >> 2 & two >> 4 & zone != 0
