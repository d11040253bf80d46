"""Permissions: the sides that may act now, and the rule against any other action.

`apply` and the server use them, and the page gets them by `public_view.may_view`. `refusal_of_...`
returns the rule that forbids the action or None, `may_...` whether it is allowed. They do not check
the time: `apply` refuses an action after the flag.
"""

from functools import lru_cache

from games.engine.board.legal import TurnGraph, turn_graph
from games.engine.board.win_kind import KIND_POINTS, WinKind
from games.engine.errors import Reason
from games.engine.match.cube import cube_refusal_of_beaver, cube_refusal_of_double
from games.engine.match.resignation import certain_minimum
from games.engine.match.scoring import counted_factor
from games.engine.match.state import MatchState, Phase
from games.engine.sides import Side

_ANSWERING = (Phase.CUBE_OFFERED, Phase.BEAVERED)
_OWN_TURN = (Phase.TO_ROLL, Phase.TO_PLAY)


def on_turn(state: MatchState) -> Side | None:
    """Return the side that must act now: the side on turn, or the one that answers an offer.

    Return None when neither must act: before and between games, at the end, and while the clock is
    paused.
    """
    if state.turn is None or is_paused(state):
        return None
    if state.offer is not None:
        return state.offer.side.other
    if state.phase is Phase.CUBE_OFFERED:
        return state.turn.other
    if state.phase in _OWN_TURN or state.phase is Phase.BEAVERED:
        return state.turn
    return None


def is_paused(state: MatchState) -> bool:
    return state.clock is not None and state.clock.is_paused


def is_first_turn(state: MatchState) -> bool:
    """Return True if the side on turn has not finished a turn in this game."""
    return state.turn is not None and state.turns[state.turn] == 0


def refusal_of_turn(state: MatchState, side: Side, *phases: Phase) -> Reason | None:
    """Return why `side` may not act now, in a phase that must be one of `phases`."""
    if state.phase is Phase.FINISHED:
        return Reason.GAME_OVER
    if is_paused(state):
        return Reason.WRONG_PHASE
    if state.offer is not None:
        return Reason.RESIGN_PENDING
    if state.phase not in phases:
        return Reason.WRONG_PHASE
    return None if on_turn(state) is side else Reason.NOT_YOUR_TURN


def refusal_of_double(state: MatchState, side: Side) -> Reason | None:
    """Return why `side` may not offer the cube now.

    On the last turn under parity the doubler can no longer win, so their cube is dead.
    """
    refusal = refusal_of_turn(state, side, Phase.TO_ROLL)
    if refusal is not None:
        return refusal
    refusal = cube_refusal_of_double(
        state.cube,
        side,
        state.rules,
        own_score=state.score[side],
        crawford=state.crawford,
        first_turn=state.turns == (0, 0),  # of the game; `is_first_turn` asks about one side
    )
    return refusal or (Reason.CUBE_DEAD if state.last_turn else None)


def refusal_of_beaver(state: MatchState, side: Side) -> Reason | None:
    """Return why `side` may not answer the double with a beaver."""
    refusal = refusal_of_turn(state, side, Phase.CUBE_OFFERED)
    return refusal or cube_refusal_of_beaver(state.cube, state.rules)


def refusal_of_resign(state: MatchState, side: Side, factor: int) -> Reason | None:
    """Return why `side` may not offer to lose the game at `factor` times the cube.

    After a refusal only a higher offer may follow in the same turn.
    """
    refusal = refusal_of_turn(state, side, *_OWN_TURN)
    if refusal is not None:
        return refusal
    counted = counted_factor(factor, state.rules, state.cube)
    if counted <= state.refused or counted < certain_minimum(state):
        return Reason.RESIGN_TOO_LOW
    return None


def refusal_of_answer(state: MatchState, side: Side) -> Reason | None:
    """Return why `side` may not accept or refuse a resignation."""
    if state.phase is Phase.FINISHED:
        return Reason.GAME_OVER
    if state.offer is None:
        return Reason.NO_OFFER
    if is_paused(state):
        return Reason.WRONG_PHASE
    return None if on_turn(state) is side else Reason.NOT_YOUR_TURN


def refusal_of_next(state: MatchState, side: Side) -> Reason | None:
    """Return why `side` may not be marked as ready for the next game."""
    if state.phase is Phase.FINISHED:
        return Reason.GAME_OVER
    if state.phase is not Phase.BETWEEN_GAMES or side in state.ready:
        return Reason.WRONG_PHASE
    return None


def may_roll(state: MatchState, side: Side) -> bool:
    return refusal_of_turn(state, side, Phase.TO_ROLL) is None


def may_play(state: MatchState, side: Side) -> bool:
    return refusal_of_turn(state, side, Phase.TO_PLAY) is None


def may_double(state: MatchState, side: Side) -> bool:
    return refusal_of_double(state, side) is None


def may_take(state: MatchState, side: Side) -> bool:
    """Return True if `side` may take, or drop, the cube or a beaver."""
    return refusal_of_turn(state, side, *_ANSWERING) is None


def may_beaver(state: MatchState, side: Side) -> bool:
    return refusal_of_beaver(state, side) is None


def resign_factors(state: MatchState, side: Side) -> tuple[int, ...]:
    """Return the factors at which `side` may resign now, except those that count as a lower one."""
    if refusal_of_turn(state, side, *_OWN_TURN) is not None:
        return ()
    least = max(certain_minimum(state), state.refused + 1)
    most = counted_factor(KIND_POINTS[WinKind.BACKGAMMON], state.rules, state.cube)
    return tuple(range(least, most + 1))


def may_answer(state: MatchState, side: Side) -> bool:
    """Return True if `side` may accept or refuse a resignation."""
    return refusal_of_answer(state, side) is None


def may_pause(state: MatchState) -> bool:
    """Return True if the rules allow a pause; the server allows it in training only."""
    return (
        state.clock is not None
        and not state.clock.is_paused
        and state.phase not in (Phase.SEATING, Phase.FINISHED)
    )


def graph_of(state: MatchState) -> TurnGraph:
    """Return the legal plays of the roll; raise `ValueError` if no dice are on the board."""
    if state.turn is None or state.dice is None:
        raise ValueError("no dice on the board")
    return _graph(state.position, state.turn, state.dice, state.rules, is_first_turn(state))


# Cached: the check for a pass, the frames to the page and the play need the same graph.
_graph = lru_cache(maxsize=1024)(turn_graph)
