"""The clock: a delay for every turn, then a reserve; times are in milliseconds."""

import random

import pytest

from games.engine.errors import IllegalAction, InvalidAction, Reason
from games.engine.match import actions as A
from games.engine.match.apply import apply
from games.engine.match.clock import Clock
from games.engine.match.permissions import may_pause, on_turn
from games.engine.match.public_view import public_view
from games.engine.match.snapshot import dumps, loads
from games.engine.match.state import Phase, new_match
from games.engine.rules import Rules, reserve_limit_ms
from games.engine.sides import Pair
from tests.games.engine.match_stories import BLACK, WHITE, Story, random_story

RULES = Rules.of("short", length=5, delay_ms=10_000, reserve_ms=60_000)


def begun(rules: Rules = RULES) -> Story:
    """Return a match in which White is on turn with 3-1, from 1000 ms on."""
    story = Story(rules)
    story.do(A.Start, game=1, at_ms=500)
    story.do(A.Opening, white=3, black=1, at_ms=1000)
    return story


def reserves(story: Story) -> tuple[int, int]:
    clock = story.state.clock
    return clock.remaining(WHITE, story.at_ms), clock.remaining(BLACK, story.at_ms)


def test_no_clock_runs_before_the_opening_is_decided():
    story = Story(RULES)
    assert story.state.clock.flag_at_ms() is None
    story.do(A.Start, game=1, at_ms=50_000)
    story.do(A.Opening, white=2, black=2, at_ms=900_000)
    assert story.state.clock.flag_at_ms() is None
    story.do(A.Opening, white=2, black=5, at_ms=990_000)
    assert story.state.clock.running is BLACK
    assert story.state.clock.flag_at_ms() == 990_000 + 10_000 + 60_000


def test_a_turn_within_its_delay_costs_nothing():
    story = begun()
    story.do(A.Play, WHITE, text="8/5 6/5", at_ms=11_000)
    assert reserves(story) == (60_000, 60_000)


def test_time_beyond_the_delay_is_taken_from_the_reserve():
    story = begun()
    story.do(A.Play, WHITE, text="8/5 6/5", at_ms=14_000)
    assert reserves(story) == (57_000, 60_000)
    assert story.state.clock.running is BLACK


def test_roll_and_play_share_one_delay():
    story = begun()
    story.do(A.Play, WHITE, text="8/5 6/5", at_ms=2_000)
    story.do(A.Roll, BLACK, d1=3, d2=1, at_ms=10_000)
    story.do(A.Play, BLACK, text="8/5 6/5", at_ms=14_000)
    assert reserves(story) == (60_000, 58_000)


def test_the_reserve_lasts_for_the_whole_match_and_stands_still_between_games():
    story = begun()
    story.do(A.Play, WHITE, text="8/5 6/5", at_ms=21_000)
    story.do(A.Double, BLACK, at_ms=22_000)
    story.do(A.Drop, WHITE, at_ms=23_000)
    assert story.state.phase is Phase.BETWEEN_GAMES
    assert story.state.clock.flag_at_ms() is None
    story.do(A.Start, game=2, at_ms=80_000)
    story.do(A.Opening, white=1, black=2, at_ms=80_000)
    assert reserves(story) == (50_000, 60_000)


# Length, score after a game, greatest reserve of a side in minutes and seconds.
LIMITS = [
    (3, (1, 0), "2:30"),
    (3, (1, 1), "2:00"),
    (3, (2, 2), "2:00"),
    (5, (0, 0), "5:00"),
    (5, (1, 0), "4:30"),
    (5, (0, 1), "4:30"),
    (5, (2, 1), "3:30"),
    (5, (4, 2), "2:00"),
    (5, (4, 4), "2:00"),
    (5, (6, 0), "2:30"),
    (7, (2, 0), "6:00"),
    (7, (3, 3), "4:00"),
    (11, (0, 10), "6:00"),
    (25, (24, 0), "13:00"),
    (25, (12, 13), "12:30"),
]


@pytest.mark.parametrize(("length", "score", "limit"), LIMITS)
def test_limit_of_a_shrinking_reserve_falls_with_each_point_to_two_minutes(length, score, limit):
    minutes, seconds = map(int, limit.split(":"))
    shrinking = Rules.of("long", length=length, delay_ms=10_000, reserve_shrinks=True)
    assert reserve_limit_ms(shrinking, score) == (60 * minutes + seconds) * 1000
    assert reserve_limit_ms(Rules.of("long", length=length, delay_ms=10_000), score) is None


def test_a_reserve_above_the_limit_shrinks_to_it_and_one_below_stays():
    story = begun(Rules.of("short", length=5, delay_ms=10_000, reserve_shrinks=True))
    story.do(A.Play, WHITE, text="8/5 6/5", at_ms=1_000 + 10_000 + 45_000)
    assert reserves(story) == (255_000, 300_000)
    story.do(A.Double, BLACK)
    story.do(A.Drop, WHITE)  # 0-1: at most 4:30
    assert reserves(story) == (255_000, 270_000)
    assert loads(dumps(story.state)) == story.state
    story.begin()
    story.do(A.Resign, WHITE, factor=2)
    story.do(A.Accept, BLACK)  # 0-3: at most 3:30
    assert reserves(story) == (210_000, 210_000)
    assert story.folds()


def test_the_end_of_the_match_leaves_the_clocks_as_they_are():
    story = begun(Rules.of("short", length=3, delay_ms=10_000, reserve_shrinks=True))
    story.do(A.Resign, WHITE, factor=3)
    story.do(A.Accept, BLACK)
    assert story.state.phase is Phase.FINISHED
    assert reserves(story) == (180_000, 180_000)


@pytest.mark.parametrize("variant", ["short", "long"])
@pytest.mark.parametrize("seed", range(5))
def test_match_with_a_shrinking_reserve_folds_and_stays_within_its_limit(variant, seed):
    rules = Rules.of(variant, length=5, delay_ms=0, reserve_shrinks=True)
    story = random_story(rules, random.Random(seed))
    assert story.folds()
    state = new_match(rules)
    for action in story.log:
        before, state = state.clock.reserve_ms, apply(state, action)
        after = state.clock.reserve_ms
        assert all(rest <= most for rest, most in zip(after, before, strict=True))
        if state.phase is not Phase.FINISHED:
            assert max(after) <= reserve_limit_ms(rules, state.score)
        assert loads(dumps(state)) == state


def test_answer_to_a_double_takes_time_of_the_answering_side_only():
    story = begun()
    story.do(A.Play, WHITE, text="8/5 6/5", at_ms=2_000)
    story.do(A.Double, BLACK, at_ms=8_000)  # 4 s of the delay are left
    assert on_turn(story.state) is WHITE
    story.do(A.Take, WHITE, at_ms=30_000)  # 22 s, of which 10 are free
    assert reserves(story) == (48_000, 60_000)
    clock = story.state.clock
    assert (clock.running, clock.delay_left(BLACK, 30_000)) == (BLACK, 4_000)
    story.do(A.Roll, BLACK, d1=3, d2=1, at_ms=36_000)
    assert reserves(story) == (48_000, 58_000)


def test_answer_to_a_resignation_takes_time_of_the_answering_side():
    story = begun()
    story.do(A.Resign, WHITE, factor=1, at_ms=2_000)
    assert story.state.clock.running is BLACK
    story.do(A.Refuse, BLACK, at_ms=15_000)
    assert reserves(story) == (60_000, 57_000)
    assert story.state.clock.delay_left(WHITE, 15_000) == 9_000


def test_play_is_accepted_until_the_last_millisecond():
    story = begun()
    assert story.state.clock.flag_at_ms() == 71_000
    late = A.Play(at_ms=71_000, side=WHITE, text="8/5 6/5")
    with pytest.raises(IllegalAction) as caught:
        apply(story.state, late)
    assert caught.value.reason is Reason.OUT_OF_TIME
    story.do(A.Play, WHITE, text="8/5 6/5", at_ms=70_999)
    assert reserves(story) == (1, 60_000)


def test_grace_admits_a_play_that_was_sent_in_time():
    story = begun()
    story.do(A.Play, WHITE, text="8/5 6/5", at_ms=71_200, grace_ms=300)
    assert reserves(story) == (100, 60_000)


def test_grace_never_exceeds_the_elapsed_time():
    story = begun()
    story.do(A.Play, WHITE, text="8/5 6/5", at_ms=1_010, grace_ms=900)
    story.do(A.Roll, BLACK, d1=3, d2=1, at_ms=1_020, grace_ms=900)
    assert story.state.clock.delay_left(BLACK, 1_020) == 10_000


def test_flag_is_refused_while_time_is_left():
    story = begun()
    for early in (
        A.Flag(at_ms=70_999, side=WHITE),
        A.Flag(at_ms=71_000, side=BLACK),
    ):
        with pytest.raises(IllegalAction) as caught:
            apply(story.state, early)
        assert caught.value.reason is Reason.WRONG_PHASE
    story.do(A.Flag, WHITE, at_ms=71_000)
    assert story.state.outcome.winner is BLACK
    assert story.state.outcome.cause == "flag"
    assert reserves(story) == (0, 60_000)
    assert story.folds()


def test_match_without_a_time_limit_has_no_flag_and_no_pause():
    story = begun(Rules.of("short", length=5))
    assert story.state.clock is None
    for action in (
        A.Flag(at_ms=10**9, side=WHITE),
        A.Pause(at_ms=10**9),
        A.Resume(at_ms=10**9),
    ):
        with pytest.raises(IllegalAction):
            apply(story.state, action)
    story.do(A.Credit, ms=5)
    assert public_view(story.state, 10**9)["clock"] is None


def test_a_pause_stops_the_clock_and_the_game():
    story = begun()
    story.do(A.Pause, at_ms=14_000)
    assert on_turn(story.state) is None
    assert story.state.clock.flag_at_ms() is None
    for kind, given in ((A.Play, {"text": "8/5 6/5"}), (A.Resign, {"factor": 1})):
        with pytest.raises(IllegalAction) as caught:
            apply(story.state, kind(at_ms=15_000, side=WHITE, **given))
        assert caught.value.reason is Reason.WRONG_PHASE
    story.do(A.Resume, at_ms=10_000_000)
    assert on_turn(story.state) is WHITE
    story.do(A.Play, WHITE, text="8/5 6/5", at_ms=10_001_000)
    assert reserves(story) == (56_000, 60_000)
    assert story.folds()


def test_pause_can_give_back_the_time_of_an_outage():
    story = begun()
    story.do(A.Pause, credit_ms=40_000, at_ms=55_000)  # 54 s have passed, 40 of them in an outage
    assert reserves(story) == (56_000, 60_000)
    assert story.state.clock.delay_left(WHITE, 55_000) == 0


def test_pause_never_gives_back_more_than_the_elapsed_time():
    story = begun()
    story.do(A.Pause, credit_ms=10**9, at_ms=55_000)
    assert reserves(story) == (60_000, 60_000)
    assert story.state.clock.delay_left(WHITE, 55_000) == 10_000


def test_the_next_game_cannot_start_during_a_pause():
    story = begun()
    story.do(A.Resign, WHITE, factor=1)
    story.do(A.Accept, BLACK)
    story.do(A.Pause)
    with pytest.raises(IllegalAction):
        apply(story.state, A.Start(at_ms=story.at_ms, game=2))
    story.do(A.Resume)
    story.begin()
    assert story.state.clock.running is WHITE


@pytest.mark.parametrize("twice", [A.Pause, A.Resume])
def test_pause_and_resume_must_alternate(twice):
    story = begun()
    story.do(A.Pause)
    if twice is A.Resume:
        story.do(A.Resume)
    with pytest.raises(IllegalAction) as caught:
        apply(story.state, twice(at_ms=story.at_ms))
    assert caught.value.reason is Reason.WRONG_PHASE


def test_pause_is_refused_before_the_start_and_after_the_end():
    story = Story(RULES)
    assert not may_pause(story.state)
    story.begin()
    assert may_pause(story.state)
    story.do(A.ResignMatch, WHITE)
    assert not may_pause(story.state)


def test_time_credit_goes_to_the_running_side():
    story = begun()
    story.do(A.Credit, ms=50_000, at_ms=45_000)
    assert story.state.clock.flag_at_ms() == 71_000 + 50_000
    assert reserves(story) == (60_000, 60_000)
    story.do(A.Play, WHITE, text="8/5 6/5", at_ms=62_000)  # 61 - 50 s is 1 s over the delay
    assert reserves(story) == (59_000, 60_000)


def test_unused_time_credit_is_lost_with_the_turn():
    story = begun()
    story.do(A.Credit, ms=50_000, at_ms=2_000)
    story.do(A.Play, WHITE, text="8/5 6/5", at_ms=3_000)
    assert story.state.clock == Clock(
        delay_ms=10_000,
        reserve_ms=Pair(60_000, 60_000),
        spare_ms=Pair(story.state.clock.spare_ms.white, 10_000),
        running=BLACK,
        since_ms=3_000,
    )
    story.turn()
    story.do(A.Roll, WHITE, d1=2, d2=1)
    assert story.state.clock.delay_left(WHITE, story.at_ms) <= 10_000


def test_time_never_goes_backwards_in_a_match():
    story = begun()
    with pytest.raises(InvalidAction) as caught:
        apply(story.state, A.Play(at_ms=999, side=WHITE, text="8/5 6/5"))
    assert caught.value.code == "time_backwards"
    assert apply(story.state, A.Play(at_ms=1_000, side=WHITE, text="8/5 6/5"))


def test_the_view_computes_the_clock_for_the_given_time():
    story = begun()
    assert public_view(story.state, 5_000)["clock"] == {
        "delay_ms": 10_000,
        "reserve_ms": {"white": 60_000, "black": 60_000},
        "running": "white",
        "delay_left_ms": 6_000,
        "paused": False,
    }
    assert public_view(story.state, 500_000)["clock"]["reserve_ms"]["white"] == 0


def test_a_side_whose_clock_does_not_run_cannot_be_out_of_time():
    story = begun()
    with pytest.raises(IllegalAction) as caught:
        apply(story.state, A.Roll(at_ms=80_000, side=BLACK, d1=1, d2=2))
    assert caught.value.reason is Reason.WRONG_PHASE


def test_the_match_can_still_be_resigned_after_the_time_is_over():
    story = begun()
    story.do(A.ResignMatch, WHITE, at_ms=99_000)
    assert story.state.outcome.cause == "resign_match"
