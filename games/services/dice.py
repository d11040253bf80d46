"""The server's dice: every roll follows from the sealed secret and the players' entropy.

The secrets of running matches are stored encrypted, so that a database dump predicts no roll.
"""

import base64
import hashlib
import logging
import secrets
from collections.abc import Mapping
from datetime import datetime

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from games.engine import dice
from games.engine.match.actions import Roll, Void
from games.engine.match.state import Dice, MatchState
from games.engine.sides import Side
from games.models import Match, Seat
from games.models.void_cause import VoidCause

logger = logging.getLogger(__name__)
# The newest match in play is sought among this number of the latest matches, since a site may have
# millions of finished ones.
MOST_READ = 10_000


class KeyMissing(Exception):
    """No key of this process opens a sealed secret. Another process may have the key: try again."""


class SecretLost(Exception):
    """No key of the site opens a sealed secret.

    The secret gives no more rolls of a match and no draw of a tournament, and is never revealed.
    """


def new_secret() -> bytes:
    return secrets.token_bytes(dice.SECRET_BYTES)


def has_all_hashes(seats: Mapping[Side, Seat], state: MatchState) -> bool:
    """Return whether every person has sent the hash of their entropy; bots send none."""
    hashes = state.proof.hashes
    return all(seat.bot or hashes[side] is not None for side, seat in seats.items())


def next_roll(match: Match, state: MatchState) -> Dice:
    """Return the game's next roll: the one after all rolls so far, tied opening rolls included.

    Raises `SecretLost` or `KeyMissing`.
    """
    white, black = (bytes.fromhex(text or "") for text in state.proof.entropy)
    secret = open_secret(match.sealed_secret, match.created_at)
    key = dice.match_key(secret, match.public_id, white, black)
    return dice.roll(key, state.game, state.rolls + 1)


def roll_action(match: Match, state: MatchState, side: Side, at_ms: int) -> Roll | Void:
    """Return the next roll as an action of `side`, or `Void` if the match's secret is lost.

    Raises `KeyMissing`.
    """
    try:
        d1, d2 = next_roll(match, state)
    except SecretLost:
        return Void(at_ms=at_ms, cause=VoidCause.NO_DICE.value)
    return Roll(at_ms=at_ms, side=side, d1=d1, d2=d2)


def seal(secret: bytes) -> bytes:
    """Encrypt a secret with the first key; raise `KeyMissing` if this process has wrong keys."""
    if not (settings.DICE_SEAL_KEY_IS_LOST or has_key_of_newest()):
        raise KeyMissing("no new secret: no key opens the newest match in play")
    return _keys().encrypt(secret)


def unseal(sealed: bytes | memoryview) -> bytes:
    """Decrypt a sealed secret with any key of this process; raise `KeyMissing` if none opens it."""
    try:
        return _keys().decrypt(bytes(sealed))
    except InvalidToken:
        raise KeyMissing("dice secret not opened: see DICE_SEAL_KEY_FALLBACKS") from None


def open_secret(sealed: bytes | memoryview, sealed_at: datetime) -> bytes:
    """Decrypt a secret; raise `SecretLost` if its key is lost for good, else `KeyMissing`."""
    try:
        return unseal(sealed)
    except KeyMissing:
        if not _is_key_lost(sealed_at):
            raise
        logger.exception("dice secret not opened: is a key missing in DICE_SEAL_KEY_FALLBACKS?")
        raise SecretLost from None


def _is_key_lost(sealed_at: datetime) -> bool:
    """Return whether no process of the site has the key of a secret that this one cannot open.

    A secret sealed after this process read its keys may have a newer key, which another process
    has, for example while the key is being changed. The key of an older secret was dropped, unless
    this process has only wrong keys. In that case the secret of the newest match in play cannot be
    opened either.
    """
    if sealed_at >= settings.DICE_SEAL_KEYS_READ_AT:
        return False
    return settings.DICE_SEAL_KEY_IS_LOST or _opens_newest() is True


def has_key_of_newest() -> bool:
    """Return whether a key opens the secret of the newest match in play or of the newest of all.

    True if no match is in play. Only the newest count: a training match waits for its player
    without limit, so an older secret may have been sealed with a key that the site has dropped or
    lost since. Then the newest match of all shows that this process has the key of today.
    """
    if _opens_newest() is not False:
        return True
    return _opens(Match.objects.order_by("-pk").values_list("sealed_secret", flat=True).first())


def _opens_newest() -> bool | None:
    """Return whether a key opens the newest match in play; None if none is in play."""
    last = Match.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    running = Match.objects.filter(pk__gt=last - MOST_READ, finished_at__isnull=True)
    sealed = running.order_by("-pk").values_list("sealed_secret", flat=True).first()
    return None if sealed is None else _opens(sealed)


def _opens(sealed: bytes | memoryview | None) -> bool:
    """Return whether a key opens a sealed secret; True without one."""
    try:
        return sealed is None or bool(unseal(sealed))
    except KeyMissing:
        return False


def is_key_here(match: Match) -> bool:
    """Return whether this process can go on with the match: it has the key, or the key is lost."""
    try:
        open_secret(match.sealed_secret, match.created_at)
    except SecretLost:
        return True
    except KeyMissing:
        return False
    return True


def _keys() -> MultiFernet:
    digests = [hashlib.sha256(key.encode()).digest() for key in settings.DICE_SEAL_KEYS]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
