"""Scenario 6: points and credits of every ending."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import product

import pytest

from games.engine.errors import IllegalAction, Reason
from games.engine.match import actions as A
from games.engine.match.cube import Cube
from games.engine.match.permissions import may_double, on_turn
from games.engine.match.state import MatchCause, MatchState, Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.services import heartbeat
from games.services.deadlines import settle_due
from tests.games.engine.match_stories import SIDES, Story, act, board, in_play
from tests.games.engine.test_match_endings import LOSERS, last_checker
from tests.games.factories import StakeSitting, deal_a_draw
from tests.wallet.factories import player, total_of

LENGTH = 7
# Points of a win, by its kind and the switches `mars` and `koks`, before the cube multiplies them.
WORTH = {
    ("single", "neither"): 1, ("single", "mars"): 1, ("single", "koks"): 1,
    ("gammon", "neither"): 1, ("gammon", "mars"): 2, ("gammon", "koks"): 2,
    ("backgammon", "neither"): 1, ("backgammon", "mars"): 2, ("backgammon", "koks"): 3,
}  # fmt: skip
SWITCHES = {
    "neither": {"mars": False, "koks": False},
    "mars": {"mars": True, "koks": False},
    "koks": {"mars": True, "koks": True},
}
KINDS = ("single", "gammon", "backgammon")
# (winner's score, loser's score) before the game, is_crawford, crawford_done.
CRAWFORD = {
    "off": ((0, 6), False, False),
    "before it": ((0, 0), False, False),
    "its game": ((0, 6), True, True),
    "after it": ((1, 6), False, True),
}
FACTORS = {1: "single", 2: "gammon", 3: "backgammon"}


class Case:
    """One combination of the matrix, with states in which the game is about to end."""

    def __init__(self, variant: str, winner: Side, cube: int, switches: str, crawford: str) -> None:
        scores, self.is_crawford, done = CRAWFORD[crawford]
        self.winner, self.cube, self.switches = winner, cube, switches
        self.before = scores if winner is Side.WHITE else scores[::-1]
        self.rules = Rules.of(
            variant,
            length=LENGTH,
            cube=True,
            crawford=crawford != "off",
            delay_ms=10_000,
            parity=False,
            **SWITCHES[switches],
        )
        owner = None if cube == 1 else winner
        self.given = {
            "cube": Cube(cube, owner),
            "score": self.before,
            "crawford": self.is_crawford,
            "crawford_done": done,
        }

    def waiting(self, turn: Side) -> MatchState:
        """Return the start position with this side about to roll."""
        start = Story(self.rules).state.position
        return in_play(self.rules, start, turn, first=turn, **self.given)

    def one_checker_left(self, kind: str, **more) -> MatchState:
        return last_checker(self.rules, self.winner, LOSERS[kind], **self.given, **more)

    def check_end(self, state: MatchState, points: int) -> None:
        """Assert that the winner gained these points, and at seven points won the match."""
        mine, other = self.before if self.winner is Side.WHITE else self.before[::-1]
        score = (mine + points, other)
        assert state.score == (score if self.winner is Side.WHITE else score[::-1])
        assert (state.result.winner, state.result.points) == (self.winner, points)
        is_over = mine + points >= LENGTH
        assert state.phase is (Phase.FINISHED if is_over else Phase.BETWEEN_GAMES)
        assert (state.outcome is not None) is is_over
        if is_over:
            assert (state.outcome.winner, state.outcome.cause) == (self.winner, MatchCause.POINTS)


def cells() -> Iterator[Case]:
    variants, cubes = ("short", "long"), (1, 2, 4)
    for variant, winner, cube, switches, crawford in product(
        variants, SIDES, cubes, SWITCHES, CRAWFORD
    ):
        if cube == 1 or crawford != "its game":  # the Crawford game has no cube: see `drop`
            yield Case(variant, winner, cube, switches, crawford)


def bear_off(case: Case) -> None:
    for kind in KINDS:
        state = act(case.one_checker_left(kind), A.Play, case.winner, text="1/off")
        case.check_end(state, WORTH[kind, case.switches] * case.cube)


def resign(case: Case) -> None:
    for factor, kind in FACTORS.items():
        offered = act(case.waiting(case.winner.other), A.Resign, case.winner.other, factor=factor)
        refused = act(offered, A.Refuse, case.winner)
        assert (refused.score, refused.outcome) == (case.before, None)
        case.check_end(act(offered, A.Accept, case.winner), WORTH[kind, case.switches] * case.cube)


def drop(case: Case) -> None:
    """Let the other side drop: the winner gets the old cube value; mars and koks do not count."""
    state = case.waiting(case.winner)
    if case.is_crawford:
        with pytest.raises(IllegalAction) as caught:
            act(state, A.Double, case.winner)
        assert caught.value.reason is Reason.CUBE_CRAWFORD
        return
    offered = act(state, A.Double, case.winner)
    taken = act(offered, A.Take, case.winner.other)
    assert (taken.cube.value, taken.cube.owner) == (2 * case.cube, case.winner.other)
    case.check_end(act(offered, A.Drop, case.winner.other), case.cube)


def lose_the_match(case: Case) -> None:
    """Lose the match by flag, leave, claim and resign_match; the score does not change."""
    causes = {A.Flag: "flag", A.Leave: "leave", A.Claim: "claim", A.ResignMatch: "resign_match"}
    for action, cause in causes.items():
        loser = case.winner.other
        side = case.winner if action is A.Claim else loser
        state = act(case.waiting(loser), action, side, at_ms=10**7)
        assert (state.outcome.winner, state.outcome.cause) == (case.winner, cause)
        assert (state.score, state.result.points) == (case.before, 0)


def void(case: Case) -> None:
    state = act(case.waiting(case.winner), A.Void, cause="outage")
    assert (state.outcome.winner, state.outcome.cause) == (None, MatchCause.VOID)
    assert (state.score, state.phase) == (case.before, Phase.FINISHED)


def parity(case: Case) -> None:
    """Draw by parity: both sides get a point, and the cube does not count."""
    rules = Rules.from_dict({**case.rules.to_dict(), "parity": True})
    sides = {case.winner: {1: 1}, case.winner.other: {1: 2}}
    position = board(rules.variant, sides[Side.WHITE], sides[Side.BLACK])
    state = in_play(rules, position, case.winner, (2, 1), first=case.winner, **case.given)
    state = act(state, A.Play, case.winner, text="1/off")
    state = act(state, A.Roll, case.winner.other, d1=6, d2=5)
    state = act(state, A.Play, case.winner.other, text="1/off 1/off")
    assert (state.result.winner, state.result.points, state.result.cube) == (None, 1, 1)
    assert state.score == (case.before[0] + 1, case.before[1] + 1)
    is_over = max(case.before) + 1 >= LENGTH
    assert (state.outcome is not None) is is_over


@pytest.mark.parametrize("path", [bear_off, resign, drop, lose_the_match, void, parity])
def test_06_every_ending_gives_the_right_points_for_each_cube_mars_and_crawford_state(
    path: Callable[[Case], None],
) -> None:
    cases = list(cells())
    assert len(cases) == 2 * 2 * 3 * (3 * 3 + 1)
    for case in cases:
        path(case)


# --- the same paths from the announcement to the ledger -------------------------------------------


def doubled(sitting: StakeSitting, answer: str) -> Side:
    """Play on until a side may double, double and answer; return the side that doubled."""
    while not may_double(sitting.state, on_turn(sitting.state)):
        sitting.act_simply()
    side = on_turn(sitting.state)
    sitting.do("double", side=side)
    sitting.do(answer, side=side.other)
    return side


def resign_on_a_taken_cube(sitting: StakeSitting) -> Side:
    """Resign a game with a taken cube: its two points decide a match to two."""
    winner = doubled(sitting, "take").other
    sitting.do("resign", side=winner.other, factor=1)
    sitting.do("accept", side=winner)
    return winner


def resign_a_mars(sitting: StakeSitting) -> Side:
    side = on_turn(sitting.state)
    sitting.do("resign", side=side, factor=2)
    sitting.do("accept", side=side.other)
    return side.other


def drop_and_lose_on_time_in_the_crawford_game(sitting: StakeSitting) -> Side:
    """Let a side win a point by a drop, then lose on time; its opponent wins the match."""
    leader = doubled(sitting, "drop")
    for side in Side:
        sitting.do("next", side=side)
    assert sitting.state.crawford
    while on_turn(sitting.state) is not leader:
        sitting.act_simply()
    flag_at_ms = sitting.state.clock.flag_at_ms()
    sitting.now = sitting.match.created_at + timedelta(milliseconds=flag_at_ms)
    settle_due(sitting.now)
    return leader.other


def drop_and_leave(sitting: StakeSitting) -> Side:
    loser = doubled(sitting, "drop").other
    sitting.do("leave", side=loser)
    return loser.other


def drop_and_claim(sitting: StakeSitting) -> Side:
    winner = doubled(sitting, "drop").other
    sitting.go(winner.other)
    sitting.pass_time(90_000)
    sitting.do("claim", side=winner)
    return winner


def void_by_outage_on_a_taken_cube(sitting: StakeSitting) -> None:
    doubled(sitting, "take")
    heartbeat.beat(sitting.now)
    sitting.now += timedelta(minutes=5, seconds=1)
    heartbeat.beat(sitting.now)


def draw_by_parity(sitting: StakeSitting) -> None:
    sitting.play_until(Phase.FINISHED)


TO_TWO = {"length": 2, "rules": {"cube": True}}
# (path, terms of the match, cause of its end, (points of the winner, points of the loser)).
ENDINGS = [
    (resign_on_a_taken_cube, TO_TWO, "points", (2, 0)),
    (resign_a_mars, {"length": 2}, "points", (2, 0)),
    (drop_and_lose_on_time_in_the_crawford_game, TO_TWO, "flag", (0, 1)),
    (drop_and_leave, TO_TWO, "leave", (1, 0)),
    (drop_and_claim, TO_TWO, "claim", (0, 1)),
    (void_by_outage_on_a_taken_cube, TO_TWO, "void", (0, 0)),
    (draw_by_parity, {"length": 1, "rules": {"parity": True}}, "draw", (1, 1)),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "terms", "cause", "points"), ENDINGS)
def test_06_credits_depend_on_the_winner_and_not_on_the_points(
    path: Callable[[StakeSitting], Side | None], terms, cause, points, monkeypatch
) -> None:
    if path is draw_by_parity:
        deal_a_draw(monkeypatch)
    sitting = (
        StakeSitting(player("white5"), player("black5"), stake=105, **terms).sit().start_game()
    )
    winner = path(sitting)
    state = sitting.state
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.cause) == (winner, cause)
    assert state.score == (points if winner in (None, Side.WHITE) else points[::-1])
    expected = dict.fromkeys(Side, 1000)
    if winner is not None:
        expected = {winner: 1000 + 105 - 10, winner.other: 1000 - 105}
    assert {side: total_of(user) for side, user in sitting.users.items()} == expected
