"""The chances of a side at any moment of a game: before a roll, or with dice on the board."""

from types import ModuleType

from games.ai import bearoff, heuristic_long, heuristic_short
from games.ai.cube import Efficiency
from games.ai.estimate import Estimate
from games.engine.legal import legal_results
from games.engine.position import Position
from games.engine.predicates import is_first_turn
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.engine.state import MatchState

CONTACT = Efficiency(0.66, 0.66)
RACE = Efficiency(0.55, 0.55)
# The last rolls leave no time to turn the cube again.
LAST_ROLLS = Efficiency(0.15, 0.15)


def player_of(rules: Rules) -> ModuleType:
    """The heuristic of the game played: `estimate` and `is_race`."""
    return heuristic_long if rules.variant is Variant.LONG else heuristic_short


def after_play(position: Position, mover: Side, rules: Rules) -> Estimate:
    """The chances of `mover`, who has just played, without what the rules do not count."""
    found: Estimate = player_of(rules).estimate(position.of(mover), position.of(mover.other))
    return found if rules.mars else Estimate(found.win, 0.0, 0.0)


def outlook(state: MatchState, side: Side) -> Estimate:
    """The chances of `side` with the side on turn yet to roll, or playing its dice best."""
    mover = state.turn or side
    if state.dice is None:
        before = after_play(state.position, mover.other, state.rules)
        return before if side is mover.other else before.seen_by_other()
    results = legal_results(state.position, mover, state.dice, state.rules, is_first_turn(state))
    best = max((after_play(result, mover, state.rules) for result in results), key=Estimate.equity)
    return best if side is mover else best.seen_by_other()


def efficiency(state: MatchState) -> Efficiency:
    """How alive the cube is: much while the sides meet, hardly in the last rolls."""
    white, black = state.position.white, state.position.black
    if bearoff.is_known(white) or bearoff.is_known(black):
        return LAST_ROLLS
    race = player_of(state.rules).is_race(white, black)
    return RACE if race else CONTACT
