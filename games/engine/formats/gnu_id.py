"""GNU Backgammon's identifiers: `<position ID>:<match ID>`, for short backgammon.

White is gnubg's player 0, the left and first player of a match file, so that gnubg shows the same
identifiers for an exported match. Both IDs are little-endian strings of bits in base64 without
padding, as the GNU Backgammon manual describes them ("technical description of the position ID"
and "of the match ID"). The manual omits the last bit of the match ID, which is 0 for Jacoby.
"""

import base64
import binascii

from games.engine.board.position import Counts, Position, check_position
from games.engine.board.variants import BAR, CHECKERS
from games.engine.errors import InvalidAction
from games.engine.formats.identifier_fields import IdentifierFields, check_dice, cube_exponent
from games.engine.rules import Variant
from games.engine.sides import Pair, Side

_POSITION_BYTES = 10
_MATCH_BYTES = 9
_PLAYERS = (Side.WHITE, Side.BLACK)
_CENTERED = 3  # value of the field `owner`
_PLAYING = 1  # value of the field `phase`
# (name, number of bits) of each field; the first field is in the lowest bits.
_MATCH_FIELDS = (
    ("cube", 4),
    ("owner", 2),
    ("turn", 1),
    ("crawford", 1),
    ("phase", 3),
    ("side_to_act", 1),
    ("doubled", 1),
    ("resigned", 2),
    ("die_1", 3),
    ("die_2", 3),
    ("length", 15),
    ("white", 15),
    ("black", 15),
    ("no_jacoby", 1),
)


def encode(fields: IdentifierFields) -> str:
    """Return both IDs joined by a colon; raise `InvalidAction` for numbers that do not fit."""
    return f"{position_id(fields.position, fields.turn)}:{match_id(fields)}"


def decode(text: str) -> IdentifierFields:
    """Read the form of `encode`; raise `InvalidAction` for anything else.

    `beaver` is False, since the identifiers do not hold it.
    """
    position_text, colon, match_text = text.strip().partition(":")
    if not colon:
        raise InvalidAction("gnuid", "expected <position ID>:<match ID>")
    numbers = _match_numbers(match_text)
    turn = _PLAYERS[numbers["turn"]]
    fields = _to_fields(numbers, position_from_id(position_text, turn))
    if _PLAYERS[numbers["side_to_act"]] is not fields.side_to_act:
        raise InvalidAction("gnuid_turn", "the wrong side has to decide")
    return fields


def position_id(position: Position, turn: Side) -> str:
    """Return the position ID: first the side not on turn, each from its point 1 up to the bar."""
    bits, at = 0, 0
    for side in (turn.other, turn):
        for count in position.of(side)[1:]:
            bits |= ((1 << count) - 1) << at
            at += count + 1
    return _to_text(bits, _POSITION_BYTES)


def position_from_id(text: str, turn: Side) -> Position:
    """Read a position ID; checkers that it does not contain are off.

    Raises `InvalidAction` for an unreadable ID or a position that short backgammon cannot have.
    """
    bits = _to_bits(text, _POSITION_BYTES, "gnuid_position")
    sides: dict[Side, Counts] = {}
    for side in (turn.other, turn):
        counts, bits = _take_counts(bits)
        sides[side] = counts
    if bits:
        raise InvalidAction("gnuid_position", "bits are left over")
    position = Position(sides[Side.WHITE], sides[Side.BLACK])
    return check_position(position, Variant.SHORT)


def _take_counts(bits: int) -> tuple[Counts, int]:
    """Return one side's counts from the low bits, and the remaining bits."""
    counts = []
    for _ in range(BAR):
        count = 0
        while bits & 1:
            count += 1
            bits >>= 1
        bits >>= 1
        counts.append(count)
    if sum(counts) > CHECKERS:
        raise InvalidAction("gnuid_position", "more than fifteen checkers")
    return (CHECKERS - sum(counts), *counts), bits


def match_id(fields: IdentifierFields) -> str:
    """Return the match ID: cube, score, dice and the side that has to decide."""
    owner = _CENTERED if fields.cube_owner is None else _PLAYERS.index(fields.cube_owner)
    die_1, die_2 = fields.dice or (0, 0)
    values = {
        "cube": cube_exponent(fields.cube_value),
        "owner": owner,
        "turn": _PLAYERS.index(fields.turn),
        "crawford": int(fields.crawford),
        "phase": _PLAYING,
        "side_to_act": _PLAYERS.index(fields.side_to_act),
        "doubled": int(fields.is_doubled),
        "resigned": fields.resigned,
        "die_1": die_1,
        "die_2": die_2,
        "length": fields.length or 0,
        "white": fields.score.white,
        "black": fields.score.black,
        "no_jacoby": int(not fields.jacoby),
    }
    bits, at = 0, 0
    for name, width in _MATCH_FIELDS:
        if not 0 <= values[name] < 1 << width:
            raise InvalidAction(f"gnuid_{name}", f"{name} does not fit: {values[name]}")
        bits |= values[name] << at
        at += width
    return _to_text(bits, _MATCH_BYTES)


def _match_numbers(text: str) -> dict[str, int]:
    bits = _to_bits(text, _MATCH_BYTES, "gnuid_match")
    numbers = {}
    for name, width in _MATCH_FIELDS:
        numbers[name] = bits & ((1 << width) - 1)
        bits >>= width
    if bits or numbers["phase"] != _PLAYING or numbers["owner"] == 2:
        raise InvalidAction("gnuid_match", "not a position of a game in play")
    return numbers


def _to_fields(numbers: dict[str, int], position: Position) -> IdentifierFields:
    dice = (numbers["die_1"], numbers["die_2"])
    owner = numbers["owner"]
    return IdentifierFields(
        position=position,
        turn=_PLAYERS[numbers["turn"]],
        dice=check_dice(dice) if any(dice) else None,
        cube_value=1 << numbers["cube"],
        cube_owner=None if owner == _CENTERED else _PLAYERS[owner],
        length=numbers["length"] or None,
        score=Pair(numbers["white"], numbers["black"]),
        crawford=bool(numbers["crawford"]),
        jacoby=not numbers["no_jacoby"],
        is_doubled=bool(numbers["doubled"]),
        resigned=numbers["resigned"],
    )


def _to_text(bits: int, size: int) -> str:
    return base64.b64encode(bits.to_bytes(size, "little")).decode("ascii").rstrip("=")


def _to_bits(text: str, size: int, code: str) -> int:
    padded = text + "=" * (-len(text) % 4)
    try:
        raw = base64.b64decode(padded.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise InvalidAction(code, "not base64") from error
    bits = int.from_bytes(raw, "little")
    if len(raw) != size or _to_text(bits, size) != text:
        raise InvalidAction(code, f"expected {size} bytes in base64 without padding")
    return bits
