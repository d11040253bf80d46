"""A line through values at even distances, for SVG.

Coordinates are returned as text, because a template would localize numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

# Units of the drawing; EDGE is the margin on each side of the line.
WIDTH, HEIGHT, EDGE = 600, 120, 6


@dataclass(frozen=True, slots=True)
class LineGraph:
    """A line through `values` from left to right, with a gap where a value is None.

    The scale spans at least `least_range`, so that small changes do not look steep.
    """

    values: Sequence[float | None]
    least_range: float

    @property
    def size(self) -> str:
        """Return the `viewBox` of the SVG."""
        return f"0 0 {WIDTH} {HEIGHT}"

    @property
    def least(self) -> float:
        return min(self._known)

    @property
    def most(self) -> float:
        return max(self._known)

    @property
    def line(self) -> str:
        """Return the line as an SVG path, with a subpath for each stretch without a gap."""
        path, is_open = "", False
        for at, value in enumerate(self.values):
            if value is not None:
                path += f"{'L' if is_open else 'M'}{self._spot(at, value)}"
            is_open = value is not None
        return path

    @property
    def spots(self) -> str:
        """Return a path with a zero-length segment for each value, drawn as a dot by round caps."""
        known = ((at, value) for at, value in enumerate(self.values) if value is not None)
        return "".join(f"M{self._spot(at, value)}h0" for at, value in known)

    @property
    def zero(self) -> str:
        """Return the y coordinate of the value 0; "" if it is outside the picture."""
        y = self._y(0)
        return f"{y:.1f}" if 0 <= y <= HEIGHT else ""

    @property
    def _known(self) -> list[float]:
        return [value for value in self.values if value is not None]

    def _spot(self, at: int, value: float) -> str:
        last = len(self.values) - 1
        x = EDGE + (WIDTH - 2 * EDGE) * at / last if last else WIDTH / 2
        return f"{x:.1f} {self._y(value):.1f}"

    def _y(self, value: float) -> float:
        middle = (self.least + self.most) / 2
        shown = max(self.most - self.least, self.least_range)
        return HEIGHT / 2 - (HEIGHT - 2 * EDGE) * (value - middle) / shown
