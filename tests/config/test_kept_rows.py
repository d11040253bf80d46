"""Rows of lists are rendered once, and again as soon as anything in them changes."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Profile, User
from games.engine.match.state import Phase
from lobby.models import Seek
from stats.models import Rating
from tests.games.factories import StakeSitting
from tests.lobby.factories import SeekFactory
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

LISTS = ("/play/", "/play/list/", "/leaders/")


def page(address: str, user: User | None = None, **headers: str) -> str:
    browser = Client(headers=headers)
    if user:
        browser.force_login(user)
    return browser.get(address).content.decode()


@pytest.mark.parametrize("address", LISTS)
def test_row_is_rendered_once_for_many_requests(address: str) -> None:
    owner = player("owner12345")
    SeekFactory(owner=owner)
    Rating.objects.create(user=owner, variant="short", experience=100)
    browser = Client()
    times = [
        sum(each.name == "people/_player_link.html" for each in browser.get(address).templates)
        for _ in range(3)
    ]
    assert times == [1, 0, 0]


@pytest.mark.parametrize("address", LISTS)
def test_new_name_of_a_member_is_shown_at_once(address: str) -> None:
    owner = player("beforename")
    SeekFactory(owner=owner)
    Rating.objects.create(user=owner, variant="short", experience=100)
    assert "beforename" in page(address)
    User.objects.filter(pk=owner.pk).update(username="aftername1")
    after = page(address)
    assert "aftername1" in after
    assert "beforename" not in after


def test_hidden_country_is_hidden_at_once() -> None:
    owner = player("owner12345")
    SeekFactory(owner=owner)
    Profile.objects.filter(user=owner).update(country="TR", shows_country=True)
    assert "flags/tr" in page("/play/list/")
    Profile.objects.filter(user=owner).update(shows_country=False)
    assert "flags/tr" not in page("/play/list/")


def test_row_is_in_the_language_of_each_reader() -> None:
    SeekFactory()
    texts = [page("/play/list/", **{"accept-language": code}) for code in ("en", "ru", "en")]
    assert ["about" in text for text in texts] == [True, False, True]


def test_row_of_a_game_offers_each_reader_what_they_may_do() -> None:
    owner, other = player("owner12345"), player("other12345")
    seek: Seek = SeekFactory(owner=owner, stake=10)
    join = f'hx-get="/play/{seek.public_id}/"'
    assert join not in page("/play/list/")
    own, others = page("/play/list/", owner), page("/play/list/", other)
    assert join not in own
    assert "Yours" in own
    assert join in others
    assert join not in page("/play/list/")


def test_score_of_a_running_match_is_the_newest() -> None:
    sitting = StakeSitting(player("white5"), player("black5"), length=5, now=timezone.now())
    sitting.sit().start_game()
    assert "0 : 0" in page("/play/list/")
    sitting.play_until(Phase.BETWEEN_GAMES)
    white, black = sitting.state.score
    assert f"{white} : {black}" in page("/play/list/")
    assert "0 : 0" not in page("/play/list/")


@pytest.mark.parametrize("address", LISTS)
def test_flood_of_list_requests_is_refused(address: str, settings) -> None:  # type: ignore[no-untyped-def]
    settings.ACCOUNT_RATE_LIMITS = {"lobby_lists": "2/h/ip", "list_pages": "2/h/ip"}
    browser = Client()
    answers = [browser.get(address) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert "You are opening too many pages at once" in answers[2].content.decode()


def test_row_is_in_the_time_zone_of_each_reader() -> None:
    sitting = StakeSitting(player("white5"), player("black5"), length=5, now=timezone.now())
    sitting.sit()
    times = []
    for zone in ("Asia/Tokyo", "America/Lima", "Asia/Tokyo"):
        browser = Client()
        browser.cookies["zone"] = zone
        text = browser.get("/play/list/").content.decode()
        times.append(re.search(r"<time [^>]*>([^<]+)<", text))
    shown = [found.group(1) for found in times if found]
    assert shown[0] == shown[2] != shown[1]
    assert all(re.fullmatch(r"\d\d:\d\d", each) for each in shown)
