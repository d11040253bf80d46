"""Provably fair dice: every roll follows from a secret and both players' entropy.

The scheme, which the rules pages explain to players:

1. The server commits to a secret of 32 bytes by its SHA-256 before the players send anything.
2. Each player commits to their entropy by a hash before any entropy is known. If a player sends
   several hashes, the last one counts.
3. The key of all rolls is an HMAC of the match's id and both entropies, keyed with the secret.

Nothing here is random: the same secret and entropy give the same rolls.
"""

import hashlib
import hmac
from functools import lru_cache

from games.engine.errors import InvalidAction

SECRET_BYTES = 32
ENTROPY_MAX_BYTES = 64
_DOMAIN = b"5sg1"  # first bytes of the message of `match_key`: domain separation
_FAIR_BYTES = 252  # the largest multiple of 6 in a byte: 252 and above would favor low faces
_FACES = bytes([byte % 6 + 1 for byte in range(256)])
_SKIPPED = bytes(range(_FAIR_BYTES, 256))


def commitment(secret: bytes) -> str:
    """Return the SHA-256 of the secret in hex, shown and logged before anything else."""
    if len(secret) != SECRET_BYTES:
        raise InvalidAction("secret", f"the secret has {SECRET_BYTES} bytes")
    return hashlib.sha256(secret).hexdigest()


def entropy_hash(entropy: bytes) -> str:
    """Return the hash that a player sends before the entropy itself."""
    return hashlib.sha256(check_entropy(entropy)).hexdigest()


def check_entropy(entropy: bytes) -> bytes:
    """Return the same bytes; raise `InvalidAction("entropy")` when there are too many."""
    if len(entropy) > ENTROPY_MAX_BYTES:
        raise InvalidAction("entropy", f"entropy has {ENTROPY_MAX_BYTES} bytes at most")
    return entropy


def match_key(secret: bytes, match_id: str, white: bytes, black: bytes) -> bytes:
    """Return the key of all rolls of a match; a bot's entropy is the empty string.

    `match_id` is the public id. Raises `InvalidAction` if the secret or an entropy has a wrong
    length or the id is not ASCII.
    """
    if len(secret) != SECRET_BYTES:
        raise InvalidAction("secret", f"the secret has {SECRET_BYTES} bytes")
    if not match_id.isascii():
        raise InvalidAction("match_id", "the match id is ASCII")
    parts = (match_id.encode("ascii"), check_entropy(white), check_entropy(black))
    message = _DOMAIN + b"".join([_length_prefixed(part) for part in parts])
    return hmac.new(secret, message, hashlib.sha256).digest()


def roll(key: bytes, game: int, number: int) -> tuple[int, int]:
    """Return roll `number` of game `game`, both counted from 1.

    An opening throw counts as a roll: its first die is White's, its second Black's.
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
    """Return an HMAC with the key and no message, to be copied."""
    return hmac.new(key, digestmod=hashlib.sha256)


def _length_prefixed(part: bytes) -> bytes:
    return len(part).to_bytes(2, "big") + part
