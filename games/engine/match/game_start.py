"""The time before a game: commitments to the dice, readiness, the start position."""

from dataclasses import replace

from games.engine.board.position import Position
from games.engine.dice import entropy_hash as hash_of_entropy
from games.engine.errors import IllegalAction, InvalidAction, Reason
from games.engine.match.actions import Commit, Entropy, EntropyHash, NextGame, Start
from games.engine.match.cube import CENTERED
from games.engine.match.permissions import is_paused, refusal_of_next
from games.engine.match.scoring import next_is_crawford
from games.engine.match.state import MatchState, Phase
from games.engine.sides import ZEROS, Side


def commit(state: MatchState, action: Commit) -> MatchState:
    """Record the server's commitment, before anything that the players send."""
    _check_seating(state)
    if state.proof.commitment or state.proof.hashes != (None, None):
        raise IllegalAction(Reason.WRONG_PHASE, message="the commitment comes first, once")
    return replace(state, proof=replace(state.proof, commitment=action.hash))


def entropy_hash(state: MatchState, action: EntropyHash) -> MatchState:
    """Record a player's hash; refused once any entropy is known.

    A player may replace their hash until the other side's hash is logged, since the device that
    knows the entropy behind the first hash may be closed by now. No entropy is known at that time,
    so the new hash cannot be chosen for better dice. Once both hashes are logged, neither changes,
    since a deadline counts from the second one.
    """
    _check_seating(state)
    hashes = state.proof.hashes
    promised, of_other = hashes[action.side], hashes[action.side.other]
    is_bound = promised is not None and (of_other is not None or promised == action.hash)
    if is_bound or state.proof.entropy != (None, None):
        raise IllegalAction(Reason.WRONG_PHASE, message="too late for this hash")
    hashes = hashes.changed(action.side, action.hash)
    return replace(state, proof=replace(state.proof, hashes=hashes))


def entropy(state: MatchState, action: Entropy) -> MatchState:
    """Record a player's entropy, checked against the last of their hashes."""
    _check_seating(state)
    promised = state.proof.hashes[action.side]
    if promised is None or state.proof.entropy[action.side]:
        raise IllegalAction(Reason.WRONG_PHASE, message="no open hash of this side")
    if hash_of_entropy(bytes.fromhex(action.hex)) != promised:
        raise InvalidAction("entropy_mismatch", "the entropy does not have the promised hash")
    entropies = state.proof.entropy.changed(action.side, action.hex)
    return replace(state, proof=replace(state.proof, entropy=entropies))


def next_game(state: MatchState, action: NextGame) -> MatchState:
    """Mark one side as ready for the next game; the server decides when it starts."""
    refusal = refusal_of_next(state, action.side)
    if refusal is not None:
        raise IllegalAction(refusal)
    return replace(state, ready=state.ready | {action.side})


def start(state: MatchState, action: Start) -> MatchState:
    """Begin a game; every game of a match has its own opening throw."""
    if state.phase not in (Phase.SEATING, Phase.BETWEEN_GAMES) or is_paused(state):
        raise IllegalAction(Reason.WRONG_PHASE)
    if action.game != state.game + 1:
        raise IllegalAction(Reason.WRONG_PHASE, message=f"the next game is {state.game + 1}")
    for side in Side:
        if state.proof.hashes[side] and not state.proof.entropy[side]:
            raise IllegalAction(Reason.WRONG_PHASE, message=f"{side} owes its entropy")
    crawford = next_is_crawford(state)
    return replace(
        state,
        phase=Phase.OPENING,
        position=Position.start(state.rules.variant),
        game=action.game,
        turn=None,
        first=None,
        dice=None,
        openings=(),
        cube=CENTERED,
        crawford=crawford,
        crawford_done=state.crawford_done or crawford,
        turns=ZEROS,
        rolls=0,
        rolled_pips=ZEROS,
        doublets=ZEROS,
        ready=frozenset(),
    )


def _check_seating(state: MatchState) -> None:
    if state.phase is not Phase.SEATING:
        raise IllegalAction(Reason.WRONG_PHASE)
