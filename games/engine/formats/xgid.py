"""XGID, the position identifier of eXtreme Gammon, for short backgammon.

Ten fields joined by colons after `XGID=`: the checkers; the cube as a power of two and its
owner (1, 0, -1); the turn (1, -1); the dice (`00` = to roll, `D` = the side on turn has
doubled); the score of both; a flag (in a match: Crawford; in a money session: 1 for Jacoby plus
2 for beavers); the match length, 0 = money; the highest cube as a power of two.

White is the player at the bottom: upper-case letters, the sign 1, the first score. The checkers are
26 letters along White's own numbering: Black's bar, White's points 1 to 24, White's bar; `A` is one
White checker, `a` one Black checker, `-` none. XGID cannot express an offer to resign; `encode`
leaves it out.
"""

import re

from games.engine.board.position import Position, check_position
from games.engine.board.variants import BAR, CHECKERS, opposite
from games.engine.errors import InvalidAction
from games.engine.formats.identifier_fields import Dice, IdentifierFields, check_dice, cube_exponent
from games.engine.match.cube import MAX_VALUE
from games.engine.rules import Variant
from games.engine.sides import Pair, Side

_MAX_EXPONENT = cube_exponent(MAX_VALUE)
_SIGNS = {Side.WHITE: "1", Side.BLACK: "-1", None: "0"}
_SIDES = {sign: side for side, sign in _SIGNS.items()}
_NUMBER = r"(?:0|[1-9]\d{0,4})"
_TEXT = re.compile(
    r"(?:XGID=)?(?P<checkers>[-A-Oa-o]{26})"
    rf":(?P<cube>{_NUMBER}):(?P<owner>-1|0|1):(?P<turn>-1|1):(?P<dice>[0-6]{{2}}|D)"
    rf":(?P<white>{_NUMBER}):(?P<black>{_NUMBER}):(?P<flag>[0-3]):(?P<length>{_NUMBER})"
    rf":(?P<max>{_NUMBER})",
    re.ASCII,
)


def encode(fields: IdentifierFields) -> str:
    parts = (
        _checkers_to_text(fields.position),
        str(cube_exponent(fields.cube_value)),
        _SIGNS[fields.cube_owner],
        _SIGNS[fields.turn],
        _dice_to_text(fields),
        str(fields.score.white),
        str(fields.score.black),
        str(_flag(fields)),
        str(fields.length or 0),
        str(_MAX_EXPONENT),
    )
    return "XGID=" + ":".join(parts)


def decode(text: str) -> IdentifierFields:
    """Read the form of `encode`, also without prefix; raise `InvalidAction` for anything else."""
    match = _TEXT.fullmatch(text.strip())
    if match is None:
        raise InvalidAction("xgid", "expected XGID= and ten fields joined by colons")
    exponent, length, flag = int(match["cube"]), int(match["length"]), int(match["flag"])
    if exponent > 15:
        raise InvalidAction("xgid_cube", "no cube shows that much")
    if length and flag > 1:
        raise InvalidAction("xgid_flag", "a match has Crawford or not")
    turn = _SIDES[match["turn"]]
    assert turn is not None
    return IdentifierFields(
        position=_checkers_from_text(match["checkers"]),
        turn=turn,
        dice=_dice_from_text(match["dice"]),
        cube_value=1 << exponent,
        cube_owner=_SIDES[match["owner"]],
        length=length or None,
        score=Pair(int(match["white"]), int(match["black"])),
        crawford=bool(length and flag),
        jacoby=bool(not length and flag & 1),
        beaver=bool(not length and flag & 2),
        is_doubled=match["dice"] == "D",
    )


def _flag(fields: IdentifierFields) -> int:
    if fields.length is not None:
        return int(fields.crawford)
    return int(fields.jacoby) + 2 * int(fields.beaver)


def _dice_to_text(fields: IdentifierFields) -> str:
    if fields.is_doubled:
        return "D"
    return "{}{}".format(*(fields.dice or (0, 0)))


def _dice_from_text(text: str) -> Dice | None:
    if text in ("D", "00"):
        return None
    return check_dice((int(text[0]), int(text[1])))


def _checkers_to_text(position: Position) -> str:
    white, black = position.white, position.black
    text = [_letter(black[BAR], "a")]
    for point in range(1, BAR):
        enemies = black[opposite(Variant.SHORT, point)]
        text.append(_letter(enemies, "a") if enemies else _letter(white[point], "A"))
    text.append(_letter(white[BAR], "A"))
    return "".join(text)


def _letter(count: int, first: str) -> str:
    return chr(ord(first) + count - 1) if count else "-"


def _checkers_from_text(text: str) -> Position:
    white, black = [0] * 26, [0] * 26
    for place, letter in enumerate(text):
        if letter.islower() and place != BAR:
            at = BAR if place == 0 else opposite(Variant.SHORT, place)
            black[at] = ord(letter) - ord("a") + 1
        elif letter.isupper() and place != 0:
            white[place] = ord(letter) - ord("A") + 1
        elif letter != "-":
            raise InvalidAction("xgid_checkers", "a checker of the wrong side on the bar")
    for counts in (white, black):
        if sum(counts) > CHECKERS:
            raise InvalidAction("xgid_checkers", "more than fifteen checkers")
        counts[0] = CHECKERS - sum(counts)
    return check_position(Position(tuple(white), tuple(black)), Variant.SHORT)
