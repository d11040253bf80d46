"""Leaderboards and ratings as pages: own place, empty states, what is private stays so."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.engine.sides import Side
from games.models import Match
from stats.services import rating
from tests.lobby.factories import player
from tests.stats.test_rating_matches import play

pytestmark = pytest.mark.django_db


def get(address, user=None, **query):
    client = Client()
    if user:
        client.force_login(user)
    return client.get(address, query)


def page(*args, **query):
    return get(*args, **query).content.decode()


def test_an_empty_board_says_how_to_get_on_it():
    assert "Nobody is on this board yet" in page("/leaders/")


def test_a_board_shows_players_and_my_place():
    anna, boris = player("anna5"), player("boris")
    play(anna, boris, length=25)
    rating.rate_waiting(timezone.now())
    shown = page("/leaders/", boris)
    assert "anna5" in shown
    assert "Your place: 2." in shown


@pytest.mark.parametrize(
    "query", [{"by": "x"}, {"variant": "../"}, {"country": "Q"}, {"period": ""}]
)
def test_a_choice_that_cannot_be_read_is_the_first_one(query):
    assert get("/leaders/", **query).status_code == 200


def test_each_change_is_explained():
    anna, boris = player("anna5"), player("boris")
    match = play(anna, boris, Side.BLACK)
    rating.rate_waiting(timezone.now())
    shown = page(reverse("stats:rating", args=[anna.public_id]))
    assert "Lost to 1 point against 1500: the chance was 50 %." in shown
    assert "\u221210" in shown
    assert reverse("games:review", args=[match.public_id]) in shown


def test_a_match_that_nobody_else_may_see_is_a_link_for_its_players_alone():
    anna, boris = player("anna5"), player("boris")
    match = play(anna, boris, Side.BLACK)
    rating.rate_waiting(timezone.now())
    Match.objects.filter(pk=match.pk).update(is_public=False)
    address, link = (
        reverse("stats:rating", args=[anna.public_id]),
        reverse("games:review", args=[match.public_id]),
    )
    assert [link in page(address, user) for user in (anna, boris, None, player("other5"))] == [
        True, True, False, False,
    ]  # fmt: skip


def test_a_newcomer_has_an_empty_history():
    assert "No rated match yet" in page(reverse("stats:rating", args=[player("newone").public_id]))


def test_whoever_hides_his_record_shows_it_to_himself_alone():
    anna = player("anna5")
    anna.profile.shows_record = False
    anna.profile.save()
    address = reverse("stats:rating", args=[anna.public_id])
    assert get(address).status_code == 403
    assert get(address, player("boris")).status_code == 403
    assert get(address, anna).status_code == 200


def test_whoever_hides_his_winnings_is_told_why_he_is_on_no_board_of_them():
    anna = player("anna5")
    anna.profile.shows_winnings = False
    anna.profile.save()
    assert "hides your winnings" in page("/leaders/", anna, by="winnings")
    assert "hides your winnings" not in page("/leaders/", anna, by="wins")
