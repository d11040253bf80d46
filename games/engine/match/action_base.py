"""The base classes of logged actions and the checks of their fields.

A value that cannot be read raises `InvalidAction`, whose code is the name of the field.
"""

import re
from dataclasses import dataclass
from typing import ClassVar

from games.engine.errors import InvalidAction
from games.engine.sides import Side

MAX_GRACE_MS = 1000
MAX_MS = 10**13  # about 300 years: a guard against nonsense, not a rule of play
_HEX = re.compile(r"(?:[0-9a-f]{2})+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Anything logged; `kind` is its name in the text form and in the log."""

    kind: ClassVar[str] = ""
    at_ms: int

    def __post_init__(self) -> None:
        check_number("at_ms", self.at_ms, 0, MAX_MS)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideAction(Action):
    """An action of one side."""

    side: Side

    def __post_init__(self) -> None:
        Action.__post_init__(self)
        if not isinstance(self.side, Side):
            raise InvalidAction("side", f"no such side: {self.side!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedAction(SideAction):
    """An action that must come before the side's flag falls."""

    grace_ms: int = 0

    def __post_init__(self) -> None:
        SideAction.__post_init__(self)
        check_number("grace_ms", self.grace_ms, 0, MAX_GRACE_MS)


def check_number(name: str, value: object, low: int, high: int) -> None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:  # type: ignore[operator]
        raise InvalidAction(name, f"{name} is a whole number from {low} to {high}")


def check_die(value: object) -> None:
    check_number("die", value, 1, 6)


def check_hex(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, str) or not low <= len(value) <= high or not _HEX.fullmatch(value):
        raise InvalidAction(name, f"{name} is {low} to {high} lower-case hex digits")
