"""Play matches of a demonstration to their end at once, at moments that have passed."""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import uuid4

from accounts.shared.transactions import write_transaction
from games.ai.bots.decisions import decide
from games.ai.bots.levels import LEVELS
from games.engine.match.permissions import on_turn
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from games.protocol.incoming import Command
from games.services.commands import perform
from games.services.follow_ups import apply_automatic_actions, start_next_game
from games.services.transaction import MatchTransaction

# Time of a turn before the reserve runs, and time between two actions.
DELAY_MS = 20_000
PACE = timedelta(seconds=4)
ENTROPY_BYTES = 16


def rules_of(variant: str, length: int) -> Rules:
    return Rules.of(variant, length=length, delay_ms=DELAY_MS)


def play(match: Match, levels: Mapping[Side, str]) -> datetime:
    """Play a match as bots of these levels would; return when it ends."""
    with write_transaction():
        tx = MatchTransaction.lock(match.public_id, match.created_at)
        _give_entropy(tx)
        while tx.state.phase is not Phase.FINISHED:
            tx.now += PACE
            _act(tx, levels)
        tx.save()
    return tx.now


def _give_entropy(tx: MatchTransaction) -> None:
    people = [side for side, seat in tx.seats.items() if not seat.bot]
    given = {side: secrets.token_bytes(ENTROPY_BYTES) for side in people}
    for side, entropy in given.items():
        _do(tx, side, "entropy_hash", hash=hashlib.sha256(entropy).hexdigest())
    for side, entropy in given.items():
        _do(tx, side, "entropy", entropy=entropy.hex())


def _act(tx: MatchTransaction, levels: Mapping[Side, str]) -> None:
    if tx.state.phase is Phase.BETWEEN_GAMES:
        start_next_game(tx)
        apply_automatic_actions(tx)
        return
    side = on_turn(tx.state)
    assert side is not None
    decision = decide(tx.state, side, LEVELS[levels[side]], salt=tx.match.public_id)
    assert decision is not None
    fields = {name: value for name, value in decision.command.items() if name != "t"}
    _do(tx, side, decision.command["t"], **fields)


def _do(tx: MatchTransaction, side: Side, kind: str, **fields: object) -> None:
    command = Command(kind, uuid4(), tx.match.seq + len(tx.logged), fields)
    perform(tx, tx.seats[side], command)
    apply_automatic_actions(tx)
