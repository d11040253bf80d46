"""Staff see the pairs of members in which one nearly always loses to the other."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.match.state import GameCause
from games.engine.sides import Side
from games.models import Game, Match
from stats.integrity.one_way import Flow, Threshold, flows
from tests.accounts.factories import member, sign_in, staff
from tests.games.factories import StakeSitting
from tests.stats.integrity.suspects import lose, resign_games
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db

LOW = Threshold(days=30, matches=3, percent=60, credits=100)
PAGE = "/admin/stats/onewayflow/"


def found(now: datetime | None = None, threshold: Threshold = LOW) -> list[Flow]:
    return flows(now or timezone.now(), threshold)


@pytest.fixture
def payer() -> User:
    return player("payer")


@pytest.fixture
def friend() -> User:
    return player("friend")


def test_a_pair_in_which_one_always_pays_is_shown_with_its_figures(payer, friend):
    lose(payer, friend, times=3)
    (flow,) = found()
    assert (flow.gainer, flow.payer) == (friend, payer)
    assert (flow.matches, flow.won, flow.given_up, flow.percent) == (3, 3, 3, 100)
    assert flow.credits == 3 * 90
    assert Match.objects.get(pk=flow.latest_id).seats.filter(user=payer).exists()


def test_a_resigned_last_game_counts_as_given_up_and_a_dropped_double_does_not(payer, friend):
    resign_games(payer, friend, times=2)
    Game.objects.filter(match=Match.objects.latest("pk")).update(cause=GameCause.DROP.value)
    lose(payer, friend)
    (flow,) = found()
    assert (flow.matches, flow.won, flow.given_up) == (3, 3, 2)


def test_credits_won_back_reduce_the_flow(payer, friend):
    lose(payer, friend, times=3)
    lose(friend, payer)
    (flow,) = found()
    assert (flow.matches, flow.won, flow.percent, flow.credits) == (4, 3, 75, 3 * 90 - 100)
    assert found(threshold=Threshold(30, 3, 80, 100)) == []
    assert found(threshold=Threshold(30, 3, 60, 171)) == []
    assert found(threshold=Threshold(30, 5, 60, 100)) == []


def test_matches_with_other_opponents_do_not_change_the_flow(payer, friend):
    lose(payer, friend, times=3)
    lose(friend, player("strong"), times=2)
    (flow,) = found()
    assert (flow.gainer, flow.payer, flow.matches) == (friend, payer, 3)


def test_void_and_old_matches_do_not_count(payer, friend):
    lose(payer, friend, times=2)
    sitting = StakeSitting(payer, friend).sit()
    sitting.do("leave", side=Side.WHITE)
    assert found() == []
    lose(payer, friend)
    assert len(found()) == 1
    assert found(timezone.now() + timedelta(days=31)) == []


def test_a_match_counts_from_the_day_of_its_end(payer, friend):
    lose(payer, friend, times=3)
    now, month = timezone.now(), timedelta(days=LOW.days)
    Match.objects.update(created_at=now - month - timedelta(days=6), finished_at=now - month)
    assert len(found(now)) == 1
    assert found(now + timedelta(seconds=1)) == []


def test_the_list_takes_as_many_queries_for_many_pairs_as_for_one(
    payer, friend, django_assert_num_queries
):
    for number, other in enumerate((friend, player("second")), 1):
        lose(payer, other, times=3)
        with django_assert_num_queries(3):
            assert len(found()) == number


def test_staff_read_the_list(client: Client, payer, friend):
    lose(payer, friend, times=4)
    sign_in(client, staff("bossy"))
    page = client.get(PAGE).content.decode()
    assert "friend" in page
    assert "4 (100%)" in page
    assert f"<td>{4 * 90}</td>" in page


@pytest.mark.parametrize("login", ["payer", "friend"])
def test_staff_do_not_read_about_themselves(client: Client, payer, friend, login):
    lose(payer, friend, times=4)
    User.objects.filter(username=login).update(is_staff=True, is_superuser=True)
    sign_in(client, User.objects.get(username=login))
    assert "No pair is above the threshold." in client.get(PAGE).content.decode()


def test_staff_read_that_no_pair_is_above_the_threshold(client: Client):
    sign_in(client, staff("bossy"))
    assert "No pair is above the threshold." in client.get(PAGE).content.decode()


@pytest.mark.parametrize(("has_permission", "status"), [(True, 200), (False, 403)])
def test_the_list_needs_its_permission(client: Client, has_permission, status):
    clerk = member("clerk")
    User.objects.filter(pk=clerk.pk).update(is_staff=True)
    if has_permission:
        clerk.user_permissions.add(Permission.objects.get(codename="view_onewayflow"))
    sign_in(client, clerk)
    assert client.get(PAGE).status_code == status
