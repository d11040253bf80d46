"""The server's dice: every roll follows from the sealed secret and the players' entropy.

The secrets of running matches are stored encrypted, so that a database dump predicts no roll.
"""

import base64
import hashlib
import secrets

from cryptography.fernet import Fernet
from django.conf import settings

from games.engine import dice
from games.engine.match.state import Dice, MatchState
from games.models import Match


def new_secret() -> bytes:
    return secrets.token_bytes(dice.SECRET_BYTES)


def next_roll(match: Match, state: MatchState) -> Dice:
    """Return the roll after those that the game has seen, opening rerolls included."""
    white, black = (bytes.fromhex(text or "") for text in state.proof.entropy)
    key = dice.match_key(unseal(match.sealed_secret), match.public_id, white, black)
    return dice.roll(key, state.game, state.rolls + 1)


def seal(secret: bytes) -> bytes:
    """Encrypt a secret with a key derived from the setting DICE_SEAL_KEY."""
    return _fernet().encrypt(secret)


def unseal(sealed: bytes | memoryview) -> bytes:
    """Decrypt a sealed secret.

    Raises `cryptography.fernet.InvalidToken` when another key sealed it.
    """
    return _fernet().decrypt(bytes(sealed))


def _fernet() -> Fernet:
    digest = hashlib.sha256(settings.DICE_SEAL_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
