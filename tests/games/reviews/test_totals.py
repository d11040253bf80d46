"""Totals of a match, computed from judgments written by hand."""

from typing import Any

import pytest

from games.ai.judge.grades import grade_of
from games.reviews.totals import totals_of


def play(side: str, loss: float, forced: bool = False, stake: float = 0.5) -> dict[str, Any]:
    made = {"play": "13/7", "equity": -loss, "loss": loss, "chances": [0.6 - loss, 0, 0, 0, 0]}
    best = {"play": "8/2", "equity": 0.0, "loss": 0.0, "chances": [0.6, 0, 0, 0, 0]}
    return {
        "kind": "play", "side": side, "played": "13/7", "loss": loss, "forced": forced,
        "plays": [best, made], "chances": best["chances"], "stake": stake, "worth": 0.6 - loss,
    }  # fmt: skip


def roll(side: str, luck: float, **cube: Any) -> dict[str, Any]:
    plain = {"kind": "roll", "side": side, "luck": luck, "stake": 0.5, "worth": 0.5}
    return plain | {"chances": [0.5, 0, 0, 0, 0]} | cube


def cube(done: str, best: str, loss: float, close: bool) -> dict[str, Any]:
    return {"kind": "cube", "done": done, "best": best, "loss": loss, "close": close}


JUDGED = [
    roll("white", 0.1),
    play("white", 0.04),
    roll("black", -0.3),
    play("black", 0.0, forced=True),
    roll("white", 0.2, **cube("roll", "roll", 0.0, close=False)),
    play("white", 0.0),
    roll("black", 0.0, **cube("roll", "double", 0.2, close=False)),
    play("black", 0.1),
    roll("white", 0.0, **cube("roll", "roll", 0.0, close=True)),
]


def test_error_rate_uses_counted_decisions_and_luck_adjusts_the_result() -> None:
    totals = totals_of(enumerate(JUDGED), result=1.0, length=3)
    white, black = totals.white, totals.black
    assert (white.plays, white.cubes, black.plays, black.cubes) == (2, 1, 1, 1)
    assert white.pr == pytest.approx(500 * 0.04 / 3)
    assert black.pr == pytest.approx(500 * 0.3 / 2)
    assert (white.doubtful, black.mistakes, black.blunders) == (1, 1, 1)
    assert (white.luck, black.luck) == pytest.approx((0.3, -0.3))
    assert totals.adjusted == pytest.approx(1.0 - 0.5 * 0.6)


def test_answer_to_a_resignation_counts_but_not_as_a_decision_with_the_cube() -> None:
    answers = [
        roll("black", 0.0, **cube(done, "accept", 0.1, close=False))
        for done in ("accept", "refuse")
    ]
    black = totals_of(enumerate(answers), result=1.0, length=3).black
    assert (black.cubes, black.answers, black.decisions) == (0, 2, 2)
    assert black.loss == pytest.approx(0.2)
    assert black.loss_of_cubes == 0.0


def test_grades_begin_at_the_limits_of_gnu_backgammon() -> None:
    losses = (0.0399, 0.04, 0.0799, 0.08, 0.1599, 0.16)
    names = ["", "doubtful", "doubtful", "mistake", "mistake", "blunder"]
    assert [grade_of(loss) for loss in losses] == names


def test_graph_shows_whites_chances() -> None:
    judged = [play("white", 0.04) | {"worth": 0.3}, play("black", 0.2) | {"worth": 0.7}]
    totals = totals_of(enumerate(judged), result=None, length=3)
    assert totals.adjusted is None
    by_white, by_black = totals.points
    assert (by_white.win, by_white.worth) == pytest.approx((0.56, 0.3))
    assert (by_black.win, by_black.worth) == pytest.approx((0.6, 0.3))
    assert totals_of([], None, 3).white.pr is None


def test_worth_is_in_points_in_a_money_session() -> None:
    totals = totals_of(enumerate(JUDGED[3:4]), result=-2.0, length=None)
    assert totals.points[0].worth == pytest.approx(-0.6)
    assert totals.adjusted == -2.0
