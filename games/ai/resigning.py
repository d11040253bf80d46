"""Giving up games: when to accept an offer, and when to make one."""

from games.ai import bearoff, race
from games.ai.cube import CubeModel
from games.ai.outlook import player_of
from games.engine.outcome import KIND_POINTS, WinKind
from games.engine.predicates import may_resign
from games.engine.rules import Profile
from games.engine.scoring import counted_factor
from games.engine.sides import Side
from games.engine.state import MatchState
from games.engine.variants import OFF

# An offer is accepted when playing on promises no more than this above it, in cube values.
TOLERANCE = 0.01
# An offer of a net is made when playing on is within this of it.
PRICE = 0.002


def should_accept(model: CubeModel) -> bool:
    """Whether the offer of the other side is at least what playing on is worth."""
    state = model.state
    assert state.offer is not None
    value = state.cube.value
    offered = value * counted_factor(state.offer.factor, state.rules, state.cube)
    return model.utility(offered) >= (
        model.worth(value, state.cube.owner) - TOLERANCE * _stake(model)
    )


def fair_offer(model: CubeModel) -> int | None:
    """The factor at which the side on turn may resign so that playing on changes next to nothing.

    None when it would give something away, or the other side by accepting.
    """
    state, value = model.state, model.state.cube.value
    if state.rules.parity or state.refused or state.dice is not None:
        return None
    expected, stake = model.worth(value, state.cube.owner), _stake(model)
    for factor in may_resign(state, model.side):
        lost = model.utility(-value * counted_factor(factor, state.rules, state.cube))
        if abs(lost - expected) <= PRICE * stake:
            return factor
    return None


def _stake(model: CubeModel) -> float:
    value = model.state.cube.value
    return (model.utility(value) - model.utility(-value)) / 2


def certain_loss(state: MatchState, side: Side) -> int | None:
    """The factor at which `side`, on turn, may resign without giving anything away.

    None unless the game is lost whatever the dice: a race, the winner through even by the
    slowest rolls before the loser is by the fastest, and the kind of loss certain too.
    """
    mine, theirs = state.position.of(side), state.position.of(side.other)
    allowed = may_resign(state, side)
    if not allowed or state.rules.parity or state.refused or state.dice is not None:
        return None
    if not player_of(state.rules).is_race(mine, theirs) or not bearoff.is_known(theirs):
        return None
    fastest = max(-(-race.pips(mine) // 24), -(-(15 - mine[OFF]) // 4))
    slowest = len(bearoff.rolls_needed(theirs)) - 1
    if fastest <= slowest:
        return None
    return allowed[0] if _is_kind_certain(state, side, allowed) else None


def _is_kind_certain(state: MatchState, side: Side, allowed: tuple[int, ...]) -> bool:
    """Whether no worse kind than the least allowed offer is possible any more."""
    if len(allowed) == 1:
        return True
    mine = state.position.of(side)
    if state.rules.profile is Profile.MANUAL:
        return state.position.is_home(side)
    least_is_mars = allowed[0] == KIND_POINTS[WinKind.GAMMON]
    return mine[OFF] > 0 or (least_is_mars and not any(mine[13:]))
