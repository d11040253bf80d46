"""The server's dice: every roll follows from the sealed secret and the players' entropy.

The secrets of running matches are stored encrypted, so that a database dump predicts no roll.
"""

import base64
import hashlib
import logging
import secrets

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from games.engine import dice
from games.engine.match.actions import Roll, Void
from games.engine.match.state import Dice, MatchState
from games.engine.sides import Side
from games.models import Match
from games.models.void_cause import VoidCause

logger = logging.getLogger(__name__)


class SecretLost(Exception):
    """No key of the site opens a sealed secret: no roll or draw follows, nothing is revealed."""


def new_secret() -> bytes:
    return secrets.token_bytes(dice.SECRET_BYTES)


def next_roll(match: Match, state: MatchState) -> Dice:
    """Return the game's next roll: the one after all rolls so far, tied opening rolls included.

    Raises `SecretLost`.
    """
    white, black = (bytes.fromhex(text or "") for text in state.proof.entropy)
    key = dice.match_key(unseal(match.sealed_secret), match.public_id, white, black)
    return dice.roll(key, state.game, state.rolls + 1)


def roll_action(match: Match, state: MatchState, side: Side, at_ms: int) -> Roll | Void:
    """Return the next roll as an action of `side`, or the end of a match that cannot roll."""
    try:
        d1, d2 = next_roll(match, state)
    except SecretLost:
        return Void(at_ms=at_ms, cause=VoidCause.NO_DICE.value)
    return Roll(at_ms=at_ms, side=side, d1=d1, d2=d2)


def seal(secret: bytes) -> bytes:
    """Encrypt a secret with the first of the site's keys."""
    return _keys().encrypt(secret)


def unseal(sealed: bytes | memoryview) -> bytes:
    """Decrypt a sealed secret with any of the site's keys; raise `SecretLost` if none opens it."""
    try:
        return _keys().decrypt(bytes(sealed))
    except InvalidToken:
        logger.exception("dice secret not opened: is a key missing in DICE_SEAL_KEY_FALLBACKS?")
        raise SecretLost from None


def has_key_of_newest() -> bool:
    """Return whether a key opens the secret of the newest match in play; True if none is in play.

    Only the newest counts: a training match waits for its player without limit, so an older secret
    may have been sealed with a key that the site has dropped since.
    """
    running = Match.objects.filter(finished_at__isnull=True).order_by("-pk")
    sealed = running.values_list("sealed_secret", flat=True).first()
    try:
        return sealed is None or bool(_keys().decrypt(bytes(sealed)))
    except InvalidToken:
        return False


def _keys() -> MultiFernet:
    digests = [hashlib.sha256(key.encode()).digest() for key in settings.DICE_SEAL_KEYS]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
