"""Uniform numbers of one round's draw, from the secret (tournaments/README.md, "The draw")."""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar

from tournaments.draw.secret import SECRET_BYTES

_DOMAIN = b"5sg-draw1"
_LENGTH_BYTES = 2  # of the length before each part of the message
MOST_OF_ID = (1 << (8 * _LENGTH_BYTES)) - 1  # characters
_WORD_BYTES = 4
_WORDS = 1 << (8 * _WORD_BYTES)

Item = TypeVar("Item")


class DrawStream:
    """Random numbers of a round: the same secret, tournament and round give the same sequence."""

    def __init__(self, secret: bytes, tournament_id: str, round_number: int) -> None:
        """Take the tournament's public id, ASCII, and the number of the round, from 1.

        Raises ValueError if a value is out of range.
        """
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"the secret has {SECRET_BYTES} bytes")
        if len(tournament_id) > MOST_OF_ID:
            raise ValueError(f"the id has at most {MOST_OF_ID} characters")
        if round_number < 1:
            raise ValueError("rounds are counted from 1")
        parts = (tournament_id.encode("ascii"), str(round_number).encode("ascii"))
        message = _DOMAIN + b"".join(
            len(part).to_bytes(_LENGTH_BYTES, "big") + part for part in parts
        )
        self._words = _words(hmac.digest(secret, message, hashlib.sha256))

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1, each equally likely.

        Words from 2**32 - 2**32 % `bound` on are skipped.
        """
        if not 1 <= bound <= _WORDS:
            raise ValueError("a bound is from 1 to 2**32")
        limit = _WORDS - _WORDS % bound
        return next(word for word in self._words if word < limit) % bound

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in random order (Fisher and Yates, from the last place down)."""
        mixed = list(items)
        for place in range(len(mixed) - 1, 0, -1):
            other = self.below(place + 1)
            mixed[place], mixed[other] = mixed[other], mixed[place]
        return mixed


def _words(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(key, str(block).encode("ascii"), hashlib.sha256)
        for start in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[start : start + _WORD_BYTES], "big")
        block += 1
