"""Resignations where mars or koks count differently than in the net's training."""

from dataclasses import replace

import pytest

from games.ai.bots.decisions import decide
from games.ai.bots.levels import LEVELS
from games.ai.cube import playing_on
from games.ai.cube.match_equity import draw_worth, utility_of
from games.ai.judge import judgments
from games.ai.net.player import player_of
from games.engine.board.position import Position
from games.engine.match import actions
from games.engine.match.cube import Cube
from games.engine.match.state import MatchState, Offer, Phase
from games.engine.rules import Rules
from games.engine.sides import Pair, Side

W, B = Side.WHITE, Side.BLACK
FEDERATION = Rules.of("long", length=None, profile="federation")
MANUAL = Rules.of("short", length=None, profile="manual")
LONG_KOKS = Rules.of("long", length=None, koks=True)
# Rules, position, the exact value to Black of playing on, the tolerance for the rollout, and the
# offer that is too low. The first tolerance is wide: the net, trained without koks, chooses White's
# plays and does not avoid koks.
CASES = [
    (FEDERATION, "W:17x3,6x5,5x4,4x3 B:1x3,off12", 2.74, 0.25, 2),
    (MANUAL, "W:20x1,6x5,5x4,4x4,off1 B:1x2,off13", 1.92, 0.02, 1),
    # One checker a turn leaves the head, and Black needs two turns at most.
    (LONG_KOKS, "W:24x3,6x12 B:1x3,off12", 3.0, 0.25, 2),
]


def at(rules: Rules, text: str) -> MatchState:
    position = Position.from_text(text, rules.variant)
    return MatchState(rules, position, Phase.TO_ROLL, game=1, turn=W, first=W, turns=Pair(9, 9))


@pytest.mark.parametrize(("rules", "text", "worth", "near", "factor"), CASES)
def test_offer_below_what_the_rules_count_is_refused(
    rules: Rules, text: str, worth: float, near: float, factor: int
) -> None:
    state, player = at(rules, text), player_of(rules.variant)
    assert playing_on.find_worth(state, B, player) == pytest.approx(worth, abs=near)
    assert playing_on.find_worth(state, W, player) == pytest.approx(-worth, abs=near)
    offered = replace(state, offer=Offer(W, factor))
    decision = decide(offered, B, LEVELS["master"])
    assert decision is not None
    assert decision.command == {"t": "refuse"}
    found = judgments.judge(offered, actions.Accept(at_ms=0, side=B), player, 1)
    assert found is not None
    assert (found["best"], found["loss"]) == ("refuse", pytest.approx(worth - factor, abs=near))


def test_last_turn_under_parity_is_judged_by_every_roll() -> None:
    """Black draws with 19 of 36 rolls."""
    rules = Rules.of("short", length=None, parity=True)
    state = replace(at(rules, "W:off15 B:5x1,2x1,off13"), turn=B, last_turn=True)
    worth = playing_on.find_worth(state, W, player_of(rules.variant))
    assert worth == pytest.approx(17 / 36, abs=1e-6)


@pytest.mark.parametrize("cube", [1, 4])
@pytest.mark.parametrize(
    ("dice", "drawn"), [(None, 19 / 36), ((6, 5), 1.0), ((2, 1), 0.0)], ids=str
)
def test_draw_in_the_last_turn_is_a_point_for_each_side(
    cube: int, dice: tuple[int, int] | None, drawn: float
) -> None:
    rules = Rules.of("short", length=5, parity=True)
    state = replace(
        at(rules, "W:off15 B:5x1,2x1,off13"),
        phase=Phase.TO_PLAY if dice else Phase.TO_ROLL, turn=B, last_turn=True, dice=dice,
        score=Pair(0, 3), cube=Cube(cube),
    )  # fmt: skip
    worth = (1 - drawn) * utility_of(state, W)(cube) + drawn * draw_worth(state, W)
    player = player_of(rules.variant)
    assert playing_on.find_worth(state, W, player) == pytest.approx(worth, abs=1e-6)
    assert playing_on.find_worth(state, B, player) == pytest.approx(1 - worth, abs=1e-6)
    refuse = actions.Refuse(at_ms=0, side=W)
    judged = judgments.judge(replace(state, offer=Offer(B, 1)), refuse, player, 1)
    assert judged is not None
    assert judged["worth"] == pytest.approx(worth, abs=1e-6)


def test_playing_on_is_not_rolled_out_under_the_rules_that_the_net_knows() -> None:
    state = at(Rules.of("short", length=None), CASES[1][1])
    assert playing_on.find_worth(state, B, player_of(state.rules.variant)) is None
