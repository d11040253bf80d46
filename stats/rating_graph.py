"""The graph of a member's last ratings."""

from collections.abc import Sequence
from dataclasses import dataclass

from stats.line_graph import LineGraph

LAST = 50  # matches that the graph on the member's page covers
LEAST_RANGE = 40  # rating points that the scale spans at least


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
        return self._graph.size

    @property
    def line(self) -> str:
        return self._graph.line

    @property
    def _graph(self) -> LineGraph:
        return LineGraph(self.ratings, LEAST_RANGE)
