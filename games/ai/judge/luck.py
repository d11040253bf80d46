"""The luck of a roll: what its best play is worth, less the mean over all rolls.

Each roll is played as the net would at once and counts with the cube as it is then (`worths`). The
opening throw is 30 rolls, 15 of each side; in long nardy it says only who begins.
"""

from dataclasses import dataclass, replace

from games.ai.judge.equity import Worths, board_of, chances_after
from games.ai.net.chances import Chances, bounded, flipped
from games.ai.net.player import NetPlayer
from games.ai.net.rolls import ROLL_WEIGHTS, ROLLS
from games.engine.predicates import is_first_turn
from games.engine.sides import Side
from games.engine.state import Dice, MatchState
from games.engine.variants import TRAITS


@dataclass(frozen=True, slots=True)
class Rolled:
    """Points normalized to the cube.

    `chances` of who rolls, and what the match is `worth` to him, before the roll is known.
    """

    luck: float
    chances: Chances
    stake: float
    worth: float


def of_roll(state: MatchState, dice: Dice, player: NetPlayer) -> Rolled:
    """Of the side on turn, which has yet to roll."""
    side = state.turn
    assert side is not None
    found = before_roll(state, side, player)
    worths = Worths(state, side)
    got = found.worths[_key(dice)]
    return Rolled(got - found.mean, found.chances, worths.stake, worths.unpoints(found.mean))


def of_opening(state: MatchState, dice: Dice, player: NetPlayer) -> Rolled:
    """Of the side that begins; `dice` are White's die and Black's."""
    side = Side.WHITE if dice[0] > dice[1] else Side.BLACK
    by_throw = TRAITS[state.rules.variant].opening_dice_are_first_roll
    mine, theirs = (
        before_roll(replace(state, turn=each, first=each), each, player)
        for each in (side, side.other)
    )
    pairs = [roll for roll in ROLLS if roll[0] != roll[1]]

    def mean(found: "BeforeRoll") -> float:
        return sum(found.worths[roll] for roll in pairs) / 15 if by_throw else found.mean

    got = mine.worths[_key(dice)] if by_throw else mine.mean
    expected = (mean(mine) - mean(theirs)) / 2
    chances = zip(mine.chances, flipped(theirs.chances), strict=True)
    worths = Worths(state, side)
    both = tuple((a + b) / 2 for a, b in chances)
    return Rolled(got - expected, both, worths.stake, worths.unpoints(expected))


@dataclass(frozen=True, slots=True)
class BeforeRoll:
    """What each roll is worth to who rolls, and the means."""

    worths: dict[Dice, float]
    mean: float
    chances: Chances


def before_roll(state: MatchState, side: Side, player: NetPlayer) -> BeforeRoll:
    """The side is about to roll."""
    worths, board = Worths(state, side), board_of(state, side)
    stakes, first_turn, began = worths.stakes(), is_first_turn(state), side is state.first
    found: dict[Dice, float] = {}
    mean, total = 0.0, [0.0] * 5
    for dice, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
        after = player.choose_at(board, dice, state.rules, first_turn, 0, stakes, began)
        chances = chances_after(state, after, player)
        found[dice] = worths.after(after, chances)
        mean += weight / 36 * found[dice]
        total = [sum_ + weight / 36 * each for sum_, each in zip(total, chances, strict=True)]
    return BeforeRoll(found, mean, bounded(tuple(total)))


def _key(dice: Dice) -> Dice:
    return max(dice), min(dice)
