"""The cube actions equal known answers: formulas, published tables, positions solved exactly."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from games.ai.bots.levels import LEVELS
from games.ai.cube import doubling, evaluation, match_equity, resigning
from games.ai.cube.doubling import CubeModel, Efficiency
from games.ai.kernel import net
from games.ai.net import weights_files
from games.ai.net.chances import Estimate
from games.ai.net.player import NetPlayer
from games.engine.board.position import Position
from games.engine.match.cube import Cube
from games.engine.match.state import MatchState, Offer, Phase
from games.engine.rules import Rules, Variant
from games.engine.sides import Pair, Side
from tests.games.ai.test_cube import chosen_command

W, B = Side.WHITE, Side.BLACK
MONEY = Rules.of("short", length=None)


def state(rules: Rules = MONEY, **fields: object) -> MatchState:
    start = Position.start(Variant.SHORT)
    basic = MatchState(rules, start, Phase.TO_ROLL, game=3, turn=W, first=W, turns=Pair(9, 9))
    return replace(basic, **fields)


def match(length: int, white_to_go: int, black_to_go: int, **fields: object) -> MatchState:
    score = Pair(length - white_to_go, length - black_to_go)
    rules = Rules.of("short", length=length, cube=True)
    return state(rules, score=score, crawford_done=1 in (white_to_go, black_to_go), **fields)


def options(at: MatchState, win: float, mars: float = 0.0, live: float = 0.68) -> doubling.Options:
    """Return the options of White on roll.

    `mars` = share of each side's wins that are mars, `live` = cube efficiency.
    """
    chances = Estimate(win, win * mars, (1 - win) * mars)
    return doubling.options(CubeModel(at, W, chances, Efficiency(live, live)))


def first_chance(holds: object) -> float:
    """Return White's lowest chance, in steps of a thousandth, for which `holds` is true."""
    return next(step / 1000 for step in range(1001) if holds(step / 1000))


@pytest.mark.parametrize("live", [0.0, 0.5, 0.68, 1.0])
@pytest.mark.parametrize("mars", [0.0, 0.2])
def test_take_point_follows_janowskis_formula(live: float, mars: float) -> None:
    # W and L are the mean points of a won and of a lost game, x is the cube efficiency. The take
    # point is (L - 1/2) / (W + L + x/2): 25 % if dead, 21.4 % at x = 0.68, 20 % if live.
    won = lost = 1 + mars
    known = (lost - 0.5) / (won + lost + live / 2)
    drops = first_chance(lambda win: not doubling.should_take(options(state(), win, mars, live)))
    assert 1 - drops == pytest.approx(known, abs=0.0011)


def test_live_cube_is_doubled_at_eighty_percent_and_dead_cube_at_fifty() -> None:
    assert first_chance(
        lambda win: doubling.should_double(options(state(), win, live=0.0))
    ) == pytest.approx(0.5, abs=0.0011)
    assert first_chance(
        lambda win: doubling.should_double(options(state(), win, live=0.999))
    ) == pytest.approx(0.8, abs=0.0021)
    own = state(cube=Cube(2, W))  # by Janowski a redouble needs a higher chance than a double
    assert first_chance(lambda win: doubling.should_double(options(own, win))) > first_chance(
        lambda win: doubling.should_double(options(state(), win))
    )


def test_double_point_is_half_when_both_sides_need_two_points() -> None:
    at = match(5, 2, 2)
    assert first_chance(
        lambda win: doubling.should_double(options(at, win, mars=0.2))
    ) == pytest.approx(0.5, abs=0.0021)
    drops = first_chance(lambda win: not doubling.should_take(options(at, win, mars=0.2)))
    assert drops == pytest.approx(match_equity.published(1, 2, False), abs=0.0011)


def test_trailer_doubles_after_crawford_and_leader_may_drop_at_two_to_go() -> None:
    for to_go in range(2, 10):
        at = match(15, to_go, 1)
        assert doubling.should_double(options(at, 0.45, mars=0.2))
    # At two to go, one game decides the match after a drop, so the leader takes with a chance of at
    # least one half.
    assert not doubling.should_take(options(match(15, 2, 1), 0.51))
    assert doubling.should_take(options(match(15, 2, 1), 0.49))
    # At three to go, a drop gives the trailer a point for which they would otherwise need a game.
    assert doubling.should_take(options(match(15, 3, 1), 0.9))


def mars_value(at: MatchState, side: Side, value: int = 1) -> float:
    """Return the gain of a mars over a single win, divided by the gain of a win over a loss.

    `value` is the value of the cube.
    """
    utility = match_equity.utility_of(at, side)
    return (utility(2 * value) - utility(value)) / (utility(value) - utility(-value))


def test_mars_values_at_scores_equal_known_values() -> None:
    assert mars_value(state(), W) == 0.5
    assert mars_value(match(5, 1, 1), W) == 0.0
    crawford = replace(match(5, 2, 1), crawford=True, crawford_done=False)
    assert mars_value(crawford, W) == 1.0  # a mars wins the match, a single win ties the score
    assert mars_value(crawford, B) == 0.0
    assert mars_value(match(7, 4, 2), W, 2) == 0.5 / 0.5  # a mars wins, a single win ties the score
    # The published chances after the Crawford game with 2 and with 3 points to go.
    table = (0.48803 - 0.32264) / 0.32264
    four = replace(match(5, 4, 1), crawford=True, crawford_done=False)
    assert mars_value(four, W) == pytest.approx(table)


def test_koks_and_mars_count_by_the_rules() -> None:
    chances = Estimate(1.0, 0.6, 0.0, 0.2)
    for rules, worth in (
        (MONEY, 1.8),
        (Rules.of("short", length=None, koks=False), 1.6),
        (Rules.of("short", length=None, mars=False, koks=False), 1.0),
    ):
        model = CubeModel(state(rules, cube=Cube(1, B)), W, chances, Efficiency(0.0, 0.0))
        assert model.worth(1, B) == pytest.approx(worth)
    jacoby = Rules.of("short", length=None, jacoby=True)
    model = CubeModel(state(jacoby), W, chances, Efficiency(0.0, 0.0))
    assert (model.worth(1, None), model.worth(2, B)) == pytest.approx((1.0, 3.6))


def test_modeled_match_equities_are_close_to_the_published_table() -> None:
    ours = match_equity.modeled(0.26)
    for own in range(1, 16):
        for other in range(1, 16):
            for over in (False, True) if 1 in (own, other) else (False,):
                known = match_equity.published(own, other, over)
                assert ours(own, other, over) == pytest.approx(known, abs=0.016)


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> NetPlayer:
    """Return a player with an untrained net; when both sides bear off, it uses the exact table."""
    path: Path = tmp_path_factory.mktemp("net") / "a.net"
    header = weights_files.header_of(Variant.SHORT, 4, 0, "")
    weights_files.save(path, header, net.random_weights(header.phases, header.inputs, 4, seed=3))
    return NetPlayer(Variant.SHORT, path)


def bearing_off(mine: str, theirs: str, **fields: object) -> MatchState:
    return state(position=Position.from_text(f"W:{mine} B:{theirs}", Variant.SHORT), **fields)


@pytest.mark.parametrize(
    ("points", "rolls_of_36"), [("6x1,5x1", 6), ("5x1,2x1", 19), ("6x1,1x1", 15), ("4x1,1x1", 29)]
)
def test_last_roll_is_exact_one_ply_ahead(player: NetPlayer, points: str, rolls_of_36: int) -> None:
    chance = rolls_of_36 / 36
    found = evaluation.options(bearing_off(f"{points},off13", "1x2,off13"), player, plies=1)
    assert found.hold == pytest.approx(2 * chance - 1, abs=1e-5)
    assert found.taken == pytest.approx(2 * found.hold, abs=1e-5)
    assert doubling.should_double(found) == (chance > 0.5)
    assert doubling.should_take(found) == (chance <= 0.75)


@cache
def equity_on_roll(mine: int, theirs: int, owner: int) -> float:
    """Return the exact money equity at cube 1 of the side on roll, which may double first.

    `mine` and `theirs` are the rolls that each side needs; a doublet saves one. `owner` of the
    cube: 1 the side on roll, -1 the other, 0 centered.
    """
    held = equity_of_rolling(mine, theirs, owner)
    if owner < 0:
        return held
    return max(held, min(1.0, 2 * equity_of_rolling(mine, theirs, -1)))


def equity_of_rolling(mine: int, theirs: int, owner: int) -> float:
    """Return the equity as in `equity_on_roll` if the side on roll does not double this turn."""
    total = 0.0
    for gone, chance in ((1, 5 / 6), (2, 1 / 6)):
        left = mine - gone
        total += chance * (1.0 if left <= 0 else -equity_on_roll(theirs, left, -owner))
    return total


@pytest.mark.parametrize("plies", [0, 1, 2])
@pytest.mark.parametrize("owner", [None, W])
@pytest.mark.parametrize("rolls", [2, 3, 4, 5])
def test_pairs_on_the_ace_point_match_exact_values(
    player: NetPlayer, rolls: int, owner: Side | None, plies: int
) -> None:
    """With 3 rolls left: double, drop. 4: redouble, take. 5: double, no redouble, take."""
    known = (
        equity_of_rolling(rolls, rolls, 1 if owner else 0),
        2 * equity_of_rolling(rolls, rolls, -1),
    )
    side = f"1x{2 * rolls},off{15 - 2 * rolls}"
    value = 2 if owner else 1
    at = bearing_off(side, side, cube=Cube(value, owner))
    found = evaluation.options(at, player, plies)
    assert doubling.should_double(found) == (min(known[1], 1.0) > known[0])
    assert doubling.should_take(found) == (known[1] <= 1.0)
    if plies == 2:
        assert (found.hold / value, found.taken / value) == pytest.approx(known, abs=0.04)


@pytest.mark.parametrize(
    ("mine", "theirs", "factor"),
    [("6x4,5x4,off7", "1x2,off13", 1), ("6x1,1x1,off13", "1x3,off12", None)],
)
def test_net_resigns_lost_games_and_accepts_full_offers(
    player: NetPlayer, mine: str, theirs: str, factor: int | None
) -> None:
    at = bearing_off(mine, theirs)
    assert resigning.fair_offer(evaluation.model_at(at, W, player)) == factor
    answer = evaluation.model_at(replace(at, offer=Offer(W, 1)), B, player)
    assert resigning.should_accept(answer)


def test_model_uses_the_dice_on_the_board(player: NetPlayer) -> None:
    at = replace(bearing_off("6x1,1x1,off13", "1x3,off12"), phase=Phase.TO_PLAY, dice=(6, 1))
    assert evaluation.model_at(at, W, player).estimate.win == pytest.approx(1.0)
    assert evaluation.model_at(at, B, player).estimate.win == pytest.approx(0.0)


def test_dead_cube_is_never_offered() -> None:
    ahead = bearing_off("4x1,1x1,off13", "1x2,off13", cube=Cube(2, W))
    doubled, strong = {"t": "double"}, LEVELS["strong"]
    assert chosen_command(ahead, W, strong) == doubled
    for white_to_go in range(1, 6):
        scored = match(7, white_to_go, 4)
        dead = replace(ahead, rules=scored.rules, score=scored.score, crawford_done=True)
        assert (chosen_command(dead, W, strong) == doubled) == (white_to_go > 2)
