"""The position in which the shop shows boards and checkers."""

from functools import cache
from typing import Any

from games.board_svg import Drawing
from games.engine.board.position import Position
from games.engine.rules import Variant
from games.engine.sides import Side

_POSITION = Position.from_text(
    "W:24x2,13x4,10x1,8x3,6x4,4x1 B:24x2,13x4,8x3,6x5,5x1", Variant.SHORT
)
_CUBE = {"on": False, "value": 1, "owner": None, "offered": False}


@cache
def counts() -> dict[str, list[int]]:
    """Return the position for the script that draws a board in place of the server's."""
    return {"white": list(_POSITION.white), "black": list(_POSITION.black)}


def drawing() -> Drawing:
    """Draw the position on the server: shown until a script draws a board in its place."""
    view: dict[str, Any] = {**counts(), "cube": _CUBE, "crawford": False}
    drawn = Drawing(view, Variant.SHORT, Side.WHITE, has_trays=False)
    drawn.place_dice([6, 4], Side.WHITE, is_used=False)
    return drawn
