"""The actions that make the dice provable; the scheme is in dice.py."""

from dataclasses import dataclass
from typing import ClassVar

from games.engine.dice import ENTROPY_MAX_BYTES, SECRET_BYTES
from games.engine.match.action_base import Action, SideAction, check_hex

_HASH_DIGITS = 64  # hex digits of a SHA-256


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(Action):
    """The SHA-256 of the match's secret, in hex: the first action of a match."""

    kind: ClassVar[str] = "commit"
    hash: str

    def __post_init__(self) -> None:
        Action.__post_init__(self)
        check_hex("hash", self.hash, _HASH_DIGITS, _HASH_DIGITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntropyHash(SideAction):
    """The SHA-256, in hex, of the entropy that the side will add; the side's last hash counts."""

    kind: ClassVar[str] = "entropy_hash"
    hash: str

    def __post_init__(self) -> None:
        SideAction.__post_init__(self)
        check_hex("hash", self.hash, _HASH_DIGITS, _HASH_DIGITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entropy(SideAction):
    """The side's entropy for the dice: 1 to 64 bytes in hex."""

    kind: ClassVar[str] = "entropy"
    hex: str

    def __post_init__(self) -> None:
        SideAction.__post_init__(self)
        check_hex("entropy", self.hex, 2, 2 * ENTROPY_MAX_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretLost(Action):
    """The site cannot open the secret of the dice, so it shows none after the end."""

    kind: ClassVar[str] = "secret_lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal(Action):
    """Show the secret of the dice in hex, after the end."""

    kind: ClassVar[str] = "reveal"
    secret: str

    def __post_init__(self) -> None:
        Action.__post_init__(self)
        check_hex("secret", self.secret, 2 * SECRET_BYTES, 2 * SECRET_BYTES)
