"""The server's dice: every roll follows from the sealed secret and the players' entropy."""

import secrets

from games.engine import dice
from games.engine.match.state import Dice, MatchState
from games.models import Match
from games.services.sealing import unseal


def new_secret() -> bytes:
    return secrets.token_bytes(dice.SECRET_BYTES)


def next_roll(match: Match, state: MatchState) -> Dice:
    """The roll after those that the game has seen, opening tries included."""
    white, black = (bytes.fromhex(text or "") for text in state.proof.entropy)
    key = dice.match_key(unseal(match.sealed_secret), match.public_id, white, black)
    return dice.roll(key, state.game, state.rolls + 1)
