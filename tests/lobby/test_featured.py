"""The featured game on top of the running games: a friend's, else the best by rating and pot."""

import pytest
from django.test import Client

from games.models import Match
from stats.models import Rating
from tests.games.factories import StakeSitting, give_history
from tests.lobby.test_friends_games import befriend
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


def running(name: str, stake: int, rating: int) -> Match:
    people = white, black = player(f"{name}11"), player(f"{name}22")
    for person in people:
        give_history(person)
    match = StakeSitting(white, black, stake=stake).match
    for person in people:
        Rating.objects.update_or_create(
            user=person, variant=match.variant, defaults={"rating": rating}
        )
    return match


def shown(browser: Client) -> tuple[Match | None, list[Match]]:
    context = browser.get("/play/").context
    return context["featured"], context["running"]


def test_the_game_best_by_rating_and_pot_is_on_top_and_listed_once(client):
    cheap = running("cheap", stake=10, rating=1700)
    best = running("best", stake=200, rating=1800)
    weak = running("weak", stake=200, rating=1400)
    featured, others = shown(client)
    assert featured == best
    assert set(others) == {cheap, weak}
    page = client.get("/play/").content.decode()
    assert page.index("Featured game") < page.index("best11") < page.index("cheap11")
    assert page.count("best11</") == 1


def test_the_larger_pot_decides_between_equal_ratings(client):
    running("small", stake=10, rating=1500)
    large = running("large", stake=100, rating=1500)
    assert shown(client)[0] == large


def test_a_friends_game_comes_before_better_ones(client):
    running("best", stake=200, rating=1800)
    theirs = running("theirs", stake=10, rating=1400)
    fan = player("fan55")
    befriend(fan, theirs.seats.get(side="black").user)
    client.force_login(fan)
    assert shown(client)[0] == theirs
    assert "a friend of yours is playing" in client.get("/play/").content.decode()
    client.force_login(player("other5"))
    assert shown(client)[0] != theirs
    assert "a friend of yours is playing" not in client.get("/play/").content.decode()


def test_a_single_game_is_not_featured(client):
    only = running("only", stake=10, rating=1500)
    assert shown(client) == (None, [only])
