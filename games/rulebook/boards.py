"""Positions with a roll for White: as drawings, and as data of a board to play on."""

from typing import Any

from games.board_svg import Drawing
from games.engine.board.position import Position
from games.engine.board.turn_graph import TurnGraph
from games.engine.board.turn_search import Dice
from games.engine.match.public_view import graph_view
from games.engine.rules import Variant
from games.engine.sides import Side


def draw(
    position: Position,
    variant: Variant,
    dice: Dice | None = None,
    *,
    cube: int | None = None,
    is_played: bool = False,
) -> Drawing:
    """Draw a position seen by White; `cube` is the value of the centered cube, if there is one."""
    view = {
        "white": list(position.white),
        "black": list(position.black),
        "cube": {"on": cube is not None, "value": cube, "owner": None, "offered": False},
        "crawford": False,
    }
    drawing = Drawing(
        view, variant, Side.WHITE, has_trays=bool(position.white[0] + position.black[0])
    )
    if dice:
        drawing.place_dice(list(dice), Side.WHITE, is_used=is_played)
    return drawing


def live_board(
    position: Position, variant: Variant, dice: Dice, graph: TurnGraph
) -> dict[str, Any]:
    """Return the data with which static/js/lessons/exercise.js lets White play the roll."""
    return {
        "variant": variant.value,
        "position": {"white": list(position.white), "black": list(position.black)},
        "dice": list(dice),
        "plays": graph_view(graph, variant, Side.WHITE),
    }
