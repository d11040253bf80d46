"""Compute in plain Python the chances of needing n rolls to bear off up to five checkers.

The side always chooses the play with the smallest expected number of rolls, which with five
checkers is nearly optimal. The chances are valid for both variants. Tests compare
`games.ai.kernel.bearoff` with this module.
"""

from functools import cache

from games.ai.net.rolls import ROLL_WEIGHTS, ROLLS
from games.engine.board.position import Counts
from games.engine.board.variants import HOME_END, OFF

MAX_CHECKERS = 5

Home = tuple[int, ...]


def is_known(side: Counts) -> bool:
    """Return whether all checkers are home and at most `MAX_CHECKERS` are not off yet."""
    return side[OFF] >= 15 - MAX_CHECKERS and not any(side[HOME_END + 1 :])


def rolls_needed(side: Counts) -> tuple[float, ...]:
    """Return the chances of needing exactly 0, 1, 2, ... rolls; the side must be `is_known`."""
    return _distribution(tuple(side[1 : HOME_END + 1]))


def on_roll_wins(mine: Counts, theirs: Counts) -> float:
    """Return the chance that the side on roll bears off first if both play as above."""
    won = 0.0
    their_chances = rolls_needed(theirs)
    not_yet_off = 1.0  # chance that the other side needs at least as many rolls
    for turn, chance in enumerate(rolls_needed(mine)):
        won += chance * not_yet_off
        not_yet_off -= their_chances[turn] if turn < len(their_chances) else 0.0
    return won


@cache
def _distribution(home: Home) -> tuple[float, ...]:
    if not any(home):
        return (1.0,)
    total = [0.0] * 16  # by number of rolls; MAX_CHECKERS need fewer than 16
    for roll, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
        best = min((_distribution(after) for after in _results(home, roll)), key=_mean)
        for rolls, chance in enumerate(best):
            total[rolls + 1] += chance * weight / 36
    while total[-1] == 0.0:
        total.pop()
    return tuple(total)


def _mean(distribution: tuple[float, ...]) -> float:
    return sum(rolls * chance for rolls, chance in enumerate(distribution))


def _results(home: Home, roll: tuple[int, int]) -> set[Home]:
    high, low = roll
    if high == low:
        found = {home}
        for _ in range(4):
            found = {after for state in found for after in _moves(state, high)}
        return found
    orders = ((high, low), (low, high))
    return {
        after
        for first, second in orders
        for state in _moves(home, first)
        for after in _moves(state, second)
    }


def _moves(home: Home, die: int) -> list[Home]:
    """Return the homes after one die; the same home when all are off."""
    highest = max((point for point in range(1, 7) if home[point - 1]), default=0)
    if not highest:
        return [home]
    if die >= highest:
        return [_moved(home, highest, 0)]
    inside = [_moved(home, p, p - die) for p in range(die + 1, 7) if home[p - 1]]
    return inside + ([_moved(home, die, 0)] if home[die - 1] else [])


def _moved(home: Home, source: int, target: int) -> Home:
    after = list(home)
    after[source - 1] -= 1
    if target:
        after[target - 1] += 1
    return tuple(after)
