"""What points are worth at a score: the chance to win the match, or the points themselves.

The table is our own model, not a rollout. Without a cube: even games, a quarter of the wins
mars. After the Crawford game the trailer doubles at once. Between: Janowski's rule of thumb,
the leader's chance is 0.5 + 0.85 * lead / (trailer's points to go + 6).
"""

from collections.abc import Callable
from functools import cache

from games.engine.sides import Side
from games.engine.state import MatchState, of

MARS_SHARE = 0.22

Utility = Callable[[int], float]


def utility_of(state: MatchState, side: Side) -> Utility:
    """What the match is worth to `side` after it wins (or, negative, loses) so many points."""
    length = state.rules.length
    if length is None:
        return float
    own, other = length - of(state.score, side), length - of(state.score, side.other)
    if not state.rules.cube:
        return lambda points: without_cube(own - max(points, 0), other + min(points, 0))
    crawford_over = not state.rules.crawford or state.crawford or state.crawford_done

    def worth(points: int) -> float:
        return with_cube(own - max(points, 0), other + min(points, 0), crawford_over)

    return worth


@cache
def without_cube(own: int, other: int) -> float:
    """Chance to win a match without the cube; points still to go."""
    if own <= 0 or other <= 0:
        return float(own <= 0)
    if own == other:
        return 0.5
    single, mars = 1 - MARS_SHARE, MARS_SHARE
    won = single * without_cube(own - 1, other) + mars * without_cube(own - 2, other)
    lost = single * without_cube(own, other - 1) + mars * without_cube(own, other - 2)
    return (won + lost) / 2


@cache
def with_cube(own: int, other: int, crawford_over: bool) -> float:
    """Chance to win a match with the cube; points still to go."""
    if own <= 0 or other <= 0:
        return float(own <= 0)
    if own > other:
        return 1.0 - with_cube(other, own, crawford_over)
    if own == other:
        return 0.5
    if own == 1:
        return 1.0 - (_catching_up(other) if crawford_over else _before_crawford(other))
    rule_of_thumb = 0.5 + 0.85 * (other - own) / (other + 6)
    return min(rule_of_thumb, with_cube(own - 1, other, crawford_over))


@cache
def _catching_up(other: int) -> float:
    """After the Crawford game, the leader one point away: every game is played for two."""
    if other <= 0:
        return 1.0
    wins = (1 - MARS_SHARE) * _catching_up(other - 2) + MARS_SHARE * _catching_up(other - 4)
    return wins / 2


def _before_crawford(other: int) -> float:
    wins = (1 - MARS_SHARE) * _catching_up(other - 1) + MARS_SHARE * _catching_up(other - 2)
    return wins / 2
