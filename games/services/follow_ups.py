"""Automatic actions: opening rolls, passes, the next game, revealing the secret at the end."""

from games.engine.match.actions import Opening, Play, Reveal, Start
from games.engine.match.permissions import graph_of
from games.engine.match.state import MatchState, Phase
from games.services.dice import next_roll, unseal
from games.services.transaction import MatchTransaction


def apply_automatic_actions(tx: MatchTransaction) -> None:
    """Apply actions that need no choice until a player or bot has to act.

    Runs in the caller's transaction.
    """
    while _apply_next(tx):
        pass


def _apply_next(tx: MatchTransaction) -> bool:
    state = tx.state
    if state.phase is Phase.SEATING and _all_entropy_given(tx):
        tx.act(lambda at: Start(at_ms=at, game=1))
    elif state.phase is Phase.BETWEEN_GAMES and _all_ready(tx):
        start_next_game(tx)
    elif state.phase is Phase.OPENING:
        white, black = next_roll(tx.match, state)
        tx.act(lambda at: Opening(at_ms=at, white=white, black=black))
    elif state.phase is Phase.TO_PLAY and state.offer is None and graph_of(state).is_pass:
        _pass(tx, state)
    elif state.phase is Phase.FINISHED and state.proof.secret is None:
        secret = unseal(tx.match.sealed_secret).hex()
        tx.act(lambda at: Reveal(at_ms=at, secret=secret))
    else:
        return False
    return True


def start_next_game(tx: MatchTransaction) -> None:
    game = tx.state.game + 1
    tx.act(lambda at: Start(at_ms=at, game=game))


def _pass(tx: MatchTransaction, state: MatchState) -> None:
    assert state.turn is not None
    side = state.turn
    tx.act(lambda at: Play(at_ms=at, side=side, text="-", auto=True))


def _all_entropy_given(tx: MatchTransaction) -> bool:
    """Return whether every person has given entropy for the dice; bots give none."""
    entropy = tx.state.proof.entropy
    return all(seat.bot or entropy[side] is not None for side, seat in tx.seats.items())


def _all_ready(tx: MatchTransaction) -> bool:
    return all(seat.bot or side in tx.state.ready for side, seat in tx.seats.items())
