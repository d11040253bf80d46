"""The list of finished training matches, the record by opponent, and matches played again."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.engine.match.state import MatchCause, Phase
from games.engine.rules import Profile, Rules
from games.engine.sides import Side
from games.models import Match, Seat
from games.models.actor import Actor
from games.training import record
from tests.accounts.factories import UserFactory
from tests.games.browsing import browser_of, data_in
from tests.games.factories import START, MatchFactory, Sitting, StakeSitting
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

ADDRESS = "/training/matches/"


def ended(user: User, winner: Side | None, *, hours: int = 0, **chosen: Any) -> Match:
    """Create a finished training match of the user; a winner of None means a draw."""
    match = MatchFactory(player=Actor(user_id=user.pk), **chosen)
    match.phase = Phase.FINISHED.value
    match.outcome = (MatchCause.POINTS if winner else MatchCause.DRAW).value
    match.winner = winner.value if winner else ""
    match.finished_at = START + timedelta(hours=hours)
    match.save()
    return match


@pytest.fixture
def owner() -> User:
    return UserFactory(username="owner5")


@pytest.fixture
def browser(owner: User) -> Client:
    browser = Client()
    browser.force_login(owner)
    return browser


def test_record_counts_each_bot_and_variant(owner: User) -> None:
    ended(owner, Side.WHITE)
    ended(owner, Side.WHITE)
    ended(owner, Side.BLACK)
    ended(owner, None)
    ended(owner, Side.BLACK, rules=Rules.of("long"))
    ended(owner, Side.BLACK, side=Side.BLACK, level="master", rules=Rules.of("long"))
    MatchFactory(player=Actor(user_id=owner.pk), level="strong")  # still running
    ended(UserFactory(), Side.WHITE, level="club")  # of another player
    casual, master = record.record_by_level(Actor(user_id=owner.pk))
    assert casual.name == "Niko"
    assert casual.tallies == (record.Tally("short", 2, 1, 1), record.Tally("long", 0, 1, 0))
    assert master.tallies == (record.Tally("short"), record.Tally("long", 1, 0, 0))


def test_void_match_and_match_for_credits_do_not_count() -> None:
    sitting = StakeSitting(player("white5"), player("black5")).sit().start_game()
    sitting.do("resign_match")
    white = sitting.users[Side.WHITE]
    void = ended(white, None)
    Match.objects.filter(pk=void.pk).update(outcome=MatchCause.VOID.value)
    actor = Actor(user_id=white.pk)
    assert record.record_by_level(actor) == []
    assert list(record.finished_training(actor)) == [void]


def test_every_finished_match_is_on_a_page_newest_first(owner: User, browser: Client) -> None:
    made = [ended(owner, Side.WHITE, hours=hour) for hour in range(21)]
    first = browser.get(ADDRESS).content.decode()
    last = browser.get(ADDRESS, {"page": 2}).content.decode()
    reviews = [reverse("games:review", args=[match.public_id]) for match in made]
    assert [address in first for address in reviews] == [False] + 20 * [True]
    assert first.index(reviews[20]) < first.index(reviews[1])
    assert [address in last for address in reviews] == [True] + 20 * [False]
    assert "?page=2" in first
    assert "?page=1" in last
    assert 'aria-label="Won 21, lost 0"' in first
    assert ADDRESS in browser.get("/training/").content.decode()


@pytest.mark.parametrize(
    ("outcome", "winner", "word"),
    [
        ("points", "white", "won"),
        ("points", "black", "lost"),
        ("draw", "", "drawn"),
        ("void", "", "called off"),
    ],
)
def test_row_says_how_the_match_ended(
    owner: User, browser: Client, outcome: str, winner: str, word: str
) -> None:
    match = ended(owner, None)
    Match.objects.filter(pk=match.pk).update(outcome=outcome, winner=winner)
    assert f'<div class="hint">{word}</div>' in browser.get(ADDRESS).content.decode()


def test_list_has_a_constant_number_of_queries(
    owner: User, browser: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ended(owner, Side.WHITE)
    browser.get(ADDRESS)  # the first page of a session also stores the device
    with CaptureQueriesContext(connection) as one:
        browser.get(ADDRESS)
    for level in ("beginner", "master", "club"):
        ended(owner, Side.BLACK, level=level)
    with django_assert_num_queries(len(one)):
        browser.get(ADDRESS)


def test_new_visitor_sees_an_empty_list() -> None:
    page = Client().get(ADDRESS).content.decode()
    assert "Your finished matches appear here" in page
    assert "training-record" not in page


@pytest.mark.parametrize("side", list(Side))
def test_playing_again_starts_a_match_with_the_same_settings(side: Side) -> None:
    rules = Rules.of("long", Profile.FEDERATION, length=5, delay_ms=30_000, parity=True)
    sitting = Sitting(rules, level="strong", side=side)
    Match.objects.filter(pk=sitting.match.pk).update(bot_pace="person")
    sitting.sit().do("resign_match")
    browser = browser_of(sitting)
    boot = data_in(
        browser.get(reverse("games:match", args=[sitting.public_id])).content.decode(), "match-boot"
    )
    answer = browser.post(boot["urls"]["again"])
    match = Match.objects.latest("pk")
    assert match != sitting.match
    assert answer["Location"] == reverse("games:match", args=[match.public_id])
    assert (match.match_rules, match.bot_pace) == (rules, "person")
    seats = match.seats_by_side
    assert (seats[side].guest, seats[side.other].bot) == (sitting.guest, "strong")


def test_random_side_is_drawn_again_when_playing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting(Rules.of("short")).sit()
    sitting.do("resign_match")
    browser = browser_of(sitting)
    session = browser.session
    session["training"] = {"side": "random"}
    session.save()
    monkeypatch.setattr("games.training.forms.secrets.choice", lambda sides: Side.BLACK)
    browser.post(reverse("games:again", args=[sitting.public_id]))
    assert Match.objects.latest("pk").seats_by_side[Side.BLACK].guest == sitting.guest


def test_playing_again_during_the_match_opens_the_match() -> None:
    sitting = Sitting(Rules.of("short"))
    answer = browser_of(sitting).post(reverse("games:again", args=[sitting.public_id]))
    assert answer["Location"] == reverse("games:match", args=[sitting.public_id])
    assert Match.objects.count() == 1


def test_playing_again_against_a_bot_that_no_longer_exists_leads_to_the_form() -> None:
    sitting = Sitting(Rules.of("short")).sit()
    sitting.do("resign_match")
    Seat.objects.filter(bot="casual").update(bot="gone")
    answer = browser_of(sitting).post(reverse("games:again", args=[sitting.public_id]))
    assert answer["Location"] == "/training/"
    assert Match.objects.count() == 1


def test_playing_again_is_refused_to_strangers_and_for_matches_between_people() -> None:
    training = Sitting(Rules.of("short")).sit()
    training.do("resign_match")
    assert Client().post(reverse("games:again", args=[training.public_id])).status_code == 404
    staked = StakeSitting(player("white5"), player("black5")).sit().start_game()
    staked.do("resign_match")
    browser = Client()
    browser.force_login(staked.users[Side.WHITE])
    address = reverse("games:again", args=[staked.public_id])
    assert browser.post(address).status_code == 404
    assert browser.get(address).status_code == 405
    assert Match.objects.count() == 2
