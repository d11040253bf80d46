"""The final position of a match as a PNG, for the previews of messengers, which show no SVG.

It is drawn with Pillow, which the site has for avatars, from the same values as the SVG: a board is
triangles, circles and boxes, so no library for SVG is needed. The picture holds no name, so it
stays the same when an account is closed.
"""

import io
import re
from collections.abc import Iterator
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from games.board_svg import (
    BAR_WIDTH,
    BAR_X,
    DIVIDER,
    FIELD_WIDTH,
    HALF,
    HEIGHT,
    MIDDLE,
    SIDE,
    TOP,
    TRAY,
    TRAY_X,
    WIDTH,
    Drawing,
)
from games.engine.match.public_view import public_view
from games.engine.rules import Variant
from games.engine.sides import Side
from games.models import Match

# Pixels, the size that Open Graph recommends.
SIZE = (1200, 630)
# The picture is drawn larger by this factor and then reduced, for smooth edges.
OVERSIZE = 2
# Pixels for a unit of the board, and pixels to the left of the board.
UNIT, MARGIN = 4.6, 22

GROUND, WOOD, FELT, TRAY_COLOR, INK = "#14110f", "#553723", "#1f4a3d", "#17382e", "#f3ece4"
ACCENT, NUMBERS, CUBE, CUBE_TEXT = "#d9a441", "#e3cfb2", "#e9dcc4", "#7a2a1c"
TONES = {"a": "#7f3d2a", "b": "#6b5a3c"}
# Body, rim and groove of the checkers, as in static/css/board/looks.css.
PAINTS = {"light": ("#efe3cf", "#4a3826", "#cdbb9c"), "dark": ("#2b2623", "#c4b5a6", "#6d625a")}


def png_of(match: Match) -> bytes:
    """Draw the last position of a match and its score; this takes about 60 ms."""
    image = Image.new("RGB", (SIZE[0] * OVERSIZE, SIZE[1] * OVERSIZE), GROUND)
    drawing = Drawing(public_view(match.state, 0), Variant(match.variant), Side.WHITE)
    top = (SIZE[1] - HEIGHT * UNIT) / 2
    _Board(ImageDraw.Draw(image), UNIT * OVERSIZE, (MARGIN * OVERSIZE, top * OVERSIZE)).draw(
        drawing
    )
    _write(ImageDraw.Draw(image), match)
    file = io.BytesIO()
    image.resize(SIZE, Image.Resampling.LANCZOS).save(file, "PNG", optimize=True)
    return file.getvalue()


def _write(draw: ImageDraw.ImageDraw, match: Match) -> None:
    """Write the site's name and the score beside the board."""
    middle = (MARGIN + WIDTH * UNIT + SIZE[0]) / 2 * OVERSIZE
    white, black = match.snapshot["score"]
    for y, size, color, text in (
        (150, 52, INK, "5Stars"),
        (210, 52, ACCENT, "Gammon"),
        (370, 110, INK, f"{white} : {black}"),
    ):
        font = ImageFont.load_default(size * OVERSIZE)
        draw.text((middle, y * OVERSIZE), text, fill=color, font=font, anchor="mm")
    for x, paint in ((middle - 60 * OVERSIZE, "light"), (middle + 60 * OVERSIZE, "dark")):
        _checker(draw, x, 470 * OVERSIZE, 20 * OVERSIZE, paint)


def _checker(draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, paint: str) -> None:
    body, rim, groove = PAINTS[paint]
    draw.circle((x, y), radius, fill=body, outline=rim, width=max(1, round(radius / 8)))
    draw.circle((x, y), radius * 0.64, outline=groove, width=max(1, round(radius / 9)))


class _Board:
    """Draws in units of the SVG's view box."""

    def __init__(
        self, draw: ImageDraw.ImageDraw, scale: float, origin: tuple[float, float]
    ) -> None:
        self._draw, self._scale, self._origin = draw, scale, origin

    def draw(self, drawing: Drawing) -> None:
        self._box(0, 0, WIDTH, HEIGHT, WOOD, 2.6)
        self._box(SIDE, TOP, FIELD_WIDTH, 2 * HALF, FELT, 0.6)
        for point in drawing.points:
            corners = [self._place(x, y) for x, y in _pairs(point["path"])]
            self._draw.polygon(corners, fill=TONES[point["tone"]])
            self._text(float(point["x"]), float(point["y"]) - 1, str(point["number"]), 3, NUMBERS)
        self._box(BAR_X, TOP, BAR_WIDTH, 2 * HALF, WOOD)
        for y in (TOP, MIDDLE + DIVIDER * 2):
            self._box(TRAY_X, y, TRAY, HALF - 4, TRAY_COLOR, 1.4)
        for checker in drawing.checkers:
            self._checker(checker)
        if drawing.cube:
            ((x, y),) = _pairs(drawing.cube["at"])
            self._box(x - 4.6, y - 4.6, 9.2, 9.2, CUBE, 1.5)
            self._text(x, y, str(drawing.cube["value"]), 5, CUBE_TEXT)

    def _checker(self, checker: dict[str, Any]) -> None:
        ((x, y),) = _pairs(checker["at"])
        body, rim, _groove = PAINTS[checker["paint"]]
        if checker["is_off"]:
            self._box(x - 4.7, y - 1.5, 9.4, 3, body, 0.9, rim)
            return
        _checker(self._draw, *self._place(x, y), 4.6 * self._scale, checker["paint"])
        if checker["count"]:
            light, dark = PAINTS["light"][0], PAINTS["dark"][0]
            self._text(x, y, str(checker["count"]), 4.4, dark if body == light else light)

    def _box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        radius: float = 0,
        outline: str | None = None,
    ) -> None:
        corners = [self._place(x, y), self._place(x + width, y + height)]
        line = round(0.4 * self._scale) if outline else 0
        self._draw.rounded_rectangle(corners, radius * self._scale, fill, outline, line)

    def _text(self, x: float, y: float, text: str, size: float, color: str) -> None:
        font = ImageFont.load_default(size * self._scale)
        self._draw.text(self._place(x, y), text, fill=color, font=font, anchor="mm")

    def _place(self, x: float, y: float) -> tuple[float, float]:
        return self._origin[0] + x * self._scale, self._origin[1] + y * self._scale


def _pairs(path: str) -> Iterator[tuple[float, float]]:
    """Yield the pairs of coordinates in an SVG path, or the one pair in an `at` of a `Drawing`."""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
    return zip(numbers[::2], numbers[1::2], strict=True)
