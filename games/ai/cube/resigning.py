"""Resignations: when to accept an offer, and when to make one."""

from games.ai.cube.doubling import CubeModel
from games.engine.match.permissions import resign_factors
from games.engine.match.scoring import counted_factor

# An offer is accepted when playing on gains at most this much, in parts of the stake.
ACCEPT_TOLERANCE = 0.01
# An offer is made when its value and that of playing on differ by this much at most, in parts of
# the stake.
OFFER_TOLERANCE = 0.002


def should_accept(model: CubeModel, playing_on: float | None = None) -> bool:
    """Return whether the offer is worth at least as much as playing on, or nearly as much.

    It may be worth up to `ACCEPT_TOLERANCE` stakes less. `playing_on` replaces the model's value of
    playing on.
    """
    state = model.state
    assert state.offer is not None
    value = state.cube.value
    offered = value * counted_factor(state.offer.factor, state.rules, state.cube)
    expected = model.worth(value, state.cube.owner) if playing_on is None else playing_on
    return model.utility(offered) >= expected - ACCEPT_TOLERANCE * _stake(model)


def fair_offer(model: CubeModel, playing_on: float | None = None, offered: int = 0) -> int | None:
    """Return the factor at which resigning is worth the same as playing on.

    None if one of the sides would lose equity by the resignation; also under parity, in a turn in
    which an offer was refused, and after the roll. `playing_on` as in `should_accept`; `offered` is
    the highest factor that the side has offered in this game and does not offer again.
    """
    state, value = model.state, model.state.cube.value
    if state.rules.parity or state.refused or state.dice is not None:
        return None
    expected = model.worth(value, state.cube.owner) if playing_on is None else playing_on
    stake = _stake(model)
    for factor in resign_factors(state, model.side):
        if factor <= offered:
            continue
        lost = model.utility(-value * counted_factor(factor, state.rules, state.cube))
        if abs(lost - expected) <= OFFER_TOLERANCE * stake:
            return factor
    return None


def _stake(model: CubeModel) -> float:
    value = model.state.cube.value
    return (model.utility(value) - model.utility(-value)) / 2
