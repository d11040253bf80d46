"""The graph of a member's last ratings, for SVG.

Coordinates are text already: a template would localize numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, EDGE = 600, 120, 6
LAST = 50  # ratings shown
LEAST_RANGE = 40  # rating points; a smaller range would make noise look steep


@dataclass(frozen=True, slots=True)
class RatingGraph:
    """Rounded ratings, the oldest first: before the first match shown, and after each."""

    ratings: Sequence[int]

    @property
    def first(self) -> int:
        return self.ratings[0]

    @property
    def last(self) -> int:
        return self.ratings[-1]

    @property
    def least(self) -> int:
        return min(self.ratings)

    @property
    def most(self) -> int:
        return max(self.ratings)

    @property
    def matches(self) -> int:
        return len(self.ratings) - 1

    @property
    def size(self) -> str:
        return f"0 0 {WIDTH} {HEIGHT}"

    @property
    def line(self) -> str:
        """Return the line as an SVG path from the left edge to the right."""
        middle = (self.least + self.most) / 2
        shown = max(self.most - self.least, LEAST_RANGE)
        wide, high = WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE
        spots = (
            (EDGE + wide * at / self.matches, HEIGHT / 2 - high * (each - middle) / shown)
            for at, each in enumerate(self.ratings)
        )
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
