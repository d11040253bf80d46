"""Finished matches change ratings once, in a stored order that a rebuild follows."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.engine.match.state import Phase
from games.engine.sides import Side
from stats.leaderboards import By, Choice, page_of, place_of
from stats.models import RatedMatch, Rating, RatingChange
from stats.rating import FULL_TURNS, Standing, change
from stats.selectors import changes_of, rating_of
from stats.services import rating
from tests.games.factories import StakeSitting
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_failures(monkeypatch):
    monkeypatch.setattr(rating.RETRIES, "_failures", {})


def play(white, black, winner=Side.WHITE, turns=1, **fields):
    """Play a match that the loser gives up after `turns` turns of each side."""
    sitting = StakeSitting(white, black, **fields).sit().start_game().both_move(turns)
    sitting.do("resign_match", side=winner.other)
    return sitting.match


def stored_ratings():
    ratings = Rating.objects.order_by("user_id", "variant").values_list(
        "user_id", "variant", "rating", "experience", "won", "lost", "drawn"
    )
    changes = RatingChange.objects.order_by("rated__place", "user_id").values_list(
        "rated__place", "user_id", "before", "change", "weight", "played_weight", "net_credits"
    )
    return list(ratings), list(changes)


def places_of(user):
    return [change.rated.place for change in changes_of(user.pk, "short")]


def test_a_win_between_newcomers_moves_both_by_ten_points():
    anna, boris = player("anna5"), player("boris")
    play(anna, boris, turns=FULL_TURNS)
    assert rating.rate_waiting(timezone.now()) == 1
    assert (rating_of(anna.pk, "short"), rating_of(boris.pk, "short")) == (1510, 1490)
    assert rating_of(anna.pk, "long") == 1500


def test_a_match_is_rated_once():
    anna, boris = player("anna5"), player("boris")
    play(anna, boris)
    assert [rating.rate_waiting(timezone.now()) for _ in range(3)] == [1, 0, 0]
    assert RatedMatch.objects.get().place == 1


def test_the_fourth_match_of_a_pair_in_a_day_counts_half():
    anna, boris = player("anna5"), player("boris")
    for _ in range(4):
        play(anna, boris)
    rating.rate_waiting(timezone.now())
    weights = RatingChange.objects.filter(user=boris).order_by("rated__place")
    assert [float(change.weight) for change in weights] == [1, 1, 1, 0.5]


def test_members_who_let_each_other_win_stay_below_an_honest_one_on_the_leaderboard_by_wins():
    friends, honest = (player("anna5", 5000), player("boris", 5000)), player("clara", 5000)
    for _ in range(6):
        play(*friends)
        play(*friends, winner=Side.BLACK)
    for name in ("dora5", "emil5"):
        play(honest, player(name), turns=FULL_TURNS)
    now = timezone.now()
    rating.rate_waiting(now)
    leaderboard = Choice(By.WINS, "short")
    places = {row.user: (row.place, row.value) for row in page_of(leaderboard, now).rows}
    # The wins of each friend weigh less than 1 together, which is rounded up.
    assert places == {honest: (1, 2), friends[0]: (2, 1), friends[1]: (2, 1)}
    assert place_of(friends[1], leaderboard, now).value == 1


def test_wins_over_one_opponent_in_a_day_count_less_and_less_on_the_leaderboard_by_wins():
    anna, boris = player("anna5", 5000), player("boris", 5000)
    for _ in range(6):
        play(anna, boris, turns=FULL_TURNS)
    rating.rate_waiting(timezone.now())
    # Rounded up from 1 + 1 + 1 + 1/2 + 1/4 + 1/8.
    assert [row.value for row in page_of(Choice(By.WINS, "short"), timezone.now()).rows] == [4]


# --- Giving up early -----------------------------------------------------------------------------


def test_winning_against_accounts_that_give_up_after_one_turn_brings_a_tenth_of_the_gain():
    main = player("main12345")
    for number in range(4):
        play(main, player(f"fresh{number}"), length=25)
    rating.rate_waiting(timezone.now())
    gains = RatingChange.objects.filter(user=main).order_by("rated__place")
    for found in gains:
        standing = Standing(found.before, found.experience_before)
        full = change(standing, Standing(), found.length, 1.0, 1.0)
        assert found.change == pytest.approx(full / 10, abs=Decimal("0.0001"))
    assert rating_of(main.pk, "short") < 1520  # it would be 1652 with the full gains


def test_a_player_who_gives_up_early_loses_the_whole_change():
    anna, boris = player("anna5"), player("boris")
    play(anna, boris)
    rating.rate_waiting(timezone.now())
    assert (rating_of(anna.pk, "short"), rating_of(boris.pk, "short")) == (1501, 1490)
    weights = RatingChange.objects.order_by("-result").values_list("weight", "played_weight")
    assert list(weights) == [(Decimal("0.1"), Decimal("0.1")), (1, 1)]


@pytest.mark.parametrize(("turns", "gain"), [(3, 3), (FULL_TURNS, 10), (FULL_TURNS + 2, 10)])
def test_each_turn_brings_a_tenth_of_the_gain_up_to_all_of_it(turns, gain):
    anna, boris = player("anna5"), player("boris")
    play(anna, boris, turns=turns)
    rating.rate_waiting(timezone.now())
    assert rating_of(anna.pk, "short") == 1500 + gain


def test_turns_of_earlier_games_count_too():
    sitting = StakeSitting(player("anna5"), player("boris"), length=25).sit().start_game()
    sitting.both_move(5).play_until(Phase.BETWEEN_GAMES)
    sitting.act_simply()
    sitting.both_move()
    sitting.do("resign_match")
    rating.rate_waiting(timezone.now())
    assert set(RatingChange.objects.values_list("weight", flat=True)) == {1}


def test_rating_a_match_reads_its_turns_by_one_query():
    play(player("anna5"), player("boris"), turns=3)
    with CaptureQueriesContext(connection) as caught:
        rating.rate_waiting(timezone.now())
    assert len([query for query in caught if "games_action" in query["sql"]]) == 1


def test_match_whose_rating_fails_is_tried_again_and_does_not_stop_others(monkeypatch, caplog):
    anna, boris, clara = player("anna5", 5000), player("boris", 5000), player("clara", 5000)
    broken, _sound = play(anna, boris), play(boris, clara)
    now = timezone.now()
    result_of = rating.result_of

    def fail(row):
        if row.match_id == broken.pk:
            raise ValueError("cannot be rated")
        return result_of(row)

    with monkeypatch.context() as patch:
        patch.setattr(rating, "result_of", fail)
        assert rating.rate_waiting(now) == 1
        assert rating.rate_waiting(now) == 0
        again_at = rating.next_try_at(now)
        assert rating.rate_waiting(again_at) == 0
    assert caplog.text.count("match not rated") == 1
    assert now < again_at < rating.next_try_at(again_at)
    assert rating.rate_waiting(again_at + timedelta(minutes=1)) == 1
    assert RatedMatch.objects.get(match=broken).place == 2
    before = stored_ratings()
    call_command("rebuildstats")
    assert stored_ratings() == before


def test_leaderboard_by_rating_hides_provisional_ratings_and_shows_the_readers_place():
    anna, boris = player("anna5"), player("boris")
    play(anna, boris, length=25)
    play(anna, player("clara"), Side.BLACK, length=1)
    rating.rate_waiting(timezone.now())
    choice = Choice(By.RATING, "short")
    assert [row.user.username for row in page_of(choice, timezone.now()).rows] == ["anna5", "boris"]
    assert place_of(boris, choice, timezone.now()).place == 2
    assert place_of(User.objects.get(username="clara"), choice, timezone.now()) is None


@pytest.mark.parametrize("by", [By.RATING, By.WINS, By.WINNINGS])
def test_own_place_takes_one_query_and_equals_the_place_on_the_leaderboard(
    by, django_assert_num_queries
):
    people = [player(login, 5000) for login in ("anna5", "boris", "clara", "deniz")]
    for white, black in [(0, 1), (2, 3), (0, 3), (2, 1), (3, 1)]:
        play(people[white], people[black], length=25)
    rating.rate_waiting(timezone.now())
    now = timezone.now()
    rows = page_of(Choice(by, "short"), now).rows
    assert len(rows) >= 3
    assert len({row.place for row in rows}) < len(rows) or by is By.RATING
    for row in rows:
        with django_assert_num_queries(1):
            assert place_of(row.user, Choice(by, "short"), now) == row


def test_leaderboards_by_wins_and_by_winnings_count_the_matches_of_a_period():
    anna, boris = player("anna5"), player("boris")
    for winner in (Side.WHITE, Side.WHITE, Side.BLACK):
        play(anna, boris, winner, FULL_TURNS, stake=100)
    rating.rate_waiting(timezone.now())
    now = timezone.now()
    wins = page_of(Choice(By.WINS, "short", "week"), now).rows
    assert [(row.user, row.value) for row in wins] == [(anna, 2), (boris, 1)]
    winnings = page_of(Choice(By.WINNINGS, "short", "week"), now).rows
    assert [(row.user, row.value) for row in winnings] == [(anna, 80), (boris, -110)]
    later = now + timedelta(days=8)
    assert page_of(Choice(By.WINS, "short", "week"), later).rows == []


@pytest.mark.parametrize("switch", ["shows_record", "shows_winnings"])
def test_member_who_hides_record_or_winnings_is_not_on_the_leaderboard_by_winnings(switch):
    anna, boris = player("anna5"), player("boris")
    play(anna, boris)
    rating.rate_waiting(timezone.now())
    setattr(anna.profile, switch, False)
    anna.profile.save()
    choice, now = Choice(By.WINNINGS, "short"), timezone.now()
    assert [row.user for row in page_of(choice, now).rows] == [boris]
    assert place_of(anna, choice, now) is None
    assert place_of(anna, Choice(By.WINS, "short"), now).place == 1


def test_country_filter_leaves_out_hidden_countries():
    anna, boris = player("anna5"), player("boris")
    play(anna, boris)
    rating.rate_waiting(timezone.now())
    for user, shows in ((anna, True), (boris, False)):
        user.profile.country, user.profile.shows_country = "TR", shows
        user.profile.save()
    rows = page_of(Choice(By.WINNINGS, "short", country="TR"), timezone.now()).rows
    assert [row.user for row in rows] == [anna]
