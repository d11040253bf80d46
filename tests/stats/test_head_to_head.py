"""The records against opponents, without a query for each."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.engine.sides import Side
from games.models import Match
from stats import head_to_head
from tests.games.factories import StakeSitting
from tests.stats.test_rating_matches import play
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    return player("anna5", credits=5000)


@pytest.fixture
def boris():
    return player("boris", credits=5000)


def page(user, name, *args):
    client = Client()
    client.force_login(user)
    return client.get(reverse(name, args=args)).content.decode()


def counts(record):
    return record.met, record.won, record.lost, record.drawn


def test_record_is_counted_from_the_own_side_in_either_color(anna, boris):
    play(anna, boris)
    play(anna, boris, Side.BLACK)
    play(boris, anna)
    assert counts(head_to_head.record_between(anna.pk, boris.pk)) == (3, 1, 2, 0)
    assert counts(head_to_head.record_between(boris.pk, anna.pk)) == (3, 2, 1, 0)


def test_void_and_running_matches_are_not_counted(anna, boris):
    match = play(anna, boris)
    Match.objects.filter(pk=match.pk).update(outcome="void", winner="")
    StakeSitting(anna, boris)
    assert counts(head_to_head.record_between(anna.pk, boris.pk)) == (0, 0, 0, 0)


def test_a_drawn_match_is_neither_won_nor_lost(anna, boris):
    match = play(anna, boris)
    Match.objects.filter(pk=match.pk).update(outcome="draw", winner="")
    assert counts(head_to_head.record_between(anna.pk, boris.pk)) == (1, 0, 0, 1)


def test_record_is_shown_on_page_card_and_table(anna, boris):
    play(anna, boris)
    for name in ("people:player", "people:card"):
        shown = page(anna, name, boris.public_id)
        assert "You have met 1 time:" in shown
        assert "1 : 0" in shown
        assert "You have met" not in page(anna, name, anna.public_id)
    running = StakeSitting(boris, anna).match
    assert "1 : 0" in page(anna, "games:match", running.public_id)
    assert "0 : 1" in page(boris, "games:match", running.public_id)
    assert "You have met" not in page(player("third"), "games:match", running.public_id)


def test_opponents_are_listed_latest_first_in_a_constant_number_of_queries(anna, boris):
    def cost():
        with CaptureQueriesContext(connection) as queries:
            page(anna, "stats:opponents")
        return len(queries)

    assert "Nobody yet" in page(anna, "stats:opponents")
    play(anna, boris)
    one = cost()
    for number in range(4):
        play(anna, player(f"other{number}"), Side.BLACK)
    assert cost() == one
    shown = page(anna, "stats:opponents")
    assert shown.index("other3") < shown.index("other0") < shown.index("boris")


def test_page_of_an_opponent_lists_matches_and_links_to_neighbors(anna, boris):
    first, last = player("first"), player("last5")
    play(anna, first)
    match = play(anna, boris, Side.BLACK)
    play(anna, last)
    shown = page(anna, "stats:opponent", boris.public_id)
    assert reverse("games:review", args=[match.public_id]) in shown
    assert "0 : 1" in shown
    assert "\u2212100" in shown
    assert reverse("stats:opponent", args=[first.public_id]) in shown
    assert reverse("stats:opponent", args=[last.public_id]) in shown
    assert "You have not met yet" in page(anna, "stats:opponent", player("nobody").public_id)
