"""Leaderboards of more than one page: places, the reader's page, invalid parameters."""

from datetime import datetime

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.members import services as members
from accounts.models import User
from accounts.people import friends
from games.engine.sides import Side
from stats import leaderboards
from stats.leaderboards import By, Choice, page_of, place_of
from stats.models import Rating
from stats.services import rating
from tests.stats.test_rating_matches import play
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboards, "PAGE_ROWS", 2)


@pytest.fixture
def rated() -> list[User]:
    """Create five members with ratings; the second, the third and the fourth share a place."""
    people = [player(f"member{number}") for number in range(5)]
    for person, value in zip(people, (1700, 1600, 1600, 1600, 1500), strict=True):
        Rating.objects.create(user=person, variant="short", rating=value, experience=100)
    return people


def befriend(asker: User, other: User, now: datetime) -> None:
    friends.ask(asker.pk, other.pk, now)
    friends.accept(other.pk, asker.pk, now)


def places(choice: Choice, now: datetime, count: int) -> list[list[int]]:
    pages = [page_of(choice, now, number) for number in range(1, count + 1)]
    return [[row.place for row in page.rows] for page in pages]


@pytest.mark.usefixtures("small_pages")
def test_equal_values_share_a_place_across_pages(rated: list[User]) -> None:
    choice, now = Choice(By.RATING, "short"), timezone.now()
    assert places(choice, now, 3) == [[1, 2], [2, 2], [5]]
    found = [page_of(choice, now, number) for number in (1, 2, 3)]
    assert [row.user for page in found for row in page.rows] == rated
    assert [(page.has_previous, page.has_next) for page in found] == [
        (False, True), (True, True), (True, False),
    ]  # fmt: skip


@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize("by", [By.RATING, By.WINS, By.WINNINGS])
def test_own_page_is_the_one_with_the_readers_row(by: By) -> None:
    people = [player(login, 5000) for login in ("anna5", "boris", "clara", "deniz", "elena")]
    for white, black in [(0, 1), (2, 3), (3, 1), (1, 4), (4, 0), (3, 4)]:
        play(people[white], people[black], Side.WHITE, length=25)
    rating.rate_waiting(timezone.now())
    choice, now = Choice(by, "short"), timezone.now()
    rows = [row for number in (1, 2, 3) for row in page_of(choice, now, number).rows]
    assert {row.user_id for row in rows} == {person.pk for person in people}
    for row in rows:
        assert row.user is not None
        assert place_of(row.user, choice, now) == row
        assert row in page_of(choice, now, row.page).rows


def test_banned_member_is_not_ranked_until_the_ban_ends(rated: list[User]) -> None:
    choice, now = Choice(By.RATING, "short"), timezone.now()
    members.ban(rated[0].pk)
    rows = page_of(choice, now).rows
    assert [row.user for row in rows] == rated[1:]
    assert rows[0].place == 1
    members.unban(rated[0].pk)
    assert [row.user for row in page_of(choice, now).rows] == rated


def test_kept_totals_show_no_member_who_was_banned_since() -> None:
    anna, boris = player("anna5", 5000), player("boris", 5000)
    play(anna, boris)
    rating.rate_waiting(timezone.now())
    choice, now = Choice(By.WINS, "short"), timezone.now()
    assert [row.user for row in page_of(choice, now).rows] == [anna]
    members.ban(anna.pk)
    assert page_of(choice, now).rows == []


def test_own_place_is_a_link_to_its_row_on_another_page(rated: list[User]) -> None:
    for number in range(leaderboards.PAGE_ROWS):
        Rating.objects.create(
            user=player(f"better{number}"), variant="short", rating=1800, experience=100
        )
    browser = Client()
    browser.force_login(rated[-1])
    first = browser.get("/leaders/", {"by": "rating"}).content.decode()
    assert 'href="?by=rating&amp;page=2#own-place"' in first
    assert 'id="own-place"' not in first
    assert 'rel="next"' in first
    second = browser.get("/leaders/", {"by": "rating", "page": 2}).content.decode()
    assert 'id="own-place"' in second
    assert 'rel="prev"' in second
    assert 'rel="next"' not in second


@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize("given", ["0", "-1", "x", "4", "\u0663", "9" * 7, "9" * 400])
def test_page_that_does_not_exist_shows_the_first(rated: list[User], given: str) -> None:
    answer = Client().get("/leaders/", {"by": "rating", "page": given})
    assert answer.status_code == 200
    assert rated[0].username in answer.content.decode()


@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize("by", [By.RATING, By.WINS, By.WINNINGS])
def test_every_page_after_the_first_costs_the_same_few_queries(by: By) -> None:
    people = [player(login, 5000) for login in ("anna5", "boris", "clara", "deniz", "elena")]
    for white, black in [(0, 1), (2, 3), (3, 1), (1, 4), (4, 0), (3, 4)]:
        play(people[white], people[black], Side.WHITE, length=25)
    rating.rate_waiting(timezone.now())
    cache.clear()
    costs = []
    for number in (1, 2, 3):
        with CaptureQueriesContext(connection) as queries:
            assert page_of(Choice(by, "short"), timezone.now(), number).rows
        costs.append(len(queries))
    assert costs == [2, 3, 3]


def test_friends_are_ranked_among_themselves(rated: list[User]) -> None:
    now = timezone.now()
    for friend in (rated[0], rated[4]):
        befriend(rated[2], friend, now)
    friends.ask(rated[2].pk, rated[1].pk, now)  # not answered
    choice = Choice(By.RATING, "short", friends_of=rated[2].pk)
    assert [row.user for row in page_of(choice, now).rows] == [rated[0], rated[2], rated[4]]
    found = place_of(rated[2], choice, now)
    assert found is not None
    assert found.place == 2
    friends.remove(rated[0].pk, rated[2].pk, now)
    assert [row.user for row in page_of(choice, now).rows] == [rated[2], rated[4]]


@pytest.mark.parametrize("by", [By.WINS, By.WINNINGS])
def test_totals_of_friends_are_kept_apart_from_those_of_all(by: By) -> None:
    people = [player(login, 5000) for login in ("anna5", "boris", "clara")]
    anna, boris, clara = people
    play(anna, boris, Side.WHITE, length=25)
    play(boris, clara, Side.WHITE, length=25)
    rating.rate_waiting(timezone.now())
    now = timezone.now()
    befriend(anna, boris, now)
    everybody, of_anna = Choice(by, "short"), Choice(by, "short", friends_of=anna.pk)
    of_clara = Choice(by, "short", friends_of=clara.pk)
    there = {row.user for row in page_of(everybody, now).rows}
    assert {row.user for row in page_of(of_anna, now).rows} == there - {clara}
    assert {row.user for row in page_of(of_clara, now).rows} == there & {clara}


def test_filter_by_friends_is_offered_to_members_only(rated: list[User]) -> None:
    visitor, member = Client(), Client()
    member.force_login(rated[4])
    shown = [each.get("/leaders/", {"among": "friends"}) for each in (visitor, member)]
    assert ['name="among"' in answer.content.decode() for answer in shown] == [False, True]
    assert [rated[0].username in answer.content.decode() for answer in shown] == [True, False]
