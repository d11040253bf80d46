"""Cube decisions under parity, where the side that began waits for the other side's last turn."""

from dataclasses import replace

import pytest

from games.ai.bots.decisions import decide
from games.ai.bots.levels import LEVELS
from games.ai.cube import evaluation, parity
from games.ai.judge import judgments
from games.ai.net.boards import board_of
from games.ai.net.player import NetPlayer, player_of
from games.engine.board.position import Position
from games.engine.match import actions
from games.engine.match.state import MatchState, Phase
from games.engine.rules import Rules, Variant
from games.engine.sides import Pair, Side

W, B = Side.WHITE, Side.BLACK
PLAYER = player_of(Variant.SHORT)
MATCH = Rules.of("short", length=5, cube=True, parity=True)
MONEY = Rules.of("short", length=None, parity=True)
CERTAIN_DRAW = "W:1x2,off13 B:1x2,off13"


def at(
    text: str, rules: Rules = MATCH, first: Side = W, phase: Phase = Phase.TO_ROLL
) -> MatchState:
    """Return a state in which White is to roll or, in the phase CUBE_OFFERED, has doubled."""
    position = Position.from_text(text, rules.variant)
    return MatchState(rules, position, phase, game=1, turn=W, first=first, turns=Pair(9, 9))


def test_double_in_a_certain_draw_is_taken_by_everybody() -> None:
    offered = at(CERTAIN_DRAW, phase=Phase.CUBE_OFFERED)
    for level in LEVELS.values():
        decision = decide(offered, B, level)
        assert decision is not None
        assert decision.command == {"t": "take"}, level
    for action, loss in ((actions.Take, 0.0), (actions.Drop, 1.0)):
        found = judgments.judge(offered, action(at_ms=0, side=B), PLAYER, 1)
        assert found is not None
        assert (found["best"], found["actions"][0]["equity"]) == ("take", pytest.approx(0.0))
        assert found["loss"] == pytest.approx(loss)
        assert found["chances"][0] == pytest.approx(0.5)


def test_double_is_dropped_if_the_side_that_bears_off_first_did_not_begin() -> None:
    """Black began, so White wins by bearing off first."""
    offered = at(CERTAIN_DRAW, first=B, phase=Phase.CUBE_OFFERED)
    decision = decide(offered, B, LEVELS["master"])
    assert decision is not None
    assert decision.command == {"t": "drop"}


def test_double_gains_nothing_in_a_certain_draw() -> None:
    for plies in (0, 2):
        found = evaluation.options(at(CERTAIN_DRAW), PLAYER, plies)
        assert found.hold == found.taken == found.doubled == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("first", "win", "draw"),
    [
        (W, 1 / 6 * 5 / 6, 1 / 36 + 25 / 36),
        (B, 1 / 6 + 5 / 6 * 5 / 6, 5 / 6 * 1 / 6),
    ],
)
def test_chance_of_a_draw_in_a_bear_off_is_exact(first: Side, win: float, draw: float) -> None:
    """Each side needs two rolls, or one that is a doublet."""
    state = at("W:1x3,off12 B:1x3,off12", first=first)
    found = parity.find_outlook(state, board_of(state, W), PLAYER)
    assert found == pytest.approx((win, draw), abs=1e-6)


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_last_turn_of_a_side_that_is_not_home_is_played_out(plies: int) -> None:
    """White bears off now; 17 of Black's 36 rolls then take the checker off too."""
    state = at("W:1x2,off13 B:8x1,off14", MONEY)
    found = evaluation.options(state, PLAYER, plies)
    assert found.hold == pytest.approx(19 / 36, abs=1e-6)
    assert found.taken == pytest.approx(38 / 36, abs=1e-6)
    offered = replace(state, phase=Phase.CUBE_OFFERED)
    judged = judgments.judge(offered, actions.Take(at_ms=0, side=B), PLAYER, 1)
    assert judged is not None
    assert (judged["best"], judged["plies"]) == ("drop", 2)
    assert judged["loss"] == pytest.approx(2 / 36, abs=1e-6)


@pytest.mark.parametrize(("phase", "side"), [(Phase.TO_ROLL, W), (Phase.CUBE_OFFERED, B)])
def test_no_roll_is_played_where_the_depth_is_bounded_by_zero(
    monkeypatch: pytest.MonkeyPatch, phase: Phase, side: Side
) -> None:
    monkeypatch.setattr(NetPlayer, "choose_at", None)
    state = at("W:1x2,off13 B:8x1,off14", MONEY, phase=phase)
    assert decide(state, side, LEVELS["master"], most_plies=0)


def test_mars_in_the_last_turn_counts_twice() -> None:
    """White bears off now; only 33, 44 and 66 bring Black home with a checker off."""
    found = evaluation.options(at("W:1x2,off13 B:12x1,6x14", MONEY), PLAYER, 2)
    assert found.hold == pytest.approx(2 - 3 / 36, abs=1e-6)
