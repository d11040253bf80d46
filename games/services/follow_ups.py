"""Automatic actions: opening rolls, passes, premoves, the next game, revealing the secret.

If the key of the dice secret is lost, a match that has to roll becomes void, and a match that ends
logs `SecretLost` instead of `Reveal`. If only this process lacks the key, `KeyMissing` is raised
and nothing is saved. There is one exception: the last entropy is saved, although the match does not
start. If the match then becomes void, no player counts as one who did not come.
"""

from games.engine.match.actions import Drop, Opening, Play, Reveal, SecretLost, Start, Take, Void
from games.engine.match.permissions import graph_of, may_roll, may_take, on_turn
from games.engine.match.state import MatchState, Phase
from games.models.premove import CubeAnswer
from games.models.void_cause import VoidCause
from games.services import dice
from games.services.transaction import MatchTransaction


def apply_automatic_actions(tx: MatchTransaction) -> None:
    """Apply actions that need no choice until a player or bot has to act.

    Runs in the caller's transaction.
    """
    while _apply_next(tx):
        pass


def _apply_next(tx: MatchTransaction) -> bool:
    state = tx.state
    if state.phase is Phase.SEATING and _has_all_entropy(tx):
        if not dice.is_key_here(tx.match):
            return False
        tx.act(lambda at: Start(at_ms=at, game=1))
    elif state.phase is Phase.BETWEEN_GAMES and _are_all_ready(tx):
        start_next_game(tx)
    elif state.phase is Phase.OPENING:
        _open(tx, state)
    elif state.phase is Phase.TO_PLAY and state.offer is None and graph_of(state).is_pass:
        _pass(tx, state)
    elif state.phase is Phase.FINISHED and not (state.proof.secret or state.proof.is_lost):
        _reveal(tx)
    else:
        return _do_premove(tx)
    return True


def _do_premove(tx: MatchTransaction) -> bool:
    """Apply the premove of the side to act; return False if it has none for this moment.

    A roll in advance gives up the right to double in this turn. The action counts as sent by the
    side at this moment, so the side's clock loses no time.
    """
    state = tx.state
    side = on_turn(state)
    if side is None:
        return False
    premove = tx.seats[side].premove_in(state)
    if premove.roll and may_roll(state, side):
        tx.act(lambda at: dice.roll_action(tx.match, state, side, at))
    elif premove.cube and state.phase is Phase.CUBE_OFFERED and may_take(state, side):
        answer = Take if premove.cube is CubeAnswer.TAKE else Drop
        tx.act(lambda at: answer(at_ms=at, side=side))
    else:
        return False
    return True


def start_next_game(tx: MatchTransaction) -> None:
    game = tx.state.game + 1
    tx.act(lambda at: Start(at_ms=at, game=game))


def _open(tx: MatchTransaction, state: MatchState) -> None:
    try:
        white, black = dice.next_roll(tx.match, state)
    except dice.SecretLost:
        tx.act(lambda at: Void(at_ms=at, cause=VoidCause.NO_DICE.value))
    else:
        tx.act(lambda at: Opening(at_ms=at, white=white, black=black))


def _reveal(tx: MatchTransaction) -> None:
    try:
        secret = dice.open_secret(tx.match.sealed_secret, tx.match.created_at).hex()
    except dice.SecretLost:
        tx.act(lambda at: SecretLost(at_ms=at))
    else:
        tx.act(lambda at: Reveal(at_ms=at, secret=secret))


def _pass(tx: MatchTransaction, state: MatchState) -> None:
    assert state.turn is not None
    side = state.turn
    tx.act(lambda at: Play(at_ms=at, side=side, text="-", auto=True))


def _has_all_entropy(tx: MatchTransaction) -> bool:
    """Return whether every person has given entropy for the dice; bots give none."""
    entropy = tx.state.proof.entropy
    return all(seat.bot or entropy[side] is not None for side, seat in tx.seats.items())


def _are_all_ready(tx: MatchTransaction) -> bool:
    return all(seat.bot or side in tx.state.ready for side, seat in tx.seats.items())
