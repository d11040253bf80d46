"""The board as one integer, for the hot path of the move generator only.

The board is seen by the mover: byte p is the count on own point p (0 = off, 25 = bar). Moving a
checker is `board - bit + (bit >> 8 * die)` with `bit = 1 << 8 * source`, and sets of points are
masks with one bit in each byte. In short backgammon the enemy follows in bytes 26-51, in the
*mover's* numbering too, so these bytes are the enemy's own array backwards: byte 26 is the enemy's
bar, byte 51 the enemy's checkers off. In long nardy the enemy never changes during a turn and is
left out.
"""

from collections.abc import Callable

from games.engine.board.position import Counts, Position
from games.engine.board.variants import BAR, HOME_END
from games.engine.sides import Side

COUNTS_PER_SIDE = 26
COUNT_BITS = 8
ENEMY_SHIFT = COUNTS_PER_SIDE * COUNT_BITS


def mask_of(points: range, bits: int = 1) -> int:
    """Return a mask with `bits` repeated in the byte of every point."""
    return sum(bits << (COUNT_BITS * point) for point in points)


OWN = (1 << ENEMY_SHIFT) - 1
BAR_BIT = 1 << (COUNT_BITS * BAR)
POINTS = mask_of(range(1, BAR))
OUTSIDE_HOME = mask_of(range(HOME_END + 1, COUNTS_PER_SIDE), 0xFF)
ENEMY_BAR_BIT = 1 << ENEMY_SHIFT

# A count is 0..15: adding 15 carries into bit 4 exactly when the point is held, adding 14
# exactly when two or more stand there.
HELD_CARRY = mask_of(range(1, COUNTS_PER_SIDE), 0x0F)
MADE_CARRY = mask_of(range(1, COUNTS_PER_SIDE), 0x0E)
CARRY_BIT = mask_of(range(1, COUNTS_PER_SIDE), 0x10)


def pack_own(counts: Counts) -> int:
    return int.from_bytes(bytes(counts), "little")


def pack_short(own: Counts, enemy: Counts) -> int:
    return pack_own(own) | int.from_bytes(bytes(enemy), "big") << ENEMY_SHIFT


def held(counts: int) -> int:
    """Return one bit for each point, bar included and off excluded, that holds a checker."""
    return ((counts + HELD_CARRY) & CARRY_BIT) >> 4


def made(counts: int) -> int:
    """Return one bit for each point, bar included and off excluded, that holds two or more."""
    return ((counts + MADE_CARRY) & CARRY_BIT) >> 4


def point_of(bit: int) -> int:
    return bit.bit_length() >> 3


def short_unpacker(side: Side) -> Callable[[int], Position]:
    """Return a function that unpacks boards of one turn; positions share equal enemy arrays."""
    enemies: dict[int, Counts] = {}
    is_white = side is Side.WHITE

    def unpack(board: int) -> Position:
        own = tuple((board & OWN).to_bytes(COUNTS_PER_SIDE, "little"))
        packed = board >> ENEMY_SHIFT
        enemy = enemies.get(packed)
        if enemy is None:
            enemy = enemies[packed] = tuple(packed.to_bytes(COUNTS_PER_SIDE, "big"))
        return Position(own, enemy) if is_white else Position(enemy, own)

    return unpack


def long_unpacker(side: Side, enemy: Counts) -> Callable[[int], Position]:
    is_white = side is Side.WHITE

    def unpack(board: int) -> Position:
        own = tuple(board.to_bytes(COUNTS_PER_SIDE, "little"))
        return Position(own, enemy) if is_white else Position(enemy, own)

    return unpack
