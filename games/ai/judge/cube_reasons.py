"""The main reason for the best cube action, or for the best answer to a resignation.

A reason follows from the chances and equities by which the action was judged. Market losers are
counted over the next two rolls, each roll played at 0-ply.
"""

from dataclasses import replace

import numpy as np

from games.ai.cube import evaluation
from games.ai.cube.doubling import CubeModel, Options
from games.ai.judge.equity import EquityModel
from games.ai.judge.reason_codes import Reason
from games.ai.kernel import game
from games.ai.kernel.bits import IntArray
from games.ai.net.boards import board_of
from games.ai.net.chances import Estimate
from games.ai.net.player import NetPlayer
from games.ai.net.rolls import ROLL_WEIGHTS, ROLLS
from games.ai.net.weights_files import VARIANTS
from games.engine.match.cube import is_dead
from games.engine.match.permissions import is_first_turn
from games.engine.match.state import MatchState, Phase

# Shares of the sequences of the next two rolls. Market losers are a reason to double if they are at
# least MANY, a reason to wait if fewer than FEW. A share above ALL counts as every sequence, since
# sums of shares are rounded.
MANY, FEW, ALL = 0.2, 0.1, 1 - 1e-9


def why(state: MatchState, best: str, found: Options | None, player: NetPlayer) -> Reason:
    """Return why `best` is best; `found` are the options judged, None for a resignation."""
    if found is None:
        return Reason.OFFER_ENOUGH if best == "accept" else Reason.MORE_TO_WIN
    if best == "double":
        return _why_double(state, found, player)
    if best == "roll":
        return _why_no_double(state, found, player)
    if best == "beaver":
        return Reason.FAVORITE
    return Reason.ENOUGH_WINS if best == "take" else _why_drop(state, player)


def _why_double(state: MatchState, found: Options, player: NetPlayer) -> Reason:
    other = state.turn.other if state.turn else None
    assert other is not None
    if is_dead(state.cube, state.score[other], state.rules.length):
        return Reason.NOTHING_TO_LOSE
    losers, ended = market(state, player)
    if ended > ALL:
        return Reason.LAST_CHANCE
    if found.dropped <= found.taken:
        return Reason.CASH
    return Reason.MARKET if losers >= MANY else Reason.AHEAD


def _why_no_double(state: MatchState, found: Options, player: NetPlayer) -> Reason:
    if found.hold > found.dropped:
        return Reason.TOO_GOOD
    assert state.turn is not None
    is_ahead = EquityModel(state, state.turn).to_points(found.hold) > 0
    losers, _ended = market(state, player) if is_ahead else (0.0, 0.0)
    return Reason.NO_MARKET if losers < FEW and is_ahead else Reason.NOT_YET


def _why_drop(state: MatchState, player: NetPlayer) -> Reason:
    """Return TOO_MANY_MARS if the side that answers would take without mars, else TOO_FEW_WINS."""
    doubler = state.turn
    assert doubler is not None
    board = board_of(state, doubler)
    win = player.chances(board)[0]
    without_mars = Estimate(win, 0.0, 0.0)
    cube_efficiency = evaluation.efficiency(VARIANTS[state.rules.variant], board)
    model = CubeModel(state, doubler, without_mars, cube_efficiency)
    value = state.cube.value
    if state.phase is Phase.BEAVERED:
        would_take = model.worth(4 * value, doubler.other) >= model.utility(-2 * value)
    else:
        would_take = model.worth(2 * value, doubler.other) <= model.utility(value)
    return Reason.TOO_MANY_MARS if would_take else Reason.TOO_FEW_WINS


def market(state: MatchState, player: NetPlayer) -> tuple[float, float]:
    """Return two shares of the sequences of the next two rolls: market losers, and ended games.

    A market loser is a sequence after which a double should be dropped.
    """
    doubler = state.turn
    assert doubler is not None
    losers = ended = 0.0
    later = replace(state, turn=doubler.other)
    for share, board, is_over in _after_each_roll(state, board_of(state, doubler), player):
        if is_over:
            ended += share
            continue
        for next_share, next_board, is_next_over in _after_each_roll(later, board, player):
            if is_next_over:
                ended += share * next_share
            elif _is_drop(state, next_board, player):
                losers += share * next_share
    return losers, ended


def _after_each_roll(
    state: MatchState, board: IntArray, player: NetPlayer
) -> list[tuple[float, IntArray, bool]]:
    """Return for each roll (share, board seen by the next side, whether the game is over)."""
    side = state.turn
    assert side is not None
    module = game.MODULES[VARIANTS[state.rules.variant]]
    stakes, kinds = EquityModel(state, side).stakes(), module.kinds_of(state.rules)
    first_turn, began = is_first_turn(state), side is state.first
    found = []
    for dice, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
        after = player.choose_at(board, dice, state.rules, first_turn, 0, stakes, began)
        seen = np.empty(26, np.int8)
        module.flip(after, seen)
        found.append((weight / 36, seen, module.finished(after, kinds) > 0))
    return found


def _is_drop(state: MatchState, board: IntArray, player: NetPlayer) -> bool:
    """Return whether the other side should drop a double of the side on roll on this board."""
    doubler, value = state.turn, state.cube.value
    assert doubler is not None
    model = evaluation.model_before_roll(state, doubler, board, player)
    return model.worth(2 * value, doubler.other) > model.utility(value)
