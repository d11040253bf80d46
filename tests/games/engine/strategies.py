"""Hypothesis strategies for positions of both variants, most of them unreachable in play."""

from hypothesis import strategies as st

from games.engine.board.position import Position
from games.engine.board.variants import BAR, OFF, TRAITS
from games.engine.rules import BlockRule, HeadRule, HitRule, Rules, Variant
from games.engine.sides import Side

variants = st.sampled_from(Variant)
sides = st.sampled_from(Side)
dice = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def positions(draw: st.DrawFn, variant: Variant) -> Position:
    """Draw fifteen checkers for each side on few or many places; no point has checkers of both."""
    traits = TRAITS[variant]
    last = BAR if traits.has_hits else BAR - 1
    far = draw(st.sampled_from([6, 12, last]))  # so that bear-offs and contact are both frequent
    white = draw(_counts(range(OFF, far + 1)))
    taken = {traits.opposite[point] for point in range(1, BAR) if white[point]}
    free = [place for place in range(OFF, last + 1) if place not in taken]
    return Position(white, draw(_counts(free)))


def _counts(places: range | list[int]) -> st.SearchStrategy[tuple[int, ...]]:
    lists = st.lists(st.sampled_from(list(places)), min_size=15, max_size=15)
    return lists.map(lambda stood: tuple(stood.count(place) for place in range(26)))


@st.composite
def rolls(draw: st.DrawFn) -> tuple[Position, Side, tuple[int, int], Rules, bool]:
    """Draw the arguments of `turn_graph` in both variants and every reading of the rules."""
    variant = draw(variants)
    rules = Rules.of(
        variant,
        head=draw(st.sampled_from(HeadRule)),
        block=draw(st.sampled_from(BlockRule)),
        hit=draw(st.sampled_from(HitRule)),
    )
    return draw(positions(variant)), draw(sides), draw(dice), rules, draw(st.booleans())
