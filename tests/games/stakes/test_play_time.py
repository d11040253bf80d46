"""The time of play since the last break, and its reminder."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.engine.sides import Side
from games.models import Match
from games.stakes.play_time import BREAK, play_time_of, reminder_due, since_break
from tests.accounts.factories import sign_in
from tests.games.factories import StakeSitting
from tests.wallet.factories import player
from wallet.limits import services

NOW = timezone.now()
MINUTE = timedelta(minutes=1)


def span(start: float, end: float) -> tuple:
    """Return the span from `start` to `end`, in minutes before NOW."""
    return NOW - start * MINUTE, NOW - end * MINUTE


def played(*spans: tuple) -> float:
    return since_break(spans, NOW).played() / MINUTE


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], 0),
        ([span(40, 10)], 30),
        ([span(90, 50), span(25, 5)], 60),  # 25 minutes without play are not a break
        ([span(90, 60), span(30, 5)], 25),  # 30 minutes without play are a break
        ([span(90, 30)], 0),  # the break is complete at this moment
        ([span(90, 29)], 61),
        ([span(60, 20), span(50, 30), span(30, 10)], 50),  # two matches at once
    ],
)
def test_time_counts_since_the_last_break(spans, expected):
    assert played(*spans) == expected


def test_wait_is_the_rest_of_the_break():
    assert since_break([span(50, 10)], NOW).wait(NOW) == BREAK - 10 * MINUTE


@pytest.fixture
def anna(db):
    """Return a member who has just lost 100 credits in a match of 70 minutes."""
    member, boris = player("anna5"), player("boris5")
    sitting = StakeSitting(member, boris, stake=100).sit().start_game()
    sitting.do("resign_match", side=Side.WHITE)
    end = timezone.now()
    times = {"created_at": end - 70 * MINUTE, "finished_at": end}
    Match.objects.filter(pk=sitting.match.pk).update(**times)
    return member


def due(user):
    return reminder_due(user.pk, timezone.now())


def test_the_reminder_says_time_and_net_result(anna):
    reminder = due(anna)
    assert (reminder.minutes, reminder.is_loss, reminder.size) == (70, True, 100)


def test_reminder_comes_after_the_chosen_time_and_never_for_zero(anna):
    services.choose_reminder(anna.pk, 120)
    assert due(anna) is None
    services.choose_reminder(anna.pk, 15)
    assert due(anna) is not None
    services.choose_reminder(anna.pk, 0)
    assert due(anna) is None


def test_the_reminder_comes_again_an_hour_after_the_answer(anna):
    services.answer_reminder(anna.pk, timezone.now() - 61 * MINUTE)
    assert due(anna).minutes == 70
    services.answer_reminder(anna.pk, timezone.now() - 59 * MINUTE)
    assert due(anna) is None


def test_a_member_who_does_not_play_costs_one_query(db, django_assert_num_queries):
    boris = player("boris5")
    with django_assert_num_queries(1):
        assert due(boris) is None


def test_pages_show_the_reminder_until_it_is_answered(anna, client):
    sign_in(client, anna)
    assert "70 minutes" in client.get("/whats-new/").content.decode()
    answer = client.post(reverse("games:reminder"), {"next": "/whats-new/"})
    assert answer.url == "/whats-new/"
    assert "70 minutes" not in client.get("/whats-new/").content.decode()


def test_table_fetches_the_reminder_between_two_turns(anna, client):
    running = StakeSitting(anna, player("carol5"), stake=10).sit().start_game()
    sign_in(client, anna)
    page = client.get(reverse("games:match", args=[running.public_id])).content.decode()
    assert "70 minutes" not in page
    assert 'hx-trigger="between-turns from:body"' in page
    part = client.get(reverse("games:reminder"), headers={"HX-Request": "true"}).content.decode()
    assert "Net result: 110 credits lost." in part


def test_friendly_match_does_not_count_as_play_time(anna):
    Match.objects.update(kind="FRIENDLY", stake_credits=0, rake_credits=0)
    assert not play_time_of(anna.pk, timezone.now()).spans
