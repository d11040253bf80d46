"""The chart of a game's winning chances, for SVG and as text.

Coordinates are text, since a template would localize numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from games.engine.sides import Side
from games.reviews import totals

WIDTH, HEIGHT = 600, 150
LEFT, RIGHT, TOP, BOTTOM = 8, 8, 8, 8


@dataclass(frozen=True, slots=True)
class Chance:
    """One side's chance to win the game, `share` from 0 to 1, at the step `at`.

    It is the chance after a play, but before a roll or a cube action. `grade` is that of the step's
    error, "" if it has none.
    """

    at: int
    share: float
    grade: str

    @property
    def percent(self) -> int:
        return round(100 * self.share)


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart seen by `side`; its steps, 0 to `last`, are spaced evenly from left to right."""

    side: Side
    chances: list[Chance]
    last: int

    @property
    def size(self) -> str:
        return f"0 0 {WIDTH} {HEIGHT}"

    @property
    def line(self) -> str:
        return "M" + "L".join(self._spot(each) for each in self.chances)

    @property
    def area(self) -> str:
        """The area between the line and the 50 % line."""
        first, last = self.chances[0], self.chances[-1]
        return f"{self.line}L{self.x(last.at)} {_y(0.5)}L{self.x(first.at)} {_y(0.5)}Z"

    @property
    def errors(self) -> list[dict[str, str]]:
        return [
            {"x": self.x(each.at), "y": _y(each.share), "grade": each.grade}
            for each in self.chances
            if each.grade
        ]

    @property
    def levels(self) -> list[str]:
        return [_y(share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]

    @property
    def box(self) -> dict[str, int]:
        """Bounds of the chart, for the script that marks the step shown on the board."""
        return {"left": LEFT, "right": WIDTH - RIGHT, "top": TOP, "bottom": HEIGHT - BOTTOM}

    @property
    def end(self) -> Chance:
        return self.chances[-1]

    @property
    def least(self) -> Chance:
        return min(self.chances, key=lambda each: each.share)

    @property
    def most(self) -> Chance:
        return max(self.chances, key=lambda each: each.share)

    def x(self, at: int) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * at / max(1, self.last):.1f}"

    def _spot(self, each: Chance) -> str:
        return f"{self.x(each.at)} {_y(each.share)}"


def chart_of(
    points: list[totals.ChartPoint], steps: Mapping[int, int], grades: Mapping[int, str], side: Side
) -> Chart | None:
    """Return the chart of one game; None with fewer than two points.

    `steps` are the indices of the game's steps by seq, `grades` the grades of errors by that index.
    """
    chances = []
    for point in points:
        if point.at in steps:
            share = point.win if side is Side.WHITE else 1 - point.win
            at = steps[point.at]
            chances.append(Chance(at, min(1.0, max(0.0, share)), grades.get(at, "")))
    return Chart(side, chances, max(steps.values())) if len(chances) > 1 else None


def _y(share: float) -> str:
    return f"{TOP + (HEIGHT - TOP - BOTTOM) * (1 - share):.1f}"
