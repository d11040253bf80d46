"""The opponents' cube actions and resignations in clear cases, for money and at scores."""

from dataclasses import replace
from typing import Any

import pytest

from games.ai.bots.decisions import decide
from games.ai.bots.levels import LEVELS, Level
from games.ai.cube import doubling, evaluation, match_equity
from games.ai.cube.doubling import CubeModel
from games.ai.net.player import player_of
from games.engine.board.position import Position
from games.engine.match.cube import Cube
from games.engine.match.state import MatchState, Offer, Phase
from games.engine.rules import Rules, Variant
from games.engine.sides import Pair, Side

W, B = Side.WHITE, Side.BLACK
MONEY = Rules.of("short", length=None)
STRONG = LEVELS["strong"]
EVEN_HOME = [6] * 5 + [5] * 4 + [4] * 3 + [3] * 2 + [2]


def race(mine: int, theirs: int) -> Position:
    """Return a position in which the sides have passed each other, with these pip counts."""
    return Position(_spread(mine), _spread(theirs))


def _spread(pips: int) -> tuple[int, ...]:
    points = list(EVEN_HOME)
    for step in range(pips - sum(points)):
        points[step % len(points)] += 1
    return tuple(points.count(place) for place in range(26))


def before_roll(position: Position, rules: Rules = MONEY, **fields: object) -> MatchState:
    state = MatchState(
        rules=rules,
        position=position,
        phase=Phase.TO_ROLL,
        game=1,
        turn=W,
        first=W,
        turns=Pair(9, 9),
    )
    return replace(state, **fields)


def model(state: MatchState, side: Side) -> CubeModel:
    return evaluation.model_at(state, side, player_of(state.rules.variant))


def chosen_command(at: MatchState, side: Side, level: Level) -> dict[str, Any] | None:
    found = decide(at, side, level)
    return found and found.command


def doubles(state: MatchState) -> bool:
    return doubling.should_double(doubling.options(model(state, state.turn)))


def takes(state: MatchState) -> bool:
    offered = replace(state, phase=Phase.CUBE_OFFERED)
    return doubling.should_take(doubling.options(model(offered, state.turn)))


def test_lead_of_ten_percent_in_a_race_is_doubled_and_of_eighteen_dropped() -> None:
    assert not doubles(before_roll(race(100, 103)))
    assert doubles(before_roll(race(100, 110)))
    assert takes(before_roll(race(100, 109)))
    assert not takes(before_roll(race(100, 118)))


def test_redouble_needs_a_larger_lead_than_a_double() -> None:
    leads = range(20)
    first = next(lead for lead in leads if doubles(before_roll(race(100, 100 + lead))))
    again = next(
        lead
        for lead in leads
        if doubles(before_roll(race(100, 100 + lead), cube=Cube(value=2, owner=W)))
    )
    assert again > first


def test_starting_position_is_not_doubled() -> None:
    assert not doubles(before_roll(Position.start(Variant.SHORT)))
    assert not doubles(before_roll(Position.start(Variant.LONG), Rules.of("long", length=None)))


def test_trailer_doubles_at_once_after_crawford() -> None:
    rules = Rules.of("short", length=5)
    state = before_roll(
        Position.start(Variant.SHORT), rules, score=Pair(2, 4), crawford_done=True, game=4
    )
    assert doubles(state)
    assert takes(state)  # the trailer is 3 away, where a drop costs the leader more than a take


def test_trailer_in_a_race_drops_a_double_that_decides_the_match() -> None:
    # At 2-away each, the loser of a doubled game loses the match.
    rules = Rules.of("short", length=2, cube=True)
    assert not takes(before_roll(race(60, 80), rules))


def test_likely_mars_is_doubled_under_jacoby() -> None:
    # Black is nearly closed out, with most checkers far away.
    text = "W:8x2,7x2,6x2,5x2,4x2,3x2,2x2,off1 B:bar2,15x3,13x6,12x4"
    state = before_roll(Position.from_text(text, Variant.SHORT))
    assert model(state, W).estimate.win > 0.85
    assert not doubles(state)  # too good: Black would drop, and a mars is worth more
    jacoby = before_roll(state.position, Rules.of("short", length=None, jacoby=True))
    assert doubles(jacoby)  # with a centered cube the mars would count as one


def test_favorite_answers_a_double_with_a_beaver() -> None:
    rules = Rules.of("short", length=None, beaver=True)
    ahead = before_roll(race(110, 80), rules, phase=Phase.CUBE_OFFERED)
    assert chosen_command(ahead, B, STRONG) == {"t": "beaver"}
    behind = before_roll(race(100, 108), rules, phase=Phase.CUBE_OFFERED)
    assert chosen_command(behind, B, STRONG) == {"t": "take"}


def test_doubler_drops_a_beaver_only_when_nearly_lost() -> None:
    rules = Rules.of("short", length=None, beaver=True)
    slightly = before_roll(race(100, 95), rules, phase=Phase.BEAVERED)
    assert chosen_command(slightly, W, STRONG) == {"t": "take"}
    hopeless = before_roll(race(140, 60), rules, phase=Phase.BEAVERED)
    assert chosen_command(hopeless, W, STRONG) == {"t": "drop"}


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_acts_off_turn(level: str) -> None:
    state = before_roll(Position.start(Variant.SHORT))
    assert chosen_command(state, B, LEVELS[level]) is None
    assert chosen_command(replace(state, phase=Phase.CUBE_OFFERED), W, LEVELS[level]) is None
    assert chosen_command(replace(state, phase=Phase.FINISHED, turn=None), W, LEVELS[level]) is None


def answer_to_resignation(position: Position, factor: int, rules: Rules = MONEY) -> str:
    state = before_roll(position, rules, offer=Offer(W, factor))
    command = chosen_command(state, B, STRONG)
    assert command is not None
    return command["t"]


def test_resignation_worth_the_whole_game_is_accepted() -> None:
    lost = Position.from_text("W:6x5,5x5,off5 B:1x2,off13", Variant.SHORT)
    assert answer_to_resignation(lost, 1) == "accept"


def test_resignation_below_a_likely_mars_is_refused() -> None:
    text = "W:18x6,13x5,8x4 B:1x2,2x1,off12"
    assert answer_to_resignation(Position.from_text(text, Variant.SHORT), 1) == "refuse"


def test_single_resignation_is_accepted_at_the_start() -> None:
    assert answer_to_resignation(Position.start(Variant.SHORT), 1) == "accept"
    three = Rules.of("short", length=3, mars=False, koks=False)
    assert answer_to_resignation(Position.start(Variant.SHORT), 1, three) == "accept"


def test_game_is_resigned_only_when_lost_for_all_rolls() -> None:
    lost = Position.from_text("W:6x5,5x2,off8 B:1x2,off13", Variant.SHORT)
    assert chosen_command(before_roll(lost), W, STRONG) == {"t": "resign", "factor": 1}
    undecided = Position.from_text("W:6x2,5x2,off11 B:6x1,5x1,off13", Variant.SHORT)
    assert chosen_command(before_roll(undecided), W, STRONG) != {"t": "resign", "factor": 1}


def test_refused_resignation_is_not_repeated_in_the_same_turn() -> None:
    lost = Position.from_text("W:6x5,5x2,off8 B:1x2,off13", Variant.SHORT)
    assert chosen_command(before_roll(lost, refused=1), W, STRONG) == {"t": "roll"}


def test_refused_resignation_is_not_repeated_in_a_later_turn() -> None:
    lost = Position.from_text("W:6x5,5x2,off8 B:1x2,off13", Variant.SHORT)
    found = decide(before_roll(lost), W, STRONG, offered=1)
    assert found
    assert found.command == {"t": "roll"}


# `own` and `other` are the points that each side still needs.
@pytest.mark.parametrize("own", range(1, 16))
@pytest.mark.parametrize("other", range(1, 16))
def test_match_equities_sum_to_one_and_rise_with_points(own: int, other: int) -> None:
    for chance in (
        lambda a, b: match_equity.without_cube(a, b, 0.25),
        lambda a, b: match_equity.published(a, b, False),
        lambda a, b: match_equity.published(a, b, True),
        lambda a, b: match_equity.modeled(0.18)(a, b, False),
        lambda a, b: match_equity.modeled(0.0)(a, b, True),
    ):
        assert chance(own, other) + chance(other, own) == pytest.approx(1)
        assert chance(own - 1, other) >= chance(own, other)
