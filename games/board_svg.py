"""Values from which templates draw a board as SVG, for pages without script.

Coordinates are formatted as text here, because a template would localize floats.

The measures, in units of the SVG's view box, are those of the wide board in static/js/board
(geometry.js and pieces.js). The elements have the same classes as there, so that the same styles
apply. A page's script replaces this board with its own.
"""

import math
from typing import Any

from django.utils.translation import gettext

from games.engine.board.position import Counts
from games.engine.board.variants import BAR, OFF, opposite
from games.engine.match.public_view import public_view
from games.engine.rules import Variant
from games.engine.sides import Side
from games.models import Match

# EDGE_STEP is the height of a borne-off checker, which lies on its edge. SIDE and TOP are the width
# of the frame beside and above the field, HALF is the height of one row of points.
PITCH, CHECKER, DIE, DICE_GAP, EDGE_STEP = 10.4, 10.0, 10.0, 3.6, 3.5
SIDE, TOP, HALF, BAR_WIDTH, DIVIDER, TRAY = 3.0, 5.6, 58.0, 11.0, 2.2, 11.0
FIELD_WIDTH = 12 * PITCH + BAR_WIDTH
WIDTH, HEIGHT = 2 * SIDE + FIELD_WIDTH + DIVIDER + TRAY, 2 * TOP + 2 * HALF
BAR_X, TRAY_X = SIDE + 6 * PITCH, SIDE + FIELD_WIDTH + DIVIDER
MIDDLE = TOP + HALF
POINT_LENGTH = min(HALF - 9, 57)
# Number of a stack's checkers that lie side by side; the next ones lie in layers on top.
FREE_STACK = 5
# Shift of each layer to the upper left, where the light comes from.
RAISE = 0.22

# Places of the pips on each face of a die, in steps from its center.
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
Spot = tuple[float, float]


class Drawing:
    """One position as the side `near` sees it: its numbering, and its home at the lower right.

    `view` is a dict like that of `public_view`. Without trays the drawing is as wide as the board
    that a script draws while no checker is borne off.
    """

    def __init__(
        self, view: dict[str, Any], variant: Variant, near: Side, *, has_trays: bool = True
    ) -> None:
        self.variant, self.near, self.has_trays = variant, near, has_trays
        self._view = view
        self.width = _n(WIDTH if has_trays else 2 * SIDE + FIELD_WIDTH)
        self.height = _n(HEIGHT)
        self.dice: list[dict[str, Any]] = []
        self.arrows: list[dict[str, Any]] = []

    @property
    def points(self) -> list[dict[str, Any]]:
        """Triangles with the numbers beside them."""
        return [
            {
                "path": _triangle(point),
                "tone": "a" if point % 2 else "b",
                "number": point,
                "x": _n(_column_x(point) + PITCH / 2),
                "y": _n(TOP - 1.55 if point > 12 else HEIGHT - 1.25),
            }
            for point in range(1, 25)
        ]

    @property
    def checkers(self) -> list[dict[str, Any]]:
        return [
            {
                "paint": _paint(side),
                "at": _at(spot),
                "is_off": own_point == OFF,
                "count": count if is_last and count > FREE_STACK and own_point != OFF else 0,
            }
            for side in Side
            for own_point, count in enumerate(self._view[side.value])
            for is_last, spot in self._stack(side, own_point, count)
        ]

    @property
    def cube(self) -> dict[str, Any] | None:
        cube = self._view["cube"]
        if not cube["on"] or self._view["crawford"]:
            return None
        value, owner = cube["value"], cube["owner"]
        if cube["offered"]:
            x = _dice_x(self._view["to_act"] == self.near.value)
            return {"at": _at((x, MIDDLE)), "value": 2 * value, "scale": "1.6"}
        y = MIDDLE
        if owner is not None:
            y = HEIGHT - TOP - 7 if owner == self.near.value else TOP + 7
        return {"at": _at((BAR_X + BAR_WIDTH / 2, y)), "value": value, "scale": "1"}

    @property
    def label(self) -> str:
        """The position in words, each side in its own numbering."""
        return gettext("White: %(white)s. Black: %(black)s.") % {
            side.value: places_text(self._view[side.value]) for side in Side
        }

    def place_dice(self, dice: list[int], side: Side, is_used: bool) -> None:
        """Place rolled dice on a side's half of the board."""
        self._lay([(face, side) for face in sorted(dice, reverse=True)], side, is_used)

    def place_opening_dice(self, white: int, black: int) -> None:
        for side, face in ((Side.WHITE, white), (Side.BLACK, black)):
            self._lay([(face, side)], side, False)

    def add_arrows(self, moves: list[list[int]], side: Side, kind: str) -> None:
        """Add arrows for moves in the side's own numbering; `kind` is good or bad."""
        for source, target in moves:
            start, end = self._top(side, source), self._top(side, target, is_landing=True)
            angle = math.atan2(end[1] - start[1], end[0] - start[0])
            self.arrows.append(
                {
                    "kind": kind,
                    "halo": f"M{_at(start)}L{_at(end)}",
                    "line": f"M{_at(start)}L{_at(_back(end, angle, 2.4))}",
                    "head": f"M{_at(end)}L{_at(_back(end, angle + 0.45, 4.2))}"
                    f"L{_at(_back(end, angle - 0.45, 4.2))}Z",
                }
            )

    def _lay(self, faces: list[tuple[int, Side]], where: Side, is_used: bool) -> None:
        first = _dice_x(where is self.near) - (len(faces) - 1) * (DIE + DICE_GAP) / 2
        self.dice += [
            {
                "at": _at((first + index * (DIE + DICE_GAP), MIDDLE)),
                "paint": _paint(side),
                "is_used": is_used,
                "pips": [(_n(x * 2.75), _n(y * 2.75)) for x, y in PIPS[face]],
            }
            for index, (face, side) in enumerate(faces)
        ]

    def _stack(self, side: Side, own_point: int, count: int) -> list[tuple[bool, Spot]]:
        return [
            (index == count - 1, self._spot(side, own_point, index, count))
            for index in range(count)
        ]

    def _top(self, side: Side, own_point: int, is_landing: bool = False) -> Spot:
        """Return the spot of the top checker, or of one more that lands on the stack."""
        count = self._view[side.value][own_point] + is_landing
        return self._spot(side, own_point, max(0, count - 1), max(1, count))

    def _spot(self, side: Side, own_point: int, index: int, count: int) -> Spot:
        is_near = side is self.near
        if own_point == OFF:
            along = 1 + EDGE_STEP / 2 + index * EDGE_STEP
            return TRAY_X + TRAY / 2, HEIGHT - TOP - along if is_near else TOP + along
        if own_point == BAR:
            room = HALF - 26 - CHECKER
            away = 13 + index * (min(CHECKER, room / (count - 1)) if count > 1 else CHECKER)
            return BAR_X + BAR_WIDTH / 2, MIDDLE - away if is_near else MIDDLE + away
        point = own_point if is_near else opposite(self.variant, own_point)
        along, layer = _in_stack(index)
        away = CHECKER / 2 + 0.4 + along
        y = TOP + away if point > 12 else HEIGHT - TOP - away
        return _column_x(point) + PITCH / 2 - layer * RAISE, y - layer * RAISE


def spectators_drawing(match: Match) -> Drawing:
    """Return the match's present position, with the roll, as spectators see it."""
    view = public_view(match.state, match.state.at_ms)
    drawing = Drawing(view, Variant(match.variant), Side.WHITE)
    if view["dice"] and view["turn"]:
        drawing.place_dice(view["dice"], Side(view["turn"]), is_used=False)
    return drawing


def places_text(counts: Counts) -> str:
    """List the checkers: `24 (2), 13 (5), on the bar 1, borne off 3`, from point 24 down."""
    places = [f"{point} ({counts[point]})" for point in range(24, 0, -1) if counts[point]]
    if counts[BAR]:
        places.append(gettext("on the bar %(count)s") % {"count": counts[BAR]})
    if counts[OFF]:
        places.append(gettext("borne off %(count)s") % {"count": counts[OFF]})
    return ", ".join(places)


def _in_stack(index: int) -> tuple[float, int]:
    """Return how far a checker of a stack lies from the first one, and the number of its layer.

    The first five lie side by side, the next four on the gaps between them, then three, two, one.
    """
    first, in_layer, layer = 0, FREE_STACK, 0
    while index >= first + in_layer and in_layer > 1:
        first, in_layer, layer = first + in_layer, in_layer - 1, layer + 1
    return CHECKER * (index - first + layer / 2), layer


def _column_x(point: int) -> float:
    column = point - 13 if point > 12 else 12 - point
    return SIDE + column * PITCH + (BAR_WIDTH if column > 5 else 0)


def _triangle(point: int) -> str:
    base, into = (TOP, 1) if point > 12 else (HEIGHT - TOP, -1)
    x, tip = _column_x(point), base + into * POINT_LENGTH
    middle = x + PITCH / 2
    return f"M{_at((x + 0.5, base))}L{_at((middle, tip))}L{_at((x + PITCH - 0.5, base))}Z"


def _dice_x(is_near: bool) -> float:
    return SIDE + 9 * PITCH + BAR_WIDTH if is_near else SIDE + 3 * PITCH


def _back(end: Spot, angle: float, length: float) -> Spot:
    return end[0] - length * math.cos(angle), end[1] - length * math.sin(angle)


def _paint(side: Side) -> str:
    return "light" if side is Side.WHITE else "dark"


def _at(spot: Spot) -> str:
    return f"{_n(spot[0])} {_n(spot[1])}"


def _n(number: float) -> str:
    return f"{number:.2f}"
