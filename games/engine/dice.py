"""Dice that anyone can check: every roll follows from a secret and both players' entropy.

The scheme, told to players on the rules pages: a secret of 32 bytes is committed to by its SHA-256
before the players send anything; each player commits to his entropy before any entropy is seen;
the key is an HMAC over all three. Nothing here is random: whoever has the secret gets the same
rolls.
"""

import hashlib
import hmac
from functools import lru_cache

from games.engine.errors import InvalidAction

SECRET_BYTES = 32
ENTROPY_MAX_BYTES = 64
_DOMAIN = b"5sg1"
_MAX_BYTE = 252  # the largest multiple of six that a byte can count to: above it is skipped
_FACES = bytes([byte % 6 + 1 for byte in range(256)])
_SKIPPED = bytes(range(_MAX_BYTE, 256))


def commitment(secret: bytes) -> str:
    """The SHA-256 of the secret, shown and logged before anything else."""
    if len(secret) != SECRET_BYTES:
        raise InvalidAction("secret", f"the secret has {SECRET_BYTES} bytes")
    return hashlib.sha256(secret).hexdigest()


def entropy_hash(entropy: bytes) -> str:
    """What a player sends before the entropy itself."""
    return hashlib.sha256(check_entropy(entropy)).hexdigest()


def check_entropy(entropy: bytes) -> bytes:
    """The same bytes, or `InvalidAction("entropy")` when they are too many."""
    if len(entropy) > ENTROPY_MAX_BYTES:
        raise InvalidAction("entropy", f"entropy has {ENTROPY_MAX_BYTES} bytes at most")
    return entropy


def match_key(secret: bytes, match_id: str, white: bytes, black: bytes) -> bytes:
    """The key of all rolls of a match; a bot's entropy is the empty string.

    `match_id` is the public id, ASCII. Raises `InvalidAction` when a part is out of range.
    """
    if len(secret) != SECRET_BYTES:
        raise InvalidAction("secret", f"the secret has {SECRET_BYTES} bytes")
    if not match_id.isascii():
        raise InvalidAction("match_id", "the match id is ASCII")
    parts = (match_id.encode("ascii"), check_entropy(white), check_entropy(black))
    message = _DOMAIN + b"".join([_length_prefixed(part) for part in parts])
    return hmac.new(secret, message, hashlib.sha256).digest()


def roll(key: bytes, game: int, number: int) -> tuple[int, int]:
    """Roll `number` of game `game`, both counted from 1.

    Every opening try is a roll too: its first die is White's, its second Black's.
    """
    if game < 1 or number < 1:
        raise ValueError("games and rolls are counted from 1")
    faces, block = b"", 0
    while len(faces) < 2:
        mac = _keyed(key).copy()
        mac.update(f"{game}:{number}:{block}".encode("ascii"))
        faces += mac.digest().translate(_FACES, _SKIPPED)
        block += 1
    return faces[0], faces[1]


@lru_cache(maxsize=64)
def _keyed(key: bytes) -> hmac.HMAC:
    """An HMAC that has taken in the key and nothing yet: it is only copied."""
    return hmac.new(key, digestmod=hashlib.sha256)


def _length_prefixed(part: bytes) -> bytes:
    return len(part).to_bytes(2, "big") + part
