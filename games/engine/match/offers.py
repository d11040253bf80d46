"""Offers and answers: the cube and the resignation of a game."""

from dataclasses import replace

from games.engine.board.win_kind import WinKind
from games.engine.errors import IllegalAction, Reason
from games.engine.match.actions import (
    Accept,
    Beaver,
    Double,
    Drop,
    Refuse,
    Resign,
    Take,
    TimedAction,
)
from games.engine.match.clock import Clock
from games.engine.match.permissions import (
    refusal_of_answer,
    refusal_of_beaver,
    refusal_of_double,
    refusal_of_resign,
    refusal_of_turn,
)
from games.engine.match.scoring import counted_factor, end_game, resigned, won
from games.engine.match.state import GameCause, MatchState, Offer, Phase


def double(state: MatchState, action: Double) -> MatchState:
    _check(refusal_of_double(state, action.side))
    clock = _clock_of_answerer(state, action)
    return replace(state, phase=Phase.CUBE_OFFERED, clock=clock)


def take(state: MatchState, action: Take) -> MatchState:
    """Give the cube to the taker; a taken beaver stays with the side that beavered."""
    _check(refusal_of_turn(state, action.side, Phase.CUBE_OFFERED, Phase.BEAVERED))
    if state.phase is Phase.CUBE_OFFERED:
        cube = state.cube.taken_by(action.side)
    else:
        cube = state.cube.beavered_by(action.side.other)
    clock = _clock_of_roller(state, action)
    return replace(state, phase=Phase.TO_ROLL, cube=cube, clock=clock)


def drop(state: MatchState, action: Drop) -> MatchState:
    """End the game at the value before the offer; the drop of a beaver loses the doubled value."""
    _check(refusal_of_turn(state, action.side, Phase.CUBE_OFFERED, Phase.BEAVERED))
    value = state.cube.value * (2 if state.phase is Phase.BEAVERED else 1)
    result = won(action.side.other, WinKind.SINGLE, GameCause.DROP, value)
    return end_game(_charged(state, action), result, state.position)


def beaver(state: MatchState, action: Beaver) -> MatchState:
    """Redouble at once; the doubler answers and, unlike in some rules, cannot redouble again."""
    _check(refusal_of_beaver(state, action.side))
    clock = _clock_of_answerer(state, action)
    return replace(state, phase=Phase.BEAVERED, clock=clock)


def resign(state: MatchState, action: Resign) -> MatchState:
    _check(refusal_of_resign(state, action.side, action.factor))
    factor = counted_factor(action.factor, state.rules, state.cube)
    clock = _clock_of_answerer(state, action)
    return replace(state, offer=Offer(action.side, factor), clock=clock)


def accept(state: MatchState, action: Accept) -> MatchState:
    offer = _offer_for(state, action)
    result = resigned(offer.side, offer.factor, state.rules, state.cube)
    return end_game(_charged(state, action), result, state.position)


def refuse(state: MatchState, action: Refuse) -> MatchState:
    """Refuse the resignation: the game goes on where it was."""
    offer = _offer_for(state, action)
    clock = _clock_of_roller(state, action)
    return replace(state, offer=None, refused=offer.factor, clock=clock)


def _check(refusal: Reason | None) -> None:
    if refusal is not None:
        raise IllegalAction(refusal)


def _offer_for(state: MatchState, action: TimedAction) -> Offer:
    _check(refusal_of_answer(state, action.side))
    if state.offer is None:
        raise IllegalAction(Reason.NO_OFFER)
    return state.offer


def _clock_of_answerer(state: MatchState, action: TimedAction) -> Clock | None:
    """Start the other side's time, with a delay of its own for the answer."""
    return state.clock and state.clock.start_turn(action.side.other, action.at_ms, action.grace_ms)


def _clock_of_roller(state: MatchState, action: TimedAction) -> Clock | None:
    """Start the time of the side on turn again, with the rest of its delay."""
    if state.clock is None or state.turn is None:
        return state.clock
    return state.clock.return_turn(state.turn, action.at_ms, action.grace_ms)


def _charged(state: MatchState, action: TimedAction) -> MatchState:
    return replace(state, clock=state.clock and state.clock.charge(action.at_ms, action.grace_ms))
