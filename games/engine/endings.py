"""Whatever ends or stops a match from outside the board, and what follows the end."""

from dataclasses import replace

from games.engine.actions import (
    Claim,
    Credit,
    Flag,
    Leave,
    Pause,
    ResignMatch,
    Resume,
    Reveal,
    Takeover,
    Void,
)
from games.engine.clock import Clock
from games.engine.dice import commitment
from games.engine.errors import IllegalAction, InvalidAction, Reason
from games.engine.predicates import may_pause
from games.engine.scoring import end_match, stop_match
from games.engine.state import MatchCause, MatchOutcome, MatchState, Phase


def lose_match(state: MatchState, action: ResignMatch | Leave) -> MatchState:
    """Resigning the match, or leaving it where that loses it: possible at any moment."""
    return end_match(_charged(state), action.side, MatchCause(action.kind))


def claim(state: MatchState, action: Claim) -> MatchState:
    """The side wins because the other stayed away; whether he did, the server knows."""
    if state.phase is Phase.SEATING:
        raise IllegalAction(Reason.WRONG_PHASE, message="nothing has started")
    return end_match(_charged(state), action.side.other, MatchCause.CLAIM)


def flag(state: MatchState, action: Flag) -> MatchState:
    """The side's time is over, which loses the match; refused while any is left."""
    clock = state.clock
    if clock is None or clock.running is not action.side or not clock.is_out(action.at_ms):
        raise IllegalAction(Reason.WRONG_PHASE, message="there is time left")
    return end_match(_charged(state), action.side, MatchCause.FLAG)


def void(state: MatchState, action: Void) -> MatchState:
    """The match counts for nothing; why, the action itself says."""
    return stop_match(_charged(state), MatchOutcome(None, MatchCause.VOID))


def pause(state: MatchState, action: Pause) -> MatchState:
    """Nothing but resuming, and what ends the match, is possible until `resume`."""
    if not may_pause(state):
        raise IllegalAction(Reason.WRONG_PHASE, message="nothing to pause")
    return replace(state, clock=_clock(state).pause(action.at_ms, action.credit_ms))


def resume(state: MatchState, action: Resume) -> MatchState:
    if state.clock is None or not state.clock.is_paused:
        raise IllegalAction(Reason.WRONG_PHASE, message="not paused")
    return replace(state, clock=state.clock.resume(action.at_ms))


def credit(state: MatchState, action: Credit) -> MatchState:
    """Time back for whoever's time was passing; no effect where none was."""
    return replace(state, clock=state.clock and state.clock.credit(action.ms))


def takeover(state: MatchState, action: Takeover) -> MatchState:
    """Logged for the record; the rules do not ask who sits where."""
    return state


def reveal(state: MatchState, action: Reveal) -> MatchState:
    """The secret, once the match is over; it must be the one committed to."""
    if state.phase is not Phase.FINISHED or state.proof.commitment is None or state.proof.secret:
        raise IllegalAction(Reason.WRONG_PHASE)
    if commitment(bytes.fromhex(action.secret)) != state.proof.commitment:
        raise InvalidAction("secret_mismatch", "the secret does not have the committed hash")
    return replace(state, proof=replace(state.proof, secret=action.secret))


def _charged(state: MatchState) -> MatchState:
    return replace(state, clock=state.clock and state.clock.charge(state.at_ms))


def _clock(state: MatchState) -> Clock:
    if state.clock is None:
        raise IllegalAction(Reason.WRONG_PHASE)
    return state.clock
