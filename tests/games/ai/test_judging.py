"""Judgments of decisions whose equity is known or can be computed exactly."""

import json
import random
from dataclasses import replace
from itertools import product

import pytest

from games.ai.judge import judgments, luck
from games.ai.judge.reason_codes import Reason
from games.ai.net.player import NetPlayer, player_of
from games.ai.net.rolls import ROLL_WEIGHTS, ROLLS
from games.ai.process.questions import answer
from games.engine.board.legal import match_play
from games.engine.board.moves import play_from_text
from games.engine.board.position import Position
from games.engine.errors import IllegalAction
from games.engine.match import actions
from games.engine.match.action_codec import action_to_dict
from games.engine.match.apply import apply, new_match
from games.engine.match.cube import Cube
from games.engine.match.permissions import graph_of
from games.engine.match.snapshot import dumps
from games.engine.match.state import MatchState, Offer, Phase
from games.engine.rules import Rules, Variant
from games.engine.sides import Pair, Side
from games.reviews.totals import is_counted, totals_of
from tests.games.ai.played import random_play, step

W, B = Side.WHITE, Side.BLACK
MONEY = Rules.of("short", length=None)


@pytest.fixture(scope="module", params=["short", "long"])
def variant(request: pytest.FixtureRequest) -> Variant:
    return Variant(request.param)


def net(rules: Rules) -> NetPlayer:
    return player_of(rules.variant)


def at(text: str, rules: Rules = MONEY, **fields: object) -> MatchState:
    """Return a state in the middle of a game, with White to roll by default."""
    basic = MatchState(
        rules, Position.from_text(text, rules.variant), Phase.TO_ROLL, game=3, turn=W, first=B,
        turns=Pair(9, 9),
    )  # fmt: skip
    return replace(basic, **fields)


def to_play(state: MatchState, d1: int, d2: int) -> MatchState:
    return replace(state, phase=Phase.TO_PLAY, dice=(d1, d2))


def judged(state: MatchState, text: str, plies: int = 1) -> judgments.Judgment:
    found = judgments.judge(
        state, actions.Play(at_ms=0, side=W, text=text), net(state.rules), plies
    )
    assert found is not None
    return found


def hinted(state: MatchState) -> judgments.Judgment:
    found = judgments.hint(state, W, net(state.rules), 1)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("dice", "known"),
    [((3, 1), "8/5 6/5"), ((4, 2), "8/4 6/4"), ((6, 1), "13/7 8/7")],
)
def test_standard_openings_are_best(dice: tuple[int, int], known: str) -> None:
    start = Position.start(Variant.SHORT).to_text()
    state = to_play(at(start, Rules.of("short"), turns=Pair(0, 0)), *dice)
    best = hinted(state)["plays"][0]["play"]

    def result(text: str) -> Position:
        return match_play(graph_of(state), play_from_text(text))[1]

    assert result(best) == result(known)


def test_last_rolls_are_judged_exactly() -> None:
    """Black has three checkers on the ace point and needs two rolls, or one that is a doublet."""
    state = to_play(at("W:5x1,2x1,off13 B:1x3,off12", Rules.of("short", length=1)), 2, 1)
    found = judged(state, "5/3 3/2")
    worths = {
        match_play(graph_of(state), play_from_text(each["play"]))[1].white[1:6]: each["equity"]
        for each in found["plays"]
    }
    # White's points 1 to 5 after the play: number of rolls that bear off the rest next time.
    next_time = {(0, 0, 0, 1, 0): 34, (1, 0, 1, 0, 0): 34, (0, 2, 0, 0, 0): 26}
    for home, off in next_time.items():
        assert worths[home] == pytest.approx(2 * 30 / 36 * off / 36 - 1, abs=1e-4)
    assert found["loss"] == pytest.approx(2 * 30 / 36 * 8 / 36, abs=1e-4)
    assert found["worth"] == pytest.approx(30 / 36 * 26 / 36, abs=1e-4)


@pytest.mark.parametrize("text", ["W:13x5,off10 B:1x2,off13", "W:1x2,off13 B:13x5,off10"])
def test_chances_stay_within_zero_and_one_in_decided_games(text: str) -> None:
    """Sums of rounded chances may fall slightly outside 0 to 1; judgments clip them."""
    state = at(text, Rules.of("short", length=1))
    found = [judgment_of(state, actions.Roll(at_ms=0, side=W, d1=2, d2=1))]
    for plies in (1, 2):
        hint = judgments.hint(to_play(state, 2, 1), W, net(state.rules), plies)
        assert hint is not None
        found += hint["plays"]
    for each in found:
        assert each is not None
        assert all(0 <= chance <= 1 for chance in each["chances"])


def test_last_double_is_judged_exactly() -> None:
    """White bears off both checkers with 19 of 36 rolls; after any other roll Black wins."""
    state = at("W:5x1,2x1,off13 B:1x1,off14")
    found = hinted(state)
    worths = {each["action"]: each["equity"] for each in found["actions"]}
    assert worths == pytest.approx({"double": 4 / 36, "roll": 2 / 36}, abs=1e-4)
    assert found["reason"] is Reason.LAST_CHANCE
    rolled = judgments.judge(state, actions.Roll(at_ms=0, side=W, d1=6, d2=5), net(MONEY), 1)
    assert rolled is not None
    assert (rolled["kind"], rolled["done"], rolled["best"]) == ("cube", "roll", "double")
    assert rolled["loss"] == pytest.approx(2 / 36, abs=1e-4)
    assert rolled["luck"] == pytest.approx(1 - 2 / 36, abs=1e-4)
    assert is_counted(rolled)
    offered = replace(state, phase=Phase.CUBE_OFFERED)
    dropped = judgments.judge(offered, actions.Drop(at_ms=0, side=B), net(MONEY), 1)
    assert dropped is not None
    assert dropped["loss"] == pytest.approx(1 - 4 / 36, abs=1e-4)
    assert dropped["best"] == "take"


def test_a_roll_that_loses_nothing_gets_no_reason_for_a_double() -> None:
    """White wins with every roll, so a double that Black drops wins no more."""
    state = at("W:1x1,off14 B:1x4,off11")
    rolled = judgments.judge(state, actions.Roll(at_ms=0, side=W, d1=2, d2=1), net(MONEY), 1)
    assert rolled is not None
    assert (rolled["done"], rolled["best"], rolled["loss"]) == ("roll", "double", 0.0)
    assert rolled["reason"] is None
    assert hinted(state)["reason"] is Reason.LAST_CHANCE


CLOSED = "W:8x1,7x2,6x2,5x2,4x2,3x2,2x2,1x2 B:13x3,12x2,8x4,6x2,bar4"
BEARING_OFF = "W:1x4,off11 B:1x4,off11"


@pytest.mark.parametrize(
    ("text", "rules", "best", "reason"),
    [
        (CLOSED, MONEY, "roll", Reason.TOO_GOOD),
        (CLOSED, replace(MONEY, jacoby=True), "double", Reason.CASH),
        (BEARING_OFF, MONEY, "double", Reason.CASH),
        (Position.start(Variant.SHORT).to_text(), MONEY, "roll", None),
    ],
)
def test_textbook_cube_actions_are_found(
    text: str, rules: Rules, best: str, reason: Reason | None
) -> None:
    state = at(text, rules)
    found = hinted(state)
    assert found["actions"][0]["action"] == best
    assert reason is None or found["reason"] is reason
    if reason is Reason.CASH:
        offered = replace(state, phase=Phase.CUBE_OFFERED)
        answered = judgments.judge(offered, actions.Take(at_ms=0, side=B), net(rules), 1)
        assert answered is not None
        assert (answered["best"], answered["reason"]) == ("drop", Reason.TOO_FEW_WINS)
        assert answered["loss"] > 0.1


def test_trailer_loses_nothing_by_a_double_and_roll_without_a_legal_double_is_no_decision() -> None:
    rules = Rules.of("short", length=5)
    start = "W:24x2,13x5,8x3,6x5 B:24x2,13x4,8x4,6x5"
    behind = at(start, rules, score=Pair(2, 4), crawford_done=True)
    found = hinted(behind)
    assert (found["actions"][0]["action"], found["reason"]) == ("double", Reason.NOTHING_TO_LOSE)
    for other in (
        replace(behind, score=Pair(4, 2)),
        replace(behind, crawford=True),
        replace(behind, cube=Cube(2, B)),
    ):
        assert judgments.hint(other, W, net(rules), 1) is None
        rolled = judgments.judge(other, actions.Roll(at_ms=0, side=W, d1=2, d2=1), net(rules), 1)
        assert rolled is not None
        assert rolled["kind"] == "roll"


def test_offer_below_a_sure_mars_is_refused() -> None:
    state = at("W:1x1,off14 B:13x5,8x5,6x5", replace(MONEY, cube=False), turn=B, offer=Offer(B, 1))
    for action, loss in ((actions.Accept, 1.0), (actions.Refuse, 0.0)):
        found = judgments.judge(state, action(at_ms=0, side=W), net(MONEY), 1)
        assert found is not None
        assert (found["best"], found["reason"]) == (
            "refuse",
            Reason.MORE_TO_WIN if loss else None,
        )
        assert found["loss"] == pytest.approx(loss, abs=0.15)
        assert found["plies"] == 1


def test_last_turn_under_parity_may_draw_the_game() -> None:
    """White began. In the first state Black plays the last turn; in the second White bears off."""
    rules = Rules.of("long", length=1, parity=True)
    last = at("W:off15 B:2x1,1x1,off13", rules, turn=B, first=W, last_turn=True)
    rolls = {(6, 5): "2/off 1/off", (2, 1): "2/off 1/off"}
    for dice, text in rolls.items():
        action = actions.Play(at_ms=0, side=B, text=text)
        found = judgments.judge(to_play(last, *dice), action, net(rules), 1)
        assert found is not None
        assert found["plays"][0]["equity"] == 0.0
    clumsy = actions.Play(at_ms=0, side=B, text="2/1 1/off")
    found = judgments.judge(to_play(last, 2, 1), clumsy, net(rules), 1)
    assert found is not None
    assert found["loss"] == 1.0
    # Black bears off three checkers with a doublet only: White wins 30 of 36 games, 6 are drawn.
    off = to_play(at("W:1x1,off14 B:1x3,off12", rules, first=W), 2, 1)
    assert judged(off, "1/off")["plays"][0]["equity"] == pytest.approx(30 / 36)
    assert judged(off, "1/off")["worth"] == pytest.approx(33 / 36)


def test_chances_in_the_last_turn_under_parity_are_exact() -> None:
    """White began and has borne off. Every roll draws in `draws` and loses a mars in `loses`."""
    rules = Rules.of("long", length=1, parity=True)
    draws, loses = (
        at(f"W:off15 B:{black}", rules, turn=B, first=W, last_turn=True)
        for black in ("2x1,1x1,off13", "20x2,6x13")
    )
    for state, text, chances in (
        (draws, "2/off 1/off", [0.5, 0.0, 0.0, 0.0, 0.0]),
        (loses, "20/18 18/17", [0.0, 0.0, 0.0, 1.0, 0.0]),
    ):
        rolled = judgments.judge(state, actions.Roll(at_ms=0, side=B, d1=2, d2=1), net(rules), 1)
        played = judgments.judge(
            to_play(state, 2, 1), actions.Play(at_ms=0, side=B, text=text), net(rules), 1
        )
        assert rolled is not None
        assert played is not None
        assert rolled["chances"] == pytest.approx(chances, abs=1e-6)
        assert played["chances"] == chances
    offered = replace(loses, offer=Offer(B, 2))
    accepted = judgments.judge(offered, actions.Accept(at_ms=0, side=W), net(rules), 1)
    assert accepted is not None
    assert accepted["chances"] == pytest.approx([1.0, 1.0, 0.0, 0.0, 0.0], abs=1e-6)
    # Every roll bears off White's last checker; then Black draws with one of the six doublets.
    forced = to_play(at("W:1x1,off14 B:1x3,off12", rules, first=W), 2, 1)
    assert judged(forced, "1/off")["chances"][0] == pytest.approx(33 / 36)


def test_luck_of_all_rolls_sums_to_zero(variant: Variant) -> None:
    rules = Rules.of(variant, length=3)
    state = new_match(rules)
    for action in (actions.Start(at_ms=0, game=1), actions.Opening(at_ms=0, white=6, black=2)):
        before, state = state, apply(state, action)
    middle = replace(state, phase=Phase.TO_ROLL, dice=None)
    lucks = [luck.of_roll(middle, dice, net(rules)).luck for dice in ROLLS]
    assert sum(map(float.__mul__, lucks, map(float, ROLL_WEIGHTS))) == pytest.approx(0, abs=1e-9)
    assert max(lucks) > 0.05
    throws = [dice for dice in product(range(1, 7), repeat=2) if dice[0] != dice[1]]
    of_white = sum(
        luck.of_opening(before, dice, net(rules)).luck * (1 if dice[0] > dice[1] else -1)
        for dice in throws
    )
    assert of_white == pytest.approx(0.0, abs=1e-9)


def judgment_of(state: MatchState, action: actions.Action) -> dict | None:
    """Return the judgment that the child process would return."""
    question = {"state": dumps(state), "action": action_to_dict(action), "plies": 1}
    found: dict | None = answer({"ask": "judge", **question})["judgment"]
    return found


def test_best_plays_of_the_judge_lose_nothing(variant: Variant) -> None:
    """White plays the hints and Black at random; only Black's totals have errors."""
    rules, rng = Rules.of(variant, length=1), random.Random(4)
    state, found = new_match(rules), []
    while state.phase is not Phase.FINISHED:
        action = step(state, rng)
        if action is None:
            side = state.turn
            assert side is not None
            if side is W:
                hint = answer({"ask": "hint", "state": dumps(state), "side": "white"})["hint"]
                text = hint["plays"][0]["play"]
            else:
                text = random_play(state, rng)
            action = actions.Play(at_ms=0, side=side, text=text)
        judgment = judgment_of(state, action)
        found += [(len(found), json.loads(json.dumps(judgment)))] if judgment else []
        state = apply(state, action)
    assert state.outcome is not None
    result = float(state.outcome.winner is W)
    totals = totals_of(found, result, rules.length)
    assert totals.white.loss == 0.0
    assert totals.white.pr == 0.0
    assert totals.black.pr > 10
    assert totals.black.plays == sum(
        each["kind"] == "play" and each["side"] == "black" and not each["forced"]
        for _, each in found
    )
    assert totals.adjusted == pytest.approx(
        result - totals.white.luck_worth + totals.black.luck_worth
    )
    assert [point.at for point in totals.points] == [at for at, _ in found]


def test_luck_and_errors_explain_the_result_of_an_exact_race() -> None:
    """Near the end of a race the chances are exact, so luck and errors add up to the result."""
    rules = Rules.of("short", length=1)
    for seed in range(6):
        rng = random.Random(seed)
        state = at("W:5x2,4x1,3x1,off11 B:6x1,4x1,2x2,off11", rules)
        before = luck.before_roll(state, W, net(rules)).mean
        found: list[tuple[int, judgments.Judgment]] = []
        while state.phase is not Phase.FINISHED:
            side = state.turn
            assert side is not None
            action = step(state, rng)
            if action is None:
                action = actions.Play(at_ms=0, side=side, text=random_play(state, rng))
            judgment = judgment_of(state, action)
            assert judgment is not None
            found.append((len(found), judgment))
            state = apply(state, action)
        assert state.outcome is not None
        result = 1.0 if state.outcome.winner is W else -1.0
        totals = totals_of(found, (result + 1) / 2, rules.length)
        white, black = totals.white, totals.black
        explained = white.luck - black.luck - white.loss + black.loss
        assert result - before == pytest.approx(explained, abs=0.02)
        assert totals.adjusted == pytest.approx(
            (before + 1) / 2 + (black.loss - white.loss) / 2, abs=0.02
        )


def test_judgment_reports_two_plies_and_illegal_play_is_refused() -> None:
    start = Position.start(Variant.SHORT).to_text()
    state = to_play(at(start, Rules.of("short"), turns=Pair(0, 0)), 6, 3)
    deep = judged(state, "24/15", 2)
    assert deep["plies"] == 2
    assert "24/15" in [each["play"] for each in deep["plays"]]
    assert min(each["loss"] for each in deep["plays"]) == 0.0
    clear = judged(state, "6/3 8/2", 2)
    assert (clear["plies"], clear["loss"] > 0.08) == (1, True)
    with pytest.raises(IllegalAction):
        judged(state, "24/14")
    assert judgments.hint(state, B, net(state.rules), 1) is None
    assert judgments.judge(state, actions.Takeover(at_ms=0, side=W), net(state.rules), 1) is None
