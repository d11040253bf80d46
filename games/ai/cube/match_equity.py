"""Match equity: the value of points at a score, as match winning chances or as points.

Short backgammon with cube and mars uses the published Kazaross-XG2 table, a result of rollouts.
Other rules use a table of our own, computed backwards from the last point for equal players, at a
typical mars rate and, with a cube, at a cube efficiency of `CUBE_EFFICIENCY`.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from games.ai.cube.janowski import CubeGame, Owner, Utility
from games.ai.net.chances import Estimate
from games.ai.net.search import Stakes
from games.engine.match.cube import MAX_VALUE
from games.engine.match.state import MatchState
from games.engine.rules import Rules, Variant
from games.engine.sides import Pair, Side

CUBE_EFFICIENCY = 0.68
# Share of games between equals that end in at least a mars.
MARS_SHARES = {Variant.SHORT: 0.25, Variant.LONG: 0.18}

_PUBLISHED = Path(__file__).parent / "tables" / "kazaross_xg2.txt"

WithCube = Callable[[int, int, bool], float]


def utility_of(state: MatchState, side: Side) -> Utility:
    """Return the value of the match to `side` as a function of points won (negative: lost)."""
    rules = state.rules
    if rules.length is None:
        return float
    own, other = rules.length - state.score[side], rules.length - state.score[side.other]
    share = MARS_SHARES[rules.variant] if rules.mars else 0.0
    if not rules.cube:
        return lambda points: without_cube(own - max(points, 0), other + min(points, 0), share)
    # True if no Crawford game can follow this game.
    crawford_over = not rules.crawford or state.crawford or state.crawford_done
    with_cube = published if _has_published(rules) else modeled(share)

    def worth(points: int) -> float:
        return with_cube(own - max(points, 0), other + min(points, 0), crawford_over)

    return worth


def stakes_of(state: MatchState, utility: Utility) -> Stakes:
    """Return the cubeless stakes of the running game; under Jacoby mars needs a turned cube."""
    rules, cube = state.rules, state.cube
    if rules.jacoby and not cube.is_turned:
        rules = replace(rules, mars=False, koks=False)
    return Stakes.of(rules, cube.value, utility)


def draw_worth(state: MatchState, side: Side) -> float:
    """Return the value of the match to `side` after a drawn game (parity): one point to each side.

    If both reach the match length by it, a game of one point decides: an even chance. In a money
    session the value is 0.
    """
    length = state.rules.length
    if length is None:
        return 0.0
    score = Pair(state.score.white + 1, state.score.black + 1)
    if min(score) >= length:
        return 0.5
    return utility_of(replace(state, score=score), side)(0)


def _has_published(rules: Rules) -> bool:
    return rules.variant is Variant.SHORT and rules.mars


def published(own: int, other: int, crawford_over: bool) -> float:
    """Return the chance to win a match of short backgammon with the cube, by points to go."""
    if own <= 0 or other <= 0:
        return float(own <= 0)
    rows = _read_published()
    # The last row is for after the Crawford game: the trailing side's chance by its points to go.
    if crawford_over and min(own, other) == 1:
        return rows[-1][own - 1] if other == 1 else 1.0 - rows[-1][other - 1]
    return rows[own - 1][other - 1]


@cache
def _read_published() -> tuple[tuple[float, ...], ...]:
    lines = _PUBLISHED.read_text("utf-8").splitlines()
    return tuple(tuple(map(float, line.split())) for line in lines if not line.startswith("#"))


@cache
def without_cube(own: int, other: int, mars_share: float) -> float:
    """Return the chance to win a match without the cube, by points to go."""
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
def modeled(mars_share: float) -> WithCube:
    """Return a function like `published`, for any score, computed for this mars rate."""
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
