"""Actions that end or stop a match from outside the board, and actions after the end."""

from dataclasses import replace

from games.engine.dice import commitment
from games.engine.errors import IllegalAction, InvalidAction, Reason
from games.engine.match.actions import (
    Claim,
    Credit,
    Flag,
    Leave,
    Pause,
    ResignMatch,
    Resume,
    Reveal,
    SecretLost,
    Takeover,
    Void,
)
from games.engine.match.clock import Clock
from games.engine.match.permissions import may_pause
from games.engine.match.scoring import end_match, stop_match
from games.engine.match.state import MatchCause, MatchOutcome, MatchState, Phase


def lose_match(state: MatchState, action: ResignMatch | Leave) -> MatchState:
    """End the match as lost by resigning it or by leaving; allowed at any moment."""
    return end_match(_charged(state), action.side, MatchCause(action.kind))


def claim(state: MatchState, action: Claim) -> MatchState:
    """Give the side the win because the other stayed away; the server checks the absence."""
    if state.phase is Phase.SEATING:
        raise IllegalAction(Reason.WRONG_PHASE, message="nothing has started")
    return end_match(_charged(state), action.side.other, MatchCause.CLAIM)


def flag(state: MatchState, action: Flag) -> MatchState:
    """End the match because the side's time is over; refused while time is left."""
    clock = state.clock
    if clock is None or clock.running is not action.side or not clock.is_out(action.at_ms):
        raise IllegalAction(Reason.WRONG_PHASE, message="there is time left")
    return end_match(_charged(state), action.side, MatchCause.FLAG)


def void(state: MatchState, action: Void) -> MatchState:
    """Cancel the match; the action itself carries the cause."""
    return stop_match(_charged(state), MatchOutcome(None, MatchCause.VOID))


def pause(state: MatchState, action: Pause) -> MatchState:
    """Stop the clock; until `resume` no side can act in a game and no game can start."""
    if not may_pause(state):
        raise IllegalAction(Reason.WRONG_PHASE, message="nothing to pause")
    return replace(state, clock=_clock(state).pause(action.at_ms, action.credit_ms))


def resume(state: MatchState, action: Resume) -> MatchState:
    if state.clock is None or not state.clock.is_paused:
        raise IllegalAction(Reason.WRONG_PHASE, message="not paused")
    return replace(state, clock=state.clock.resume(action.at_ms))


def credit(state: MatchState, action: Credit) -> MatchState:
    """Give time back to the running side; no effect while the clock is stopped or paused."""
    return replace(state, clock=state.clock and state.clock.credit(action.ms))


def takeover(state: MatchState, action: Takeover) -> MatchState:
    """Keep the state: the action is logged for the record, and the rules do not use seats."""
    return state


def reveal(state: MatchState, action: Reveal) -> MatchState:
    """Record the secret once the match is over; it must be the one committed to."""
    _check_unrevealed(state)
    if commitment(bytes.fromhex(action.secret)) != state.proof.commitment:
        raise InvalidAction("secret_mismatch", "the secret does not have the committed hash")
    return replace(state, proof=replace(state.proof, secret=action.secret))


def secret_lost(state: MatchState, action: SecretLost) -> MatchState:
    """Record that the secret could not be opened: nobody can check these dice."""
    _check_unrevealed(state)
    return replace(state, proof=replace(state.proof, is_lost=True))


def _check_unrevealed(state: MatchState) -> None:
    proof = state.proof
    is_known = proof.secret is not None or proof.is_lost
    if state.phase is not Phase.FINISHED or proof.commitment is None or is_known:
        raise IllegalAction(Reason.WRONG_PHASE)


def _charged(state: MatchState) -> MatchState:
    return replace(state, clock=state.clock and state.clock.charge(state.at_ms))


def _clock(state: MatchState) -> Clock:
    if state.clock is None:
        raise IllegalAction(Reason.WRONG_PHASE)
    return state.clock
