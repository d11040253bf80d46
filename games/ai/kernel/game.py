"""Both games behind one set of compiled functions; `variant` is SHORT or LONG.

A number that is looked at while it runs, since numba keeps no compiled function that is given other
functions.
"""

from games.ai.kernel import long, short
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.jit import thin

SHORT, LONG = 0, 1
MODULES = (short, long)

FIRST_TURN = long.FIRST_TURN  # short has no such flag and does not look at it
MAX_AFTERSTATES = max(short.MAX_AFTERSTATES, long.MAX_AFTERSTATES)
MAX_ACTIVE = max(short.MAX_ACTIVE, long.MAX_ACTIVE)


@thin
def start(variant: int, board: IntArray) -> None:
    if variant == SHORT:
        short.start(board)
    else:
        long.start(board)


@thin
def afterstates(variant: int, board: IntArray, d1: int, d2: int, flags: int, out: IntArray) -> int:
    if variant == SHORT:
        return short.afterstates(board, d1, d2, flags, out)
    return long.afterstates(board, d1, d2, flags, out)


@thin
def flip(variant: int, board: IntArray, out: IntArray) -> None:
    if variant == SHORT:
        short.flip(board, out)
    else:
        long.flip(board, out)


@thin
def finished(variant: int, board: IntArray, kinds: int) -> int:
    if variant == SHORT:
        return short.finished(board, kinds)
    return long.finished(board, kinds)


@thin
def phase(variant: int, board: IntArray) -> int:
    if variant == SHORT:
        return short.phase(board)
    return long.phase(board)


@thin
def encode(variant: int, board: IntArray, idx: IntArray, val: FloatArray) -> int:
    if variant == SHORT:
        return short.encode(board, idx, val)
    return long.encode(board, idx, val)
