"""The completion rate: the share of a member's matches for credits without a strike of theirs."""

from datetime import datetime, timedelta
from itertools import cycle, islice

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.conduct.completion import LATEST, LEAST, SAME_OPPONENT, SPOILED_FOR, completion_percent
from games.conduct.penalties import FORGOTTEN_AFTER
from games.engine.match.state import MatchCause, Phase
from games.engine.sides import Side
from games.models import Match, Strike
from tests.games.factories import StakeMatchFactory, StakeSitting
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    return player("anna5", 100_000)


@pytest.fixture
def boris() -> User:
    return player("boris", 100_000)


@pytest.fixture
def others(boris) -> list[User]:
    return [boris, player("clara", 100_000), player("denis", 100_000)]


def finish(white: User, others: list[User], count: int = 1) -> list[Match]:
    """Create `count` matches that White has resigned, against each of the others in turn."""
    ended = {"phase": Phase.FINISHED.value, "outcome": MatchCause.RESIGN_MATCH.value}
    done = []
    for black in islice(cycle(others), count):
        done.append(StakeMatchFactory(white=white, black=black, stake=10))
        Match.objects.filter(pk=done[-1].pk).update(
            winner=Side.BLACK.value, finished_at=timezone.now(), **ended
        )
        done[-1].seats.update(is_live_stake=False)
    return done


def spoil(user: User, match: Match, at: datetime | None = None, **fields: object) -> None:
    """Give the user a strike for the match, which then counts as spoiled by them."""
    at = at or timezone.now()
    Strike.objects.create(
        user=user, match=match, kind=Strike.Kind.WALKED_AWAY, created_at=at, **fields
    )


def percent_of(user: User) -> int | None:
    return completion_percent(user.pk, timezone.now())


def test_no_rate_is_computed_from_few_matches(anna, others):
    finish(anna, others, LEAST - 1)
    assert percent_of(anna) is None
    finish(anna, others)
    assert percent_of(anna) == 100


def test_spoiled_matches_count_against_the_player_who_spoiled_them(anna, others):
    played = finish(anna, others, LEAST)
    spoil(anna, played[0])
    spoil(anna, played[1], lifted_at=timezone.now())  # does not count
    assert percent_of(anna) == 90


def test_a_spoiled_match_does_not_count_against_the_opponent(boris, others):
    played = finish(boris, others[1:], LEAST)
    for match in played:
        spoil(match.seats.get(side="black").user, match)
    assert percent_of(boris) == 100


def test_match_without_a_roll_counts_only_for_the_player_who_spoiled_it(anna, boris, others):
    finish(anna, others, LEAST - 1)
    for white, black in ((boris, anna), (anna, boris)):
        assert percent_of(anna) is None
        sitting = StakeSitting(white, black, stake=10).sit()
        sitting.do("resign_match", side=Side.WHITE)  # this spoils the match, since no roll was made
    assert percent_of(anna) == 90


def test_only_the_latest_matches_count(anna, others, monkeypatch):
    played = finish(anna, others, LEAST + 2)
    spoil(anna, played[0])
    spoil(anna, played[-1])
    assert percent_of(anna) == 83
    monkeypatch.setattr("games.conduct.completion.LATEST", LEAST)
    assert LATEST > LEAST
    assert percent_of(anna) == 90


def test_many_matches_against_a_friend_do_not_hide_spoiled_ones(anna, others, monkeypatch):
    friend = player("friend", 100_000)
    # At once these strikes would suspend Anna.
    for match in finish(anna, others, LEAST)[5:]:
        spoil(anna, match, at=timezone.now() - FORGOTTEN_AFTER)
    assert percent_of(anna) == 50
    finish(anna, [friend], LEAST)
    assert percent_of(anna) == 100 * (5 + SAME_OPPONENT) // (LEAST + SAME_OPPONENT)
    monkeypatch.setattr("games.conduct.completion.LATEST", LEAST)
    assert percent_of(anna) == 50


def test_spoiled_matches_of_long_ago_count_neither_for_nor_against_the_player(anna, others):
    old, recent, *_ = finish(anna, others, LEAST + 1)
    spoil(anna, old, at=timezone.now() - SPOILED_FOR)
    spoil(anna, recent, at=timezone.now() - SPOILED_FOR + timedelta(minutes=1))
    assert percent_of(anna) == 90


def test_no_rate_is_computed_from_matches_against_one_opponent(anna, boris):
    finish(anna, [boris], LEAST)
    assert percent_of(anna) is None


def shown_to(viewer: User | None, person: User, page: str) -> str:
    client = Client()
    if viewer:
        client.force_login(viewer)
    return client.get(reverse(f"people:{page}", args=[person.public_id])).content.decode()


@pytest.mark.parametrize("page", ["card", "player"])
def test_card_and_profile_show_ratings_and_completion_rate(anna, boris, others, page):
    assert "Matches completed" not in shown_to(None, anna, page)
    finish(anna, others, LEAST)
    spoil(anna, Match.objects.latest("pk"))
    text = shown_to(boris, anna, page)
    assert "Matches completed" in text
    assert "90%" in text
    assert text.count("1500") == 2  # the start rating, since the worker has not rated the matches


@pytest.mark.parametrize("page", ["card", "player"])
def test_hidden_record_hides_the_ratings_from_others(anna, boris, others, page):
    anna.profile.shows_record = False
    anna.profile.save()
    assert "1500" not in shown_to(boris, anna, page)
    assert "1500" in shown_to(anna, anna, page)


def test_menu_leads_to_own_rating_and_opponents(anna):
    client = Client()
    client.force_login(anna)
    page = client.get("/en/").content.decode()
    assert reverse("stats:rating", args=[anna.public_id]) in page
    assert reverse("stats:opponents") in page
