"""The value of playing on instead of a resignation, where the net misreads the end of the game.

The net was trained by the profile `classic`, in long nardy without koks. Its chances do not contain
what other rules count as mars and koks, so under these the game is rolled out, cubeless. The net
still chooses the plays, so a loser does not run from a mars or koks that the net does not see. A
draw in a rollout is half a win and half a loss, not a point for each side.

The net does not see a last turn under parity either. In a last turn the value is exact, under every
profile.
"""

import numpy as np

from games.ai.cube import parity
from games.ai.cube.match_equity import draw_worth, stakes_of, utility_of
from games.ai.kernel import game
from games.ai.net import rollouts
from games.ai.net.boards import board_of
from games.ai.net.player import NetPlayer
from games.ai.net.search import Stakes
from games.ai.net.weights_files import VARIANTS
from games.engine.match.permissions import is_first_turn
from games.engine.match.scoring import counted_factor
from games.engine.match.state import MatchState
from games.engine.rules import Rules
from games.engine.sides import Side

# `_TRIALS` games are rolled out; one that outlasts `_TURNS` turns is evaluated by the net.
_TRIALS, _TURNS = 72, 12
_DICE = rollouts.dice_of(_TRIALS, _TURNS, [1])


def find_worth(state: MatchState, side: Side, player: NetPlayer) -> float | None:
    """Return the value of the match to `side` if the game goes on, at any moment of a turn.

    None where the net's chances are used instead: where the net does not misread the rules, and
    where a rollout is needed but the code is not compiled.
    """
    mover = state.turn
    assert mover is not None
    if state.last_turn:
        return _in_last_turn(state, mover, side, player)
    if not _is_misread(state.rules) or not rollouts.is_fast():
        return None
    seen_by, worth = _rolled_out(state, mover, side, player)
    return worth if seen_by is side else -worth


def _in_last_turn(state: MatchState, mover: Side, side: Side, player: NetPlayer) -> float:
    """Return the value to `side`; the opponent of `mover` has borne off."""
    utility, value = utility_of(state, side), state.cube.value
    sign = -1 if mover is side else 1

    def worth(points: int) -> float:
        if not points:
            return draw_worth(state, side)
        return utility(sign * value * counted_factor(points, state.rules, state.cube))

    return sum(share * worth(points) for share, points in _ends(state, mover, player))


def _ends(state: MatchState, mover: Side, player: NetPlayer) -> parity.Ends:
    """Return how the game ends after the last turn of `mover`."""
    rules, module = state.rules, game.MODULES[VARIANTS[state.rules.variant]]
    board = board_of(state, mover)
    seen = np.empty(26, np.int8)
    if state.dice is None:
        module.flip(board, seen)
        return parity.ends_of(rules, seen, began=True)
    kinds, stakes = module.kinds_of(rules), _stakes(state, mover, mover)
    best = player.ranked(board, state.dice, rules, is_first_turn(state), 0, stakes, False)[0]
    module.flip(best.after, seen)
    is_drawn = module.finished(best.after, kinds) > 0
    return ((1.0, 0 if is_drawn else module.finished(seen, kinds)),)


def _rolled_out(
    state: MatchState, mover: Side, side: Side, player: NetPlayer
) -> tuple[Side, float]:
    """Return the side that played last and the value to that side.

    The value to the other side is the negative of this one.
    """
    rules, module = state.rules, game.MODULES[VARIANTS[state.rules.variant]]
    board = board_of(state, mover)
    if state.dice is None:
        moved, before = np.empty(26, np.int8), mover.other
        module.flip(board, moved)
        stakes, began = _stakes(state, before, side), before is state.first
        return before, player.roll_out(moved, _DICE, rules, stakes, began)
    stakes, began = _stakes(state, mover, side), mover is state.first
    best = player.ranked(board, state.dice, rules, is_first_turn(state), 0, stakes, began)[0]
    if module.finished(best.after, module.kinds_of(rules)):
        return mover, best.equity
    return mover, player.roll_out(best.after, _DICE, rules, stakes, began)


def _is_misread(rules: Rules) -> bool:
    """Return whether a mars or koks counts with which the net was not trained."""
    module = game.MODULES[VARIANTS[rules.variant]]
    known = module.kinds_of(Rules.of(rules.variant))
    return rules.mars and module.kinds_of(rules) & ~known != 0


def _stakes(state: MatchState, seen_by: Side, side: Side) -> Stakes:
    """Return the stakes for a search in the view of `seen_by`.

    They hold the match's value to `side`, negated if `seen_by` is the other side.
    """
    utility = utility_of(state, side)
    return stakes_of(state, utility if seen_by is side else lambda points: -utility(-points))
