"""Maximum matching in a general graph (Edmonds' blossom algorithm, unweighted).

Vertices are 0 to n - 1. A matching is a list: each vertex's partner, or None.
"""

from collections import deque
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

Graph = Sequence[AbstractSet[int]]
Matching = list[int | None]


def grow(graph: Graph, matching: Matching, left_out: AbstractSet[int] = frozenset()) -> int:
    """Make the matching a maximum one and return how many vertices stay unmatched.

    Vertices of `left_out` take no part and are not counted; they must be unmatched.
    """
    for vertex in range(len(graph)):
        if matching[vertex] is None and vertex not in left_out:
            _Search(graph, matching, left_out).augment(vertex)
    return matching.count(None) - len(left_out)


class _Search:
    """One search for an augmenting path from an unmatched vertex.

    `alone` are the unmatched vertices except those of `left_out`. `parent` is the vertex from which
    the search reached a vertex along an unmatched edge. `base` is the base of the blossom
    (contracted odd cycle) that a vertex belongs to, the vertex itself outside of blossoms.
    """

    def __init__(self, graph: Graph, matching: Matching, left_out: AbstractSet[int]) -> None:
        self.graph = graph
        self.matching = matching
        self.left_out = left_out
        self.alone = {place for place, partner in enumerate(matching) if partner is None} - left_out
        self.parent: Matching = [None] * len(graph)
        self.base = list(range(len(graph)))

    def augment(self, root: int) -> bool:
        """Match `root` and one more vertex; return False if there is no augmenting path."""
        end = self._path_end(root)
        if end is None:
            return False
        vertex: int | None = end
        while vertex is not None:
            before = self.parent[vertex]
            assert before is not None
            following = self.matching[before]
            self.matching[vertex], self.matching[before] = before, vertex
            vertex = following
        return True

    def _path_end(self, root: int) -> int | None:
        """Return the unmatched vertex at the end of an augmenting path; None if there is none."""
        outer, queue = {root}, deque([root])
        while queue:
            vertex = queue.popleft()
            # Try to end the path here first: a dense graph then needs few contractions.
            for other in self.graph[vertex] & self.alone - {root}:
                self.parent[other] = vertex
                return other
            for other in self.graph[vertex]:
                if other in self.left_out or self.base[vertex] == self.base[other]:
                    continue
                if self.matching[vertex] == other:
                    continue
                partner = self.matching[other]
                if other == root or (partner is not None and self.parent[partner] is not None):
                    for joined in self._contract(vertex, other):
                        if joined not in outer:
                            outer.add(joined)
                            queue.append(joined)
                elif self.parent[other] is None:
                    assert partner is not None
                    self.parent[other] = vertex
                    outer.add(partner)
                    queue.append(partner)
        return None

    def _contract(self, one: int, two: int) -> list[int]:
        """Contract an odd cycle into one vertex; return the vertices in it."""
        top = self._common_base(one, two)
        bases: set[int] = set()
        self._mark(one, top, two, bases)
        self._mark(two, top, one, bases)
        joined = [vertex for vertex, base in enumerate(self.base) if base in bases]
        for vertex in joined:
            self.base[vertex] = top
        return joined

    def _common_base(self, one: int, two: int) -> int:
        """Return the base at which the paths from two vertices to the root meet."""
        seen: set[int] = set()
        vertex: int | None = one
        while vertex is not None:
            base = self.base[vertex]
            seen.add(base)
            partner = self.matching[base]
            vertex = None if partner is None else self.parent[partner]
        base = self.base[two]
        while base not in seen:
            partner = self.matching[base]
            assert partner is not None
            above = self.parent[partner]
            assert above is not None
            base = self.base[above]
        return base

    def _mark(self, vertex: int, top: int, child: int, bases: set[int]) -> None:
        """Add the bases on one side of a cycle to `bases`, and set the parents of its vertices.

        The side leads from `vertex` up to `top`.
        """
        while self.base[vertex] != top:
            partner = self.matching[vertex]
            assert partner is not None
            bases |= {self.base[vertex], self.base[partner]}
            self.parent[vertex] = child
            above = self.parent[partner]
            assert above is not None
            child, vertex = partner, above
