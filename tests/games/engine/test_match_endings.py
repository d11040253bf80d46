"""The points of every ending of a game with each state of cube, mars, koks and Crawford."""

import itertools

import pytest

from games.engine.errors import IllegalAction, Reason
from games.engine.match import actions as A
from games.engine.match.apply import apply
from games.engine.match.cube import Cube
from games.engine.match.permissions import refusal_of_double
from games.engine.match.scoring import next_is_crawford
from games.engine.match.state import MatchState, Phase
from games.engine.rules import Rules
from tests.games.engine.match_stories import BLACK, SIDES, WHITE, Story, act, board, in_play

# The loser's checkers at the end: with one off, with none off, with one left far behind.
LOSERS = {
    "single": {6: 7, 5: 7},
    "gammon": {6: 8, 5: 7},
    "backgammon": {6: 8, 5: 6, 20: 1},
}
WORTH = {"single": 1, "gammon": 2, "backgammon": 3}
VARIANTS = ("short", "long")
CUBES = [(1, None), (2, "winner"), (2, "loser"), (4, "winner"), (64, "loser")]


def last_checker(rules: Rules, winner, loser_board: dict[int, int], **given) -> MatchState:
    """Return a game whose winner has rolled and has one checker left, on point 1."""
    sides = {winner: {1: 1}, winner.other: loser_board}
    position = board(rules.variant, sides[WHITE], sides[BLACK])
    return in_play(rules, position, winner, (2, 1), **given)


def cube_of(value: int, owner: str | None, winner) -> Cube:
    return Cube(value, {None: None, "winner": winner, "loser": winner.other}[owner])


def counted(kind: str, *, mars: bool, koks: bool) -> int:
    """Return the points before the cube; without koks at most 2, without mars at most 1."""
    if not mars:
        return 1
    return 2 if kind == "backgammon" and not koks else WORTH[kind]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("winner", SIDES)
@pytest.mark.parametrize(("value", "owner"), CUBES)
@pytest.mark.parametrize("kind", LOSERS)
@pytest.mark.parametrize(("mars", "koks"), [(True, True), (True, False), (False, False)])
def test_bear_off_scores_its_kind_times_the_cube(variant, winner, value, owner, kind, mars, koks):
    rules = Rules.of(variant, length=None, mars=mars, koks=koks)
    state = last_checker(rules, winner, LOSERS[kind], cube=cube_of(value, owner, winner))
    ended = act(state, A.Play, winner, text="1/off")
    points = counted(kind, mars=mars, koks=koks) * value
    assert ended.score == ((points, 0) if winner is WHITE else (0, points))
    assert (ended.result.points, ended.result.winner, ended.result.cube) == (points, winner, value)
    assert ended.result.cause == "bear_off"
    assert WORTH[ended.result.kind] * value == points
    assert ended.phase is Phase.BETWEEN_GAMES


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("value", "owner"), CUBES)
@pytest.mark.parametrize("factor", [1, 2, 3])
@pytest.mark.parametrize(("mars", "koks"), [(True, True), (True, False), (False, False)])
def test_resignation_scores_its_factor_times_the_cube(variant, value, owner, factor, mars, koks):
    rules = Rules.of(variant, length=None, mars=mars, koks=koks)
    kind = {1: "single", 2: "gammon", 3: "backgammon"}[factor]
    story = Story(rules)
    story.begin()
    state = in_play(rules, story.state.position, WHITE, cube=cube_of(value, owner, BLACK))
    ended = act(act(state, A.Resign, WHITE, factor=factor), A.Accept, BLACK)
    points = counted(kind, mars=mars, koks=koks) * value
    assert ended.score == (0, points)
    assert (ended.result.winner, ended.result.cause) == (BLACK, "resign")


@pytest.mark.parametrize("kind", LOSERS)
@pytest.mark.parametrize("auto", [0, 1, 3])
def test_jacoby_counts_one_until_a_double_was_taken(kind, auto):
    rules = Rules.of("short", length=None, jacoby=True, auto_doubles=3)
    unturned = last_checker(rules, WHITE, LOSERS[kind], cube=Cube(2**auto, None, auto))
    assert act(unturned, A.Play, WHITE, text="1/off").score == (2**auto, 0)
    turned = last_checker(rules, WHITE, LOSERS[kind], cube=Cube(2 ** (auto + 1), BLACK, auto))
    points = WORTH[kind] * 2 ** (auto + 1)
    assert act(turned, A.Play, WHITE, text="1/off").score == (points, 0)


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_jacoby_counts_a_resignation_as_one_until_a_double_was_taken(factor):
    rules = Rules.of("short", length=None, jacoby=True)
    state = last_checker(rules, WHITE, LOSERS["single"])
    ended = act(act(state, A.Resign, WHITE, factor=factor), A.Accept, BLACK)
    assert ended.score == (0, 1)


@pytest.mark.parametrize("cause", ["resign_match", "flag", "leave", "claim"])
@pytest.mark.parametrize("loser", SIDES)
@pytest.mark.parametrize("score", [(0, 0), (4, 1), (1, 4)])
def test_flag_leave_claim_and_resign_match_decide_the_match_at_any_score(cause, loser, score):
    rules = Rules.of("short", length=5, delay_ms=10_000)
    story = Story(rules)
    story.begin(*((6, 1) if loser is WHITE else (1, 6)))
    state = in_play(rules, story.state.position, loser, first=loser, score=score)
    kind = {
        "resign_match": A.ResignMatch,
        "flag": A.Flag,
        "leave": A.Leave,
        "claim": A.Claim,
    }[cause]
    side = loser.other if cause == "claim" else loser
    ended = act(state, kind, side, at_ms=10_000_000)
    assert (ended.outcome.winner, ended.outcome.cause) == (loser.other, cause)
    assert (ended.phase, ended.score) == (Phase.FINISHED, score)
    assert (ended.result.points, ended.result.cause) == (0, cause)
    assert ended.clock.flag_at_ms() is None


@pytest.mark.parametrize("kind", [A.ResignMatch, A.Leave])
def test_losing_the_match_between_games_adds_no_game_result(kind):
    story = Story(Rules.of("short", length=5))
    story.begin()
    story.do(A.Resign, WHITE, factor=1)
    story.do(A.Accept, BLACK)
    result = story.state.result
    story.do(kind, BLACK)
    assert story.state.outcome.winner is WHITE
    assert story.state.result is result


@pytest.mark.parametrize("moment", ["seating", "in_play", "offered", "between"])
def test_a_void_match_has_no_winner_at_any_moment(moment):
    story = Story(Rules.of("short", length=5))
    if moment != "seating":
        story.begin()
        story.do(A.Resign, WHITE, factor=1)
        if moment != "offered":
            story.do(A.Accept if moment == "between" else A.Refuse, BLACK)
    score = story.state.score
    story.do(A.Void, cause="outage")
    assert (story.state.outcome.winner, story.state.outcome.cause) == (None, "void")
    assert (story.state.phase, story.state.offer) == (Phase.FINISHED, None)
    assert story.state.score == score
    assert story.folds()


_AFTER_THE_END = [
    kind(at_ms=10**6, side=WHITE, **given)
    for kind, given in [
        (A.Roll, {"d1": 1, "d2": 2}),
        (A.Play, {"text": "-"}),
        (A.Double, {}),
        (A.Take, {}),
        (A.Drop, {}),
        (A.Beaver, {}),
        (A.Resign, {"factor": 1}),
        (A.Accept, {}),
        (A.Refuse, {}),
        (A.ResignMatch, {}),
        (A.Flag, {}),
        (A.Leave, {}),
        (A.Claim, {}),
        (A.NextGame, {}),
        (A.Takeover, {}),
        (A.EntropyHash, {"hash": "00" * 32}),
        (A.Entropy, {"hex": "00"}),
    ]
] + [
    A.Commit(at_ms=10**6, hash="00" * 32),
    A.Start(at_ms=10**6, game=2),
    A.Opening(at_ms=10**6, white=1, black=2),
    A.Pause(at_ms=10**6),
    A.Resume(at_ms=10**6),
    A.Credit(at_ms=10**6, ms=1),
    A.Void(at_ms=10**6, cause="late"),
]


@pytest.mark.parametrize("action", _AFTER_THE_END, ids=lambda action: action.kind)
def test_only_the_secret_may_follow_the_end(action):
    story = Story(Rules.of("short", length=5))
    story.begin()
    story.do(A.ResignMatch, WHITE)
    with pytest.raises(IllegalAction) as caught:
        apply(story.state, action)
    assert caught.value.reason is Reason.GAME_OVER


@pytest.mark.parametrize(
    ("score", "points", "over"),
    [((0, 0), 1, False), ((3, 4), 1, False), ((4, 4), 1, True), ((4, 0), 1, True)],
)
def test_the_match_is_over_when_a_side_reaches_its_length(score, points, over):
    rules = Rules.of("long", length=5)
    state = last_checker(rules, WHITE, LOSERS["single"], score=score)
    ended = act(state, A.Play, WHITE, text="1/off")
    assert ended.score == (score[0] + points, score[1])
    assert (ended.phase is Phase.FINISHED) is over
    if over:
        assert (ended.outcome.winner, ended.outcome.cause) == (WHITE, "points")


def test_a_money_session_goes_on_at_any_score():
    state = last_checker(Rules.of("short", length=None), WHITE, LOSERS["backgammon"])
    ended = act(state, A.Play, WHITE, text="1/off")
    assert (ended.phase, ended.outcome) == (Phase.BETWEEN_GAMES, None)


def crawford_games(length: int, winners: str, *, crawford: bool = True) -> list[bool]:
    """Play one-point games won by `winners` ("w", "b"); return for each whether it is Crawford."""
    story = Story(Rules.of("short", length=length, cube=True, crawford=crawford))
    seen = []
    for winner in winners:
        story.begin(*((1, 2) if winner == "w" else (2, 1)))
        seen.append(story.state.crawford)
        loser = story.state.turn
        story.do(A.Resign, loser, factor=1)
        story.do(A.Accept, loser.other)
    assert story.folds()
    return seen


@pytest.mark.parametrize(
    ("length", "winners", "games"),
    [
        (2, "wb", [False, True]),
        (3, "wwbb", [False, False, True, False]),
        (3, "wbwb", [False, False, False, True]),
        (5, "wwwwbbb", [False] * 4 + [True, False, False]),
        (5, "wwwbbbwb", [False] * 7 + [True]),
    ],
)
def test_the_first_game_at_one_point_away_is_crawford(length, winners, games):
    assert crawford_games(length, winners) == games


def test_no_game_is_crawford_without_the_rule():
    assert not any(crawford_games(5, "wwwwbbbb", crawford=False))


def test_double_is_refused_only_in_the_crawford_game():
    story = Story(Rules.of("short", length=3))
    refusals = []
    for winner in (WHITE, WHITE, BLACK, WHITE):
        story.begin(*((2, 1) if winner is WHITE else (1, 2)))
        story.turn()
        refusals.append(refusal_of_double(story.state, winner.other))
        story.do(A.Resign, winner.other, factor=1)
        story.do(A.Accept, winner)
    assert refusals == [None, None, Reason.CUBE_CRAWFORD, None]
    assert story.state.outcome.winner is WHITE


@pytest.mark.parametrize(
    ("length", "score"),
    list(itertools.product([2, 3, 5, 25], [(0, 0), (1, 0), (1, 1)])),
)
def test_next_game_is_crawford_once_a_side_first_needs_one_point(length, score):
    rules = Rules.of("short", length=length, cube=True)
    state = in_play(rules, Story(rules).state.position, WHITE, score=score, crawford_done=False)
    assert next_is_crawford(state) is (length - 1 in score)
