"""A tournament as a PNG, for the previews of messengers.

The picture shows a bracket or table, a cup with the prize, and the number of players. Besides the
site's name it holds no names, words or times: it is the same in every language and time zone, and
need not change when an account is closed.
"""

import io
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from games.exports.result_picture import ACCENT, FELT, GROUND, INK, OVERSIZE, PAINTS, SIZE, WOOD

LINE = "#c4b5a6"
# Pixels: left, top, right, bottom of the bracket or table; x of the middle of the space beside it.
FIELD = (50, 60, 700, 570)
CENTER = 950
# Players in the first column of the drawn bracket; maximum number of rows of the drawn table.
LEAVES, MOST_ROWS = 8, 10


@dataclass(frozen=True, slots=True)
class Shown:
    """The contents of the picture; `entrants` and `most_entrants` are numbers."""

    is_knockout: bool
    is_open: bool
    is_finished: bool
    entrants: int
    most_entrants: int
    prize_credits: int


def png_of(shown: Shown) -> bytes:
    """Return the picture as a PNG file; drawing it takes about 50 ms."""
    image = Image.new("RGB", (SIZE[0] * OVERSIZE, SIZE[1] * OVERSIZE), GROUND)
    picture = _Picture(ImageDraw.Draw(image))
    picture.box((FIELD[0] - 20, FIELD[1] - 30, FIELD[2] + 20, FIELD[3] + 30), FELT, 18, WOOD)
    if shown.is_knockout:
        picture.bracket(shown.is_finished)
    else:
        picture.table(min(MOST_ROWS, max(3, shown.entrants)))
    picture.text((CENTER, 75), "5Stars", 54, INK)
    picture.text((CENTER, 135), "Gammon", 54, ACCENT)
    picture.cup((CENTER, 275), ACCENT if shown.prize_credits or shown.is_finished else LINE)
    if shown.prize_credits:
        picture.text((CENTER, 405), f"{shown.prize_credits:,}".replace(",", " "), 76, ACCENT)
    count = str(shown.entrants)
    if shown.is_open:
        count = f"{shown.entrants} / {shown.most_entrants}"
    picture.people((CENTER, 520), count)
    file = io.BytesIO()
    image.resize(SIZE, Image.Resampling.LANCZOS).save(file, "PNG", optimize=True)
    return file.getvalue()


Point = tuple[float, float]
Box = tuple[float, float, float, float]


class _Picture:
    """Draws on an enlarged image; all coordinates are pixels of the finished picture."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self._draw = draw

    def box(self, corners: Box, fill: str, radius: float = 0, outline: str | None = None) -> None:
        scaled = [value * OVERSIZE for value in corners]
        width = 6 * OVERSIZE if outline else 0
        self._draw.rounded_rectangle(scaled, radius * OVERSIZE, fill, outline, width)

    def line(self, points: list[Point], color: str, width: float = 4) -> None:
        scaled = [(x * OVERSIZE, y * OVERSIZE) for x, y in points]
        self._draw.line(scaled, fill=color, width=round(width * OVERSIZE), joint="curve")

    def text(self, at: Point, text: str, size: int, color: str) -> None:
        font = ImageFont.load_default(size * OVERSIZE)
        place = (at[0] * OVERSIZE, at[1] * OVERSIZE)
        self._draw.text(place, text, fill=color, font=font, anchor="mm")

    def checker(self, x: float, y: float, radius: float, paint: str) -> None:
        body, rim, _groove = PAINTS[paint]
        center = (x * OVERSIZE, y * OVERSIZE)
        width = max(1, round(radius * OVERSIZE / 7))
        self._draw.circle(center, radius * OVERSIZE, fill=body, outline=rim, width=width)

    def bracket(self, is_finished: bool) -> None:
        """Draw the last three rounds; if there is a winner, mark the winner's path."""
        left, top, right, bottom = FIELD
        heights = [top + (bottom - top) * (n + 0.5) / LEAVES for n in range(LEAVES)]
        step = (right - left - 60) / 3
        for column in range(3):
            x = left + 30 + column * step
            following = [sum(pair) / 2 for pair in zip(heights[::2], heights[1::2], strict=True)]
            for number, y in enumerate(heights):
                is_of_winner = is_finished and number == len(heights) // 2 - 1
                color, width = (ACCENT, 7.0) if is_of_winner else (LINE, 4.0)
                goal = following[number // 2]
                self.line([(x, y), (x + step * 0.6, y), (x + step * 0.6, goal)], color, width)
                if is_of_winner or number % 2 == 0:
                    self.line([(x + step * 0.6, goal), (x + step, goal)], color, width)
            for number, y in enumerate(heights):
                self.checker(x, y, 17, "light" if number % 2 else "dark")
            heights = following
        end = left + 30 + 3 * step
        self.line(
            [(end - step * 0.4, heights[0]), (end, heights[0])], ACCENT if is_finished else LINE
        )
        self.checker(end, heights[0], 24, "light")

    def table(self, size: int) -> None:
        """Draw a cross table of `size` rows, with checkers for results and an empty diagonal."""
        left, top, right, bottom = FIELD
        side = min(right - left, bottom - top) / size
        x0, y0 = (left + right - side * size) / 2, (top + bottom - side * size) / 2
        for number in range(size + 1):
            along = number * side
            self.line([(x0, y0 + along), (x0 + side * size, y0 + along)], LINE, 2)
            self.line([(x0 + along, y0), (x0 + along, y0 + side * size)], LINE, 2)
        for row in range(size):
            for column in range(size):
                x, y = x0 + (column + 0.5) * side, y0 + (row + 0.5) * side
                if row == column:
                    self.box((x - side / 2, y - side / 2, x + side / 2, y + side / 2), WOOD)
                else:
                    self.checker(x, y, side * 0.28, "light" if column > row else "dark")

    def cup(self, center: Point, color: str) -> None:
        x, y = center
        for sign in (-1, 1):
            ear = [(x + sign * 45 - 30, y - 65), (x + sign * 45 + 30, y - 5)]
            scaled = [(a * OVERSIZE, b * OVERSIZE) for a, b in ear]
            self._draw.ellipse([*scaled[0], *scaled[1]], outline=color, width=9 * OVERSIZE)
        bowl = [(x - 55) * OVERSIZE, (y - 140) * OVERSIZE, (x + 55) * OVERSIZE, (y + 15) * OVERSIZE]
        self._draw.pieslice(bowl, 0, 180, fill=color)
        self.box((x - 55, y - 80, x + 55, y - 58), color, 4)
        self.box((x - 9, y + 5, x + 9, y + 45), color)
        self.box((x - 45, y + 40, x + 45, y + 58), color, 5)

    def people(self, center: Point, count: str) -> None:
        """Draw two checkers and the number of players."""
        x, y = center
        self.checker(x - 105, y, 19, "dark")
        self.checker(x - 80, y, 19, "light")
        self.text((x + 30, y), count, 46, INK)
