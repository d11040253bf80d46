"""Play matches to their end in one transaction, for tests that need a long log."""

import hashlib
from datetime import timedelta

from accounts.shared.transactions import write_transaction
from games.engine.match.actions import Entropy, EntropyHash, Play, Roll
from games.engine.match.permissions import on_turn
from games.engine.match.state import Phase
from games.engine.sides import Side
from games.models import Match
from games.services.dice import next_roll
from games.services.follow_ups import apply_automatic_actions, start_next_game
from games.services.transaction import MatchTransaction
from tests.games.factories import ENTROPY, some_play


def play_out(match: Match) -> Match:
    """Play a match between two people to its end, without the cube; an action takes 100 ms."""
    with write_transaction():
        tx = MatchTransaction.lock(match.public_id, match.created_at)
        _give_entropy(tx)
        while tx.state.phase is not Phase.FINISHED:
            tx.now += timedelta(milliseconds=100)
            _act(tx)
            apply_automatic_actions(tx)
        tx.save()
    match.refresh_from_db()
    return match


def _give_entropy(tx: MatchTransaction) -> None:
    hashed = hashlib.sha256(ENTROPY).hexdigest()
    for side in Side:
        tx.act(lambda at, side=side: EntropyHash(at_ms=at, side=side, hash=hashed))
    for side in Side:
        tx.act(lambda at, side=side: Entropy(at_ms=at, side=side, hex=ENTROPY.hex()))
    apply_automatic_actions(tx)


def _act(tx: MatchTransaction) -> None:
    state, side = tx.state, on_turn(tx.state)
    if state.phase is Phase.BETWEEN_GAMES:
        start_next_game(tx)
    elif state.phase is Phase.TO_ROLL:
        d1, d2 = next_roll(tx.match, state)
        tx.act(lambda at: Roll(at_ms=at, side=side, d1=d1, d2=d2))
    else:
        tx.act(lambda at: Play(at_ms=at, side=side, text=some_play(state)))
