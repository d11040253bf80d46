"""Decisions of a bot: plays and the cube by its level, resignations alike at every level."""

from dataclasses import dataclass
from typing import Any

from games.ai.bots.levels import Level, choose
from games.ai.cube import doubling, evaluation, playing_on, resigning
from games.ai.judge.equity import EquityModel
from games.ai.net.boards import board_of, position_of
from games.ai.net.player import NetPlayer, player_of
from games.ai.net.search import MAX_PLIES
from games.engine.board.legal import legal_plays
from games.engine.board.moves import play_to_text
from games.engine.match.permissions import is_first_turn, may_beaver, may_double, on_turn
from games.engine.match.state import MatchState, Phase
from games.engine.sides import Side

# `hard` of an answer to a resignation or a beaver, whose difficulty is not measured.
_UNMEASURED = 0.5
# Part of the stake; a cube decision whose options lie this far apart, or farther, is easy
# (`hard` = 0).
_CLEAR = 0.3


@dataclass(frozen=True, slots=True)
class Decision:
    """A command with the fields of the socket protocol; `hard` is from 0 (easy) to 1 (hard)."""

    command: dict[str, Any]
    hard: float = 0.0


def decide(
    state: MatchState,
    side: Side,
    level: Level,
    most_plies: int = MAX_PLIES,
    salt: str = "",
    offered: int = 0,
) -> Decision | None:
    """Return the decision of a bot of this level; None unless the side must act now.

    `most_plies` bounds the depth of the search; `salt` is passed to `levels.choose`, `offered` to
    `resigning.fair_offer`.
    """
    if on_turn(state) is not side:
        return None
    player = player_of(state.rules.variant)
    if state.offer is not None:
        model = evaluation.model_at(state, side, player)
        accepts = resigning.should_accept(model, playing_on.find_worth(state, side, player))
        return Decision({"t": "accept" if accepts else "refuse"}, _UNMEASURED)
    if state.phase is Phase.TO_PLAY:
        return _play(state, side, level, min(level.plies, most_plies), salt)
    if state.phase is Phase.TO_ROLL:
        return _before_roll(state, side, level, most_plies, offered)
    options = evaluation.options(state, player, level.cube_plies, most_plies)
    if state.phase is Phase.BEAVERED:
        takes = doubling.should_take_beaver(options)
        return Decision({"t": "take" if takes else "drop"}, _UNMEASURED)
    hard = _hardness(options.taken - options.dropped, options)
    if may_beaver(state, side) and doubling.should_beaver(options):
        return Decision({"t": "beaver"}, hard)
    return Decision({"t": "take" if doubling.should_take(options, level.margin) else "drop"}, hard)


def _play(state: MatchState, side: Side, level: Level, plies: int, salt: str) -> Decision:
    assert state.dice is not None
    first_turn = is_first_turn(state)
    plays = legal_plays(state.position, side, state.dice, state.rules, first_turn)
    if len(plays) == 1:
        return Decision({"t": "play", "d": play_to_text(next(iter(plays.values())))})
    chosen = choose(
        player_of(state.rules.variant),
        level,
        board_of(state, side),
        state.dice,
        state.rules,
        first_turn,
        EquityModel(state, side).stakes(),
        began=state.first is side,
        plies=plies,
        salt=salt,
    )
    after = position_of(chosen.after, side, state.rules.variant)
    return Decision({"t": "play", "d": play_to_text(plays[after])}, chosen.hard)


def _before_roll(
    state: MatchState, side: Side, level: Level, most_plies: int, offered: int
) -> Decision:
    player = player_of(state.rules.variant)
    factor = _fair_offer(state, side, player, offered)
    if factor is not None:
        return Decision({"t": "resign", "factor": factor})
    if not may_double(state, side):
        return Decision({"t": "roll"})
    options = evaluation.options(state, player, level.cube_plies, most_plies)
    hard = _hardness(options.doubled - options.hold, options)
    return Decision(
        {"t": "double" if doubling.should_double(options, level.margin) else "roll"}, hard
    )


def _fair_offer(state: MatchState, side: Side, player: NetPlayer, offered: int) -> int | None:
    """Return the factor of a fair resignation; None if there is none.

    Rollouts are slow, so the value of playing on is computed only if a factor is fair by the model.
    """
    model = evaluation.model_at(state, side, player)
    if resigning.fair_offer(model, offered=offered) is None:
        return None
    worth = playing_on.find_worth(state, side, player)
    return resigning.fair_offer(model, worth, offered)


def _hardness(difference: float, options: doubling.Options) -> float:
    apart = abs(difference) / options.stake if options.stake else 1.0
    return max(0.0, 1.0 - apart / _CLEAR)
