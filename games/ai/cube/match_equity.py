"""What points are worth at a score: the chance to win the match, or the points themselves.

Short backgammon with the cube and mars has a published table, by rollouts: Kazaross-XG2. For other
rules a game is taken to be even, with as many mars as their games have, and its cube to be
`CUBE_EFFICIENCY` alive; from the last points upwards that gives a table of our own.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from games.ai.cube.janowski import CubeGame, Owner, Utility
from games.ai.net.chances import Estimate
from games.engine.cube import MAX_VALUE
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.engine.state import MatchState

CUBE_EFFICIENCY = 0.68
# Of all games between equals, those won by a mars at least.
MARS_SHARES = {Variant.SHORT: 0.25, Variant.LONG: 0.18}

_PUBLISHED = Path(__file__).parent / "tables" / "kazaross_xg2.txt"

WithCube = Callable[[int, int, bool], float]


def utility_of(state: MatchState, side: Side) -> Utility:
    """What the match is worth to `side` after it wins (or, negative, loses) so many points."""
    rules = state.rules
    if rules.length is None:
        return float
    own, other = rules.length - state.score[side], rules.length - state.score[side.other]
    share = MARS_SHARES[rules.variant] if rules.mars else 0.0
    if not rules.cube:
        return lambda points: without_cube(own - max(points, 0), other + min(points, 0), share)
    crawford_over = not rules.crawford or state.crawford or state.crawford_done
    with_cube = published if _has_published(rules) else modelled(share)

    def worth(points: int) -> float:
        return with_cube(own - max(points, 0), other + min(points, 0), crawford_over)

    return worth


def _has_published(rules: Rules) -> bool:
    return rules.variant is Variant.SHORT and rules.mars


def published(own: int, other: int, crawford_over: bool) -> float:
    """Chance to win a match of short backgammon with the cube; points still to go."""
    if own <= 0 or other <= 0:
        return float(own <= 0)
    rows = _read_published()
    if crawford_over and min(own, other) == 1:
        return rows[-1][own - 1] if other == 1 else 1.0 - rows[-1][other - 1]
    return rows[own - 1][other - 1]


@cache
def _read_published() -> tuple[tuple[float, ...], ...]:
    lines = _PUBLISHED.read_text().splitlines()
    return tuple(tuple(map(float, line.split())) for line in lines if not line.startswith("#"))


@cache
def without_cube(own: int, other: int, mars_share: float) -> float:
    """Chance to win a match without the cube; points still to go."""
    if own <= 0 or other <= 0:
        return float(own <= 0)
    if own == other:
        return 0.5
    single = 1 - mars_share
    won = without_cube(own - 1, other, mars_share) * single
    won += without_cube(own - 2, other, mars_share) * mars_share
    lost = without_cube(own, other - 1, mars_share) * single
    lost += without_cube(own, other - 2, mars_share) * mars_share
    return (won + lost) / 2


@cache
def modelled(mars_share: float) -> WithCube:
    """The table of our own for so many mars."""
    even = Estimate(0.5, mars_share / 2, mars_share / 2)

    @cache
    def chance(own: int, other: int, crawford_over: bool) -> float:
        if own <= 0 or other <= 0:
            return float(own <= 0)
        if own == other:
            return 0.5
        if own > other:
            return 1.0 - chance(other, own, crawford_over)
        crawford = own == 1 and not crawford_over

        def utility(points: int) -> float:
            over = crawford_over or crawford
            return chance(own - max(points, 0), other + min(points, 0), over)

        def may_turn(ours: bool, value: int) -> bool:
            left = own if ours else other
            return not crawford and value < left and 2 * value <= MAX_VALUE

        def is_urgent(ours: bool, value: int) -> bool:
            return value >= (other if ours else own)

        game = CubeGame(even, utility, may_turn, lambda _value: 2, is_urgent)
        return game.worth(1, Owner.BOTH, CUBE_EFFICIENCY)

    return chance
