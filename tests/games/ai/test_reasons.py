"""Reasons why a play is better, from a comparison of the boards and of the chances after it."""

from dataclasses import dataclass

import pytest

from games.ai.judge import play_reasons
from games.ai.judge.reason_codes import Reason
from games.ai.net.search import Stakes
from games.engine.board.legal import match_play, turn_graph
from games.engine.board.moves import play_from_text
from games.engine.board.position import Position
from games.engine.rules import Rules, Variant
from games.engine.sides import Side

START = "W:24x2,13x5,8x3,6x5 B:24x2,13x5,8x3,6x5"
RACE = "W:7x2,6x4,5x4,4x5 B:8x3,6x6,4x6"
# Chances with equally rare mars, so that the reason comes from the boards.
PLAIN, LESS = (0.5, 0.1, 0.0, 0.1, 0.0), (0.48, 0.1, 0.0, 0.1, 0.0)


@dataclass(frozen=True)
class Case:
    """White has the dice; `best` is better than `other` because of `reason`."""

    reason: Reason
    variant: str
    before: str
    dice: tuple[int, int]
    best: str
    other: str


CASES = [
    Case(Reason.HITS, "short", "W:24x2,13x5,8x3,6x5 B:24x1,18x1,13x5,8x3,6x5", (6, 1),
         "13/7* 8/7", "24/18 24/23"),
    Case(Reason.SAFER, "short", "W:13x2,9x1,8x3,6x5,4x4 B:24x1,22x2,13x4,8x3,6x5", (4, 1),
         "9/8 8/4", "13/8"),
    Case(Reason.MAKES_POINT, "short", START, (3, 1), "8/5 6/5", "24/20"),
    Case(Reason.BUILDS_PRIME, "short",
         "W:24x2,13x2,9x1,8x2,7x2,6x2,5x2,4x2 B:24x2,13x5,8x3,6x5", (5, 4), "13/9 13/8",
         "13/8 9/5"),
    Case(Reason.MAKES_ANCHOR, "short",
         "W:24x2,13x5,8x3,6x5 B:24x2,13x5,8x2,6x5,3x1", (4, 4), "24/20(2) 13/9(2)", "13/5(2)"),
    Case(Reason.KEEPS_ANCHOR, "short",
         "W:20x2,13x4,8x3,6x6 B:24x2,13x4,8x4,6x5", (6, 5), "13/2", "20/9"),
    Case(Reason.ESCAPES, "short", "W:22x1,13x2,11x2,8x3,7x2,6x5 B:24x2,13x5,8x3,6x5", (6, 5),
         "22/11", "13/8 13/7"),
    Case(Reason.BEARS_OFF, "short", "W:6x4,5x4,4x4,2x3 B:6x8,3x7", (6, 2), "6/off 2/off",
         "6/off 6/4"),
    Case(Reason.BREAKS_CONTACT, "short", "W:13x1,6x5,5x5,4x4 B:14x1,6x7,5x7", (4, 1),
         "13/9 5/4", "6/2 6/5"),
    Case(Reason.KEEPS_CONTACT, "short", "W:13x1,6x5,5x5,4x4 B:14x1,3x7,2x7", (4, 1),
         "6/2 6/5", "13/9 5/4"),
    Case(Reason.RACES, "short", RACE, (2, 1), "7/5 7/6", "6/4 5/4"),
    Case(Reason.WINS, "short", "W:2x1,1x1,off13 B:1x2,off13", (2, 1), "2/off 1/off", "2/1 1/off"),
    Case(Reason.MORE_WAYS, "short", "W:24x2,6x2,5x3,4x4,3x4 B:8x3,6x3,5x3,4x3,3x3", (2, 1),
         "3/1 3/2", "6/4 6/5"),
    Case(Reason.HOLDS_MORE, "long", "W:24x12,20x2,16x1 B:24x13,20x1,17x1", (2, 1), "20/18 20/19",
         "16/14 14/13"),
    Case(Reason.BUILDS_PRIME, "long", "W:24x11,21x1,20x1,17x1,15x1 B:24x13,20x1,17x1", (2, 1),
         "24/22 17/16", "24/23 17/15"),
    Case(Reason.ESCAPES, "long", "W:24x7,20x2,13x2,8x4 B:24x7,6x2,5x2,4x2,3x2", (6, 1),
         "20/14 14/13", "8/2 8/7"),
    Case(Reason.BLOCKS, "long", "W:24x4,18x2,17x2,16x2,13x2,7x1,6x2 B:24x15", (5, 4),
         "13/8 13/9", "18/13 17/13"),
    Case(Reason.FREES_HEAD, "long", "W:24x13,18x1,16x1 B:24x13,18x1,16x1", (3, 1), "24/21 18/17",
         "18/15 16/15"),
]  # fmt: skip


def after(case: Case, text: str) -> Position:
    position = Position.from_text(case.before, Variant(case.variant))
    graph = turn_graph(position, Side.WHITE, case.dice, Rules.of(case.variant))
    return match_play(graph, play_from_text(text))[1]


def why(case: Case, best: str, other: str, gap: float = 0.05) -> Reason | None:
    return play_reasons.why(
        Position.from_text(case.before, Variant(case.variant)),
        after(case, best),
        after(case, other),
        Side.WHITE,
        Rules.of(case.variant),
        PLAIN,
        LESS,
        gap,
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.variant}-{case.reason.value}")
def test_reason_is_given_for_the_better_play_only(case: Case) -> None:
    assert why(case, case.best, case.other) is case.reason
    if case.reason is not Reason.RACES:  # this reason comes from the chances
        assert why(case, case.other, case.best) is not case.reason
    assert why(case, case.best, case.best) is None
    assert why(case, case.best, case.other, 0.001) is None


def test_mars_is_the_reason_if_it_causes_most_of_the_difference() -> None:
    position = Position.from_text(START, Variant.SHORT)
    other = Position.from_text(START.replace("8x3,6x5 B", "8x2,6x6 B"), Variant.SHORT)
    mars_won, mars_lost, won = (
        (0.5, 0.2, 0.0, 0.1, 0.0),
        (0.5, 0.1, 0.0, 0.02, 0.0),
        (0.55, 0.1, 0.0, 0.1, 0.0),
    )

    def reason(
        chances: tuple[float, ...],
        rules: Rules,
        rival: tuple[float, ...] = PLAIN,
        stakes: Stakes | None = None,
    ) -> Reason | None:
        boards = position, other, position
        return play_reasons.why(*boards, Side.WHITE, rules, chances, rival, 0.1, stakes)

    with_mars, without = Rules.of("short"), Rules.of("short", mars=False)
    assert reason(mars_won, with_mars) is Reason.WINS_MARS
    assert reason(mars_lost, with_mars) is Reason.PREVENTS_MARS
    assert reason(won, with_mars) is Reason.WINS_MORE
    assert reason(mars_won, without) is None
    # Koks is no reason where it counts as mars.
    without_koks = Rules.of("short", koks=False)
    koks_won, koks_lost = (0.51, 0.1, 0.1, 0.1, 0.0), (0.5, 0.1, 0.0, 0.1, 0.1)
    assert reason(koks_won, with_mars) is Reason.WINS_MARS
    assert reason(koks_won, without_koks) is Reason.WINS_MORE
    more_wins = (0.51, 0.1, 0.0, 0.1, 0.0)
    assert reason(more_wins, with_mars, koks_lost) is Reason.PREVENTS_MARS
    assert reason(more_wins, without_koks, koks_lost) is Reason.WINS_MORE
    # Nor is mars where each side needs one point to win the match.
    last_point = Stakes(1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    assert reason(koks_won, with_mars, PLAIN, last_point) is Reason.WINS_MORE
    assert reason(more_wins, with_mars, koks_lost, last_point) is Reason.WINS_MORE
