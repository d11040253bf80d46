"""Every ending of a match for credits, with its effect on log, credits and rating."""

from datetime import timedelta
from decimal import Decimal

import pytest

from accounts.models import User
from accounts.shared.refusals import Refused
from games.engine.match.permissions import on_turn
from games.engine.match.state import MatchCause, Phase
from games.engine.sides import Side
from games.models import Heartbeat
from games.services import heartbeat, seats
from games.services.deadlines import settle_due
from stats.models import RatedMatch, Rating, RatingChange
from stats.rating import Standing, change
from stats.services import rating
from tests.games.factories import StakeSitting, assert_log_folds, deal_a_draw
from tests.wallet.factories import total_of

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def begun(white: User, black: User, **fields) -> StakeSitting:
    return StakeSitting(white, black, **fields).sit().start_game().both_move()


def assert_ended(
    sitting: StakeSitting, cause: MatchCause, white: int, black: int, *, rated: bool
) -> None:
    """Assert the outcome, both players' credits, and whether the match is rated."""
    sitting.match.refresh_from_db()
    assert sitting.match.outcome == cause
    assert total_of(sitting.users[Side.WHITE]) == white
    assert total_of(sitting.users[Side.BLACK]) == black
    assert_log_folds(sitting.match)
    rating.rate_waiting(sitting.now)
    assert RatedMatch.objects.filter(match=sitting.match, place__isnull=False).exists() is rated
    assert RatingChange.objects.count() == (2 if rated else 0)
    assert not sitting.match.seats.filter(is_live_stake=True).exists()


def test_winner_on_points_gets_both_stakes_less_the_rake(white, black):
    sitting = begun(white, black, stake=100).play_until(Phase.FINISHED)
    winner = sitting.state.outcome.winner
    credits = (1090, 900) if winner is Side.WHITE else (900, 1090)
    assert_ended(sitting, MatchCause.POINTS, *credits, rated=True)


def test_rake_is_rounded_down(white, black):
    sitting = begun(white, black, stake=19)
    sitting.do("resign_match", side=Side.BLACK)
    assert_ended(sitting, MatchCause.RESIGN_MATCH, 1018, 981, rated=True)


def test_an_accepted_resignation_ends_a_match_of_one_point(white, black):
    sitting = begun(white, black, length=1)
    side = on_turn(sitting.state)
    factor = sitting.may(side)["resign"][-1]
    sitting.do("resign", side=side, factor=factor)
    sitting.do("accept", side=side.other)
    credits = (900, 1090) if side is Side.WHITE else (1090, 900)
    assert_ended(sitting, MatchCause.POINTS, *credits, rated=True)


def test_a_game_goes_on_after_a_refused_resignation(white, black):
    sitting = begun(white, black)
    side = on_turn(sitting.state)
    sitting.do("resign", side=side, factor=sitting.may(side)["resign"][0])
    sitting.do("refuse", side=side.other)
    assert sitting.state.outcome is None
    assert total_of(white) == total_of(black) == 900


def test_player_whose_flag_falls_loses_a_rated_match(white, black):
    sitting = begun(white, black)
    side = on_turn(sitting.state)
    sitting.now = sitting.match.created_at + timedelta(
        milliseconds=sitting.state.clock.flag_at_ms()
    )
    settle_due(sitting.now)
    credits = (900, 1090) if side is Side.WHITE else (1090, 900)
    assert_ended(sitting, MatchCause.FLAG, *credits, rated=True)


def test_player_who_leaves_by_the_button_loses_the_match(white, black):
    sitting = begun(white, black)
    sitting.do("leave", side=Side.WHITE)
    assert_ended(sitting, MatchCause.LEAVE, 900, 1090, rated=True)


def test_reconnecting_between_games_does_not_delay_the_next_game(white, black):
    sitting = begun(white, black, length=5).play_until(Phase.BETWEEN_GAMES)
    for _ in range(4):
        sitting.pass_time(4_999)
        sitting.go(Side.WHITE)
        sitting.sit(Side.WHITE)
    sitting.do("next", side=Side.BLACK)
    settle_due(sitting.now)
    assert sitting.state.phase is Phase.BETWEEN_GAMES
    sitting.pass_time(4)
    settle_due(sitting.now)
    assert sitting.state.game == 2
    assert_log_folds(sitting.match)


def test_win_can_be_claimed_only_after_the_absence_budget_is_spent(white, black):
    sitting = begun(white, black)
    sitting.go(Side.BLACK)
    sitting.pass_time(89_999)
    with pytest.raises(Refused, match="not_absent"):
        sitting.do("claim", side=Side.WHITE)
    sitting.pass_time(1)
    sitting.do("claim", side=Side.WHITE)
    assert_ended(sitting, MatchCause.CLAIM, 1090, 900, rated=True)


def test_win_cannot_be_claimed_after_the_absence_has_ended(white, black):
    sitting = begun(white, black)
    sitting.go(Side.BLACK)
    sitting.pass_time(90_000)
    sitting.sit(Side.BLACK)
    with pytest.raises(Refused, match="not_absent"):
        sitting.do("claim", side=Side.WHITE)


def test_a_win_is_never_claimed_automatically(white, black):
    sitting = begun(white, black, length=25)
    sitting.go(Side.BLACK)
    sitting.pass_time(95_000)
    settle_due(sitting.now)
    assert sitting.state.outcome is None


def test_side_to_act_loses_on_time_when_both_are_absent(white, black):
    sitting = begun(white, black)
    side = on_turn(sitting.state)
    for each in Side:
        sitting.go(each)
    sitting.now += timedelta(hours=1)
    for _ in range(3):
        settle_due(sitting.now)
    credits = (900, 1090) if side is Side.WHITE else (1090, 900)
    assert_ended(sitting, MatchCause.FLAG, *credits, rated=True)


@pytest.mark.parametrize("came", [(), (Side.WHITE,), (Side.WHITE, Side.BLACK)])
def test_a_match_that_did_not_start_in_30_seconds_is_void(white, black, came):
    sitting = StakeSitting(white, black)
    if came:
        sitting.sit(*came)
        sitting.do("entropy_hash", side=Side.WHITE, hash="0" * 64)
    sitting.pass_time(29_999)
    settle_due(sitting.now)
    assert sitting.state.outcome is None
    sitting.pass_time(1)
    settle_due(sitting.now)
    assert_ended(sitting, MatchCause.VOID, 1000, 1000, rated=False)


def test_drawn_match_returns_both_stakes_and_counts_as_half_a_win(white, black, monkeypatch):
    deal_a_draw(monkeypatch)
    Rating.objects.create(user=white, variant="short", rating=1700)
    sitting = begun(white, black, rules={"parity": True}).play_until(Phase.FINISHED)
    assert_ended(sitting, MatchCause.DRAW, 1000, 1000, rated=True)
    stronger, weaker = Standing(Decimal(1700)), Standing(Decimal(1500))
    half = change(stronger, weaker, length=1, result=0.5, weight=1)
    assert half < 0
    changes = RatingChange.objects.values_list("user_id", "change")
    assert dict(changes) == {white.pk: half, black.pk: -half}


def test_an_outage_of_more_than_five_minutes_voids_the_match(white, black):
    sitting = begun(white, black)
    heartbeat.beat(sitting.now)
    sitting.now += timedelta(minutes=5, seconds=1)
    heartbeat.beat(sitting.now)
    assert_ended(sitting, MatchCause.VOID, 1000, 1000, rated=False)


def test_time_of_a_short_outage_plus_20_seconds_is_given_back(white, black):
    sitting = begun(white, black)
    heartbeat.beat(sitting.now)
    before = sitting.state.clock.flag_at_ms()
    sitting.now += timedelta(minutes=4)
    heartbeat.beat(sitting.now)
    assert sitting.state.outcome is None
    assert sitting.state.clock.flag_at_ms() == before + 4 * 60_000 + 20_000
    assert_log_folds(sitting.match)


def test_absence_during_an_outage_does_not_count_for_a_claim(white, black):
    sitting = begun(white, black)
    away = on_turn(sitting.state)
    sitting.go(away)
    heartbeat.beat(sitting.now)
    sitting.pass_time(91_000)
    with pytest.raises(Refused, match="not_absent"):
        sitting.do("claim", side=away.other)
    heartbeat.beat(sitting.now)
    with pytest.raises(Refused, match="not_absent"):
        sitting.do("claim", side=away.other)
    sitting.pass_time(91_000 + 20_000)
    Heartbeat.objects.filter(name=heartbeat.WEB).update(beat_at=sitting.now)
    sitting.do("claim", side=away.other)
    assert sitting.state.outcome.cause == "claim"


def test_outage_restarts_the_time_in_which_players_must_start(white, black):
    sitting = StakeSitting(white, black)
    heartbeat.beat(sitting.now)
    # The first 40 seconds are an outage, which the next heartbeat ends.
    for seconds, outcome in [(40, ""), (29, ""), (1, "void")]:
        sitting.pass_time(1000 * seconds)
        if seconds == 40:
            heartbeat.beat(sitting.now)
        Heartbeat.objects.filter(name=heartbeat.WEB).update(beat_at=sitting.now)
        settle_due(sitting.now)
        sitting.match.refresh_from_db()
        assert sitting.match.outcome == outcome


def test_player_with_a_silent_connection_is_absent(white, black):
    sitting = begun(white, black)
    start = sitting.now
    heartbeat.beat(start)
    seat = sitting.match.seats.get(side="black")
    seats.mark_seen([sitting.match.seats.get(side="white").holder], start + timedelta(seconds=15))
    Heartbeat.objects.update(beat_at=start + timedelta(seconds=21))
    seats.empty_silent_seats(start + timedelta(seconds=21))
    seat.refresh_from_db()
    assert seat.is_absent
    assert not sitting.match.seats.get(side="white").is_absent


def test_seat_that_cannot_be_emptied_is_tried_later_and_does_not_block_others(
    white, black, monkeypatch, caplog
):
    sitting = begun(white, black)
    now = sitting.now + timedelta(seconds=30)
    stuck, leave = sitting.match.seats.get(side="white"), seats.leave
    seats.mark_seen([stuck.holder], sitting.now - timedelta(seconds=1))
    tries = []

    def fail(public_id, actor, at):
        if actor.user_id == stuck.user_id:
            tries.append(at)
            raise ArithmeticError("broken")
        leave(public_id, actor, at)

    monkeypatch.setattr(seats, "leave", fail)
    monkeypatch.setattr(seats, "BATCH", 1)
    monkeypatch.setattr(seats.RETRIES, "_failures", {})
    for poll in range(40):  # four a second, for ten seconds
        moment = now + timedelta(seconds=poll / 4)
        Heartbeat.objects.update(beat_at=moment)
        heartbeat.beat(moment)
        seats.empty_silent_seats(moment)
    assert sitting.match.seats.get(side="black").is_absent
    assert len(tries) == 4  # at 0, 1, 3 and 7 s
    assert caplog.text.count("seat not emptied") == 1


def test_repeated_settling_changes_nothing(white, black):
    sitting = begun(white, black)
    sitting.do("leave", side=Side.BLACK)
    for _ in range(3):
        settle_due(sitting.now)
        rating.rate_waiting(sitting.now)
    assert (total_of(white), total_of(black)) == (1090, 900)
    assert RatingChange.objects.count() == 2
