"""Totals of leaderboards are kept for a minute, so most readers do not add them up again."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Profile, User
from stats.kept_totals import FRESH_FOR, GENERATION, totals_of
from stats.leaderboards import By, Choice, _values, page_of
from stats.services import rating
from tests.stats.test_rating_matches import play
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db
BY_WINNINGS = Choice(By.WINNINGS, "short")


@pytest.fixture
def played():
    """Rate a match; return its winner and its loser."""
    anna, boris = player("anna5"), player("boris")
    play(anna, boris)
    rating.rate_waiting(timezone.now())
    return anna, boris


def reads_of_totals(queries):
    return [each["sql"] for each in queries if "stats_ratingchange" in each["sql"]]


@pytest.mark.parametrize("by", ["winnings", "wins"])
@pytest.mark.parametrize("period", ["week", "all"])
def test_second_visitor_causes_no_query_that_adds_up_totals(played, by, period):
    query = {"by": by, "period": period}
    with CaptureQueriesContext(
        connection,
    ) as first:
        shown = Client().get("/leaders/", query).content.decode()
    with CaptureQueriesContext(connection) as second:
        again = Client().get("/leaders/", query).content.decode()
    assert "anna5" in shown
    assert "anna5" in again
    assert len(reads_of_totals(first)) == 1
    assert reads_of_totals(second) == []


def test_kept_totals_are_those_of_the_database(played):
    now = timezone.now()
    expected = list(_values(BY_WINNINGS, now).values_list("user_id", "value"))
    assert [(row.user_id, row.value) for row in page_of(BY_WINNINGS, now).rows] == expected
    assert [(row.user_id, row.value) for row in page_of(BY_WINNINGS, now).rows] == expected


def test_new_match_changes_the_leaderboard_after_a_minute(played):
    anna, boris = played
    now = timezone.now()
    before = {row.user_id: row.value for row in page_of(BY_WINNINGS, now).rows}
    play(anna, boris)
    rating.rate_waiting(now)
    soon, later = (page_of(BY_WINNINGS, now + shift).rows for shift in (FRESH_FOR / 2, FRESH_FOR))
    assert {row.user_id: row.value for row in soon} == before
    assert {row.user_id: row.value for row in later} == {k: 2 * v for k, v in before.items()}


def test_member_who_hides_winnings_or_closes_the_account_leaves_the_leaderboard_at_once(played):
    anna, boris = played
    now = timezone.now()
    assert len(page_of(BY_WINNINGS, now).rows) == 2
    Profile.objects.filter(user=anna).update(shows_winnings=False)
    assert [row.user_id for row in page_of(BY_WINNINGS, now).rows] == [boris.pk]
    User.objects.filter(pk=boris.pk).update(closed_at=now)
    assert page_of(BY_WINNINGS, now).rows == []


def test_rebuild_forgets_the_totals(played, django_capture_on_commit_callbacks):
    anna, boris = played
    now = timezone.now()
    before = {row.user_id: row.value for row in page_of(BY_WINNINGS, now).rows}
    play(anna, boris)
    rating.rate_waiting(now)
    with django_capture_on_commit_callbacks(execute=True):
        call_command("rebuildstats")
    after = {row.user_id: row.value for row in page_of(BY_WINNINGS, now).rows}
    assert after == {user_id: 2 * value for user_id, value in before.items()}


def test_one_reader_adds_up_while_others_get_the_previous_totals():
    now, added = timezone.now(), []

    def others_read():
        added.append("begun")
        assert totals_of("board", now + FRESH_FOR, others_read) == "old"
        return "new"

    assert totals_of("board", now, lambda: "old") == "old"
    assert totals_of("board", now + FRESH_FOR, others_read) == "new"
    assert added == ["begun"]


def test_a_reader_without_previous_totals_leaves_the_lock_to_its_holder():
    now = timezone.now()

    def first():
        assert totals_of("board", now, lambda: "second") == "second"
        assert totals_of("board", now + FRESH_FOR, lambda: "third") == "second"
        return "first"

    assert totals_of("board", now, first) == "first"


def test_a_reader_whose_lock_expired_leaves_the_lock_to_its_new_holder():
    def slow():
        cache.set(f"{GENERATION}::board:lock", "of another reader")
        return "old"

    now = timezone.now()
    assert totals_of("board", now, slow) == "old"
    assert totals_of("board", now + FRESH_FOR, lambda: "new") == "old"


def test_totals_are_added_up_by_the_next_reader_after_one_fails():
    def fail():
        raise RuntimeError

    now = timezone.now()
    totals_of("board", now, lambda: "old")
    with pytest.raises(RuntimeError):
        totals_of("board", now + FRESH_FOR, fail)
    assert totals_of("board", now + FRESH_FOR, lambda: "new") == "new"


def test_totals_of_the_future_are_not_fresh():
    """The clock of the process that added up the totals may have been ahead."""
    now = timezone.now()
    totals_of("board", now + timedelta(hours=1), lambda: "ahead")
    assert totals_of("board", now, lambda: "now") == "now"


def test_totals_are_added_up_again_after_the_cache_is_cleared():
    now = timezone.now()
    totals_of("board", now, lambda: "old")
    cache.clear()
    assert totals_of("board", now, lambda: "new") == "new"
