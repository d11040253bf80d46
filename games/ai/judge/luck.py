"""Luck of a roll: the equity of its best play, less the mean over all rolls.

Each roll is played at 0-ply and counts with its cubeful equity. The opening throw has 30 outcomes
without ties, 15 for each side; in long nardy it only decides who begins.
"""

from dataclasses import dataclass, replace

from games.ai.judge.equity import EquityModel, chances_after
from games.ai.net.boards import board_of
from games.ai.net.chances import Chances, bounded, flipped
from games.ai.net.player import NetPlayer
from games.ai.net.rolls import ROLL_WEIGHTS, ROLLS
from games.engine.board.variants import TRAITS
from games.engine.match.permissions import is_first_turn
from games.engine.match.state import Dice, MatchState
from games.engine.sides import Side


@dataclass(frozen=True, slots=True)
class Rolled:
    """Luck of a roll, in points normalized to the cube.

    `chances` and `worth` (the value of the match) are those of the rolling side before the roll;
    `stake` is the value of a point.
    """

    luck: float
    chances: Chances
    stake: float
    worth: float


def of_roll(state: MatchState, dice: Dice, player: NetPlayer) -> Rolled:
    """Return the luck of a roll of the side on turn; the state is the one before the roll."""
    side = state.turn
    assert side is not None
    found = before_roll(state, side, player)
    model = EquityModel(state, side)
    got = found.equities[_key(dice)]
    return Rolled(got - found.mean, found.chances, model.stake, model.from_points(found.mean))


def of_opening(state: MatchState, dice: Dice, player: NetPlayer) -> Rolled:
    """Return the luck of the side that begins; `dice` are White's die and Black's."""
    side = Side.WHITE if dice[0] > dice[1] else Side.BLACK
    is_first_roll = TRAITS[state.rules.variant].opening_dice_are_first_roll
    mine, theirs = (
        before_roll(replace(state, turn=each, first=each), each, player)
        for each in (side, side.other)
    )
    pairs = [roll for roll in ROLLS if roll[0] != roll[1]]

    def mean(found: "BeforeRoll") -> float:
        return sum(found.equities[roll] for roll in pairs) / 15 if is_first_roll else found.mean

    got = mine.equities[_key(dice)] if is_first_roll else mine.mean
    expected = (mean(mine) - mean(theirs)) / 2
    chances = zip(mine.chances, flipped(theirs.chances), strict=True)
    model = EquityModel(state, side)
    both = tuple((a + b) / 2 for a, b in chances)
    return Rolled(got - expected, both, model.stake, model.from_points(expected))


@dataclass(frozen=True, slots=True)
class BeforeRoll:
    """Equity of each roll to the side that rolls, and the means over all rolls."""

    equities: dict[Dice, float]
    mean: float
    chances: Chances


def before_roll(state: MatchState, side: Side, player: NetPlayer) -> BeforeRoll:
    """Evaluate all rolls of the side that is about to roll."""
    model, board = EquityModel(state, side), board_of(state, side)
    stakes, first_turn, began = model.stakes(), is_first_turn(state), side is state.first
    found: dict[Dice, float] = {}
    mean, total = 0.0, [0.0] * 5
    for dice, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
        after = player.choose_at(board, dice, state.rules, first_turn, 0, stakes, began)
        chances = chances_after(state, after, player)
        found[dice] = model.after(after, chances)
        mean += weight / 36 * found[dice]
        total = [sum_ + weight / 36 * each for sum_, each in zip(total, chances, strict=True)]
    return BeforeRoll(found, mean, bounded(tuple(total)))


def _key(dice: Dice) -> Dice:
    return max(dice), min(dice)
