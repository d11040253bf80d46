"""Positions: checkers in each side's own numbering, and their text forms."""

import re
from dataclasses import dataclass
from typing import Self

from games.engine.board.variants import BAR, CHECKERS, HOME_END, OFF, TRAITS
from games.engine.errors import InvalidPosition
from games.engine.rules import Variant
from games.engine.sides import Side

Counts = tuple[int, ...]

_HEX = "0123456789abcdef"
_HEX_VALUES = {digit: value for value, digit in enumerate(_HEX)}
_HEX_OF_COUNT = _HEX.encode("ascii").ljust(256, b"?")
_HEX_DIGITS = {Variant.SHORT: 52, Variant.LONG: 50}
_TEXT = re.compile(r"W:(\S+) B:(\S+)")
_ITEM = re.compile(r"(?:([1-9]|1[0-9]|2[0-4])x|(bar)|(off))([1-9]|1[0-5])")


@dataclass(frozen=True, slots=True)
class Position:
    """Two arrays of 26 counts, one for each side: [0] = off, [1..24] = own points, [25] = bar.

    The constructor checks nothing, since the move generator builds thousands of positions;
    `from_text` and `from_hex` call `check_position`.

    >>> Position.start(Variant.SHORT).to_text()
    'W:24x2,13x5,8x3,6x5 B:24x2,13x5,8x3,6x5'
    """

    white: Counts
    black: Counts

    @classmethod
    def start(cls, variant: Variant) -> Self:
        array = TRAITS[variant].start
        return cls(array, array)

    def of(self, side: Side) -> Counts:
        return self.white if side is Side.WHITE else self.black

    def pips(self, side: Side) -> int:
        """Return the pips that the side still has to play; a checker on the bar counts 25."""
        return pips_of(self.of(side))

    def is_home(self, side: Side) -> bool:
        """Return True if all fifteen checkers are home or off."""
        return not any(self.of(side)[HOME_END + 1 :])

    def to_text(self) -> str:
        """Return `W:24x2,13x5,8x3,6x5 B:...`: points from high to low, then `barN`, then `offN`."""
        return f"W:{_side_text(self.white)} B:{_side_text(self.black)}"

    @classmethod
    def from_text(cls, text: str, variant: Variant) -> Self:
        """Parse the form of `to_text`; raise `InvalidPosition` for anything else."""
        match = _TEXT.fullmatch(text.strip())
        if match is None:
            raise InvalidPosition("position_text", "expected 'W:... B:...'")
        position = cls(_side_counts(match[1]), _side_counts(match[2]))
        check_position(position, variant)
        return position

    def to_hex(self, variant: Variant) -> str:
        """Return a hex digit per count: white 1-24, black 1-24, (short: both bars,) both off."""
        white = bytes(self.white).translate(_HEX_OF_COUNT).decode("ascii")
        black = bytes(self.black).translate(_HEX_OF_COUNT).decode("ascii")
        bars = white[BAR] + black[BAR] if TRAITS[variant].has_hits else ""
        return white[1:BAR] + black[1:BAR] + bars + white[OFF] + black[OFF]

    @classmethod
    def from_hex(cls, text: str, variant: Variant) -> Self:
        """Parse the form of `to_hex`; raise `InvalidPosition` for anything else."""
        if len(text) != _HEX_DIGITS[variant] or not set(text) <= _HEX_VALUES.keys():
            raise InvalidPosition("position_hex", f"expected {_HEX_DIGITS[variant]} hex digits")
        counts = [_HEX_VALUES[digit] for digit in text]
        white_bar, black_bar = counts[48:50] if TRAITS[variant].has_hits else (0, 0)
        white_off, black_off = counts[-2:]
        position = cls((white_off, *counts[:24], white_bar), (black_off, *counts[24:48], black_bar))
        check_position(position, variant)
        return position


def pips_of(counts: Counts) -> int:
    """Return the pips that a side with these counts still has to play."""
    return sum([point * count for point, count in enumerate(counts)])


def check_position(position: Position, variant: Variant) -> Position:
    """Return the position; raise `InvalidPosition` if it cannot occur in the variant."""
    traits = TRAITS[variant]
    for counts in (position.white, position.black):
        if len(counts) != 26 or min(counts) < 0 or sum(counts) != CHECKERS:
            raise InvalidPosition("position_count", "each side has fifteen checkers")
        if counts[BAR] and not traits.has_hits:
            raise InvalidPosition("position_bar", "long nardy has no bar")
    for point in range(1, 25):
        if position.white[point] and position.black[traits.opposite[point]]:
            raise InvalidPosition("position_shared", f"white's point {point} holds both sides")
    return position


def _side_text(counts: Counts) -> str:
    items = [f"{point}x{counts[point]}" for point in range(24, 0, -1) if counts[point]]
    items += [f"{name}{counts[at]}" for name, at in (("bar", BAR), ("off", OFF)) if counts[at]]
    return ",".join(items)


def _side_counts(text: str) -> Counts:
    counts = [0] * 26
    for item in text.split(","):
        match = _ITEM.fullmatch(item)
        if match is None:
            raise InvalidPosition("position_text", f"cannot read {item!r}")
        at = int(match[1]) if match[1] else BAR if match[2] else OFF
        if counts[at]:
            raise InvalidPosition("position_text", f"{item!r} names a place twice")
        counts[at] = int(match[4])
    if sum(counts) != CHECKERS:
        raise InvalidPosition("position_count", "each side has fifteen checkers")
    return tuple(counts)
