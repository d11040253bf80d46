"""`no_hit_and_run` (short): a checker may not go on from a hit to a point held by its side.

A move does not tell which of the checkers on a point moves: one that has hit, or another one. A
reading of the turn so far assumes on which points the hitters stand; it is the sorted tuple of
these points (bits of `bitboard`), one entry for each hitter. A move is legal if one reading allows
it. The state of the search carries all readings that are still possible.
"""

from collections.abc import Callable

from games.engine.board.bitboard import COUNT_BITS, ENEMY_SHIFT

Reading = tuple[int, ...]
HitState = tuple[int, frozenset[Reading]]
SingleMoves = Callable[[int, int], list[tuple[int, int]]]

NO_HITTERS: frozenset[Reading] = frozenset([()])


def without_hit_and_run(
    moves: SingleMoves,
) -> Callable[[HitState, int], list[tuple[int, HitState]]]:
    """Return `moves` limited to the single moves that some reading of the turn allows."""

    def filtered(state: HitState, die: int) -> list[tuple[int, HitState]]:
        board, readings = state
        found: list[tuple[int, HitState]] = []
        for bit, reached in moves(board, die):
            after = _readings_after(board, readings, bit, bit >> COUNT_BITS * die)
            if after:
                found.append((bit, (reached, after)))
        return found

    return filtered


def _readings_after(
    board: int, readings: frozenset[Reading], source: int, target: int
) -> frozenset[Reading]:
    """Return the readings still possible after a move; `source` and `target` are bits.

    A checker is borne off if `target` is 1 (the bit of place 0) or 0 (the die is larger than
    needed).
    """
    is_off = target <= 1
    is_hit = not is_off and bool(board & target << ENEMY_SHIFT)
    is_safe = not is_off and bool(board & target * 0xFF)
    standing = board // source & 0xFF
    after: set[Reading] = set()
    for reading in readings:
        hitters = reading.count(source)
        if hitters and not is_safe:
            rest = list(reading)
            rest.remove(source)
            after.add(tuple(rest) if is_off else tuple(sorted([*rest, target])))
        if standing > hitters:
            after.add(tuple(sorted([*reading, target])) if is_hit else reading)
    return frozenset(after)
