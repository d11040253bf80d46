"""The live header: the visitor, credits, menu, and the parts that update by themselves."""

import re

import pytest
from django.conf import settings as django_settings
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from accounts.models import Preferences, User
from config import navigation
from config.navigation import Count, NavigationItem
from games.engine.sides import Side
from tests.accounts.factories import PASSWORD, member, sign_in, unactivated
from tests.config.credits import set_credits
from tests.games.factories import StakeSitting
from tests.tournaments.factories import announced
from tests.wallet.factories import player
from tournaments.models import Tournament
from tournaments.selectors import RUNNING_KEPT_S, RUNNING_KEY, running_count

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

LANGUAGE = django_settings.LANGUAGE_COOKIE_NAME


@pytest.fixture
def anna():
    return member("Anna123456")


@pytest.fixture
def annas(anna):
    """Return a browser in which Anna is signed in."""
    return sign_in(Client(), anna)


def page_of(browser, path="/en/", **options):
    return browser.get(path, **options).content.decode()


def element(page, id):
    """Return the element with the id, up to the first end tag of its kind; "" if there is none."""
    found = re.search(rf'<(\w+)[^>]* id="{id}".*?</\1>', page, re.DOTALL)
    return found.group() if found else ""


# --- Visitors ---------------------------------------------------------------------------------


def test_visitor_sees_sign_in_and_sign_up(client):
    page = page_of(client)
    for name in ("account_login", "account_signup", "account_reset_password"):
        assert f'href="{reverse(name)}"' in page
    assert reverse("account_logout") not in page
    assert "data-site-socket" not in page
    assert "js/site/member" not in page
    assert "js/site/every-page" in page


def test_visitor_menu_has_playing_first(client):
    menu = page_of(client).split('id="person"')[1].split("menu-sheet")[1]
    assert menu.index(reverse("games:training")) < menu.index(reverse("account_login"))


def test_signing_in_leads_back_to_the_page(client):
    page = page_of(client, "/training/?variant=long")
    assert f"{reverse('account_login')}?next=/training/%3Fvariant%3Dlong" in page


def test_signing_up_leads_back_to_the_page(client):
    page = page_of(client, "/training/?variant=long")
    assert page.count(f"{reverse('account_signup')}?next=/training/%3Fvariant%3Dlong") == 2


def test_visitor_who_may_not_see_a_page_is_offered_to_sign_in_and_return(client, anna):
    path = "/play/friend/AAAAAAAAAAAA/"  # such as the link to a challenge in an email
    answer = client.get(path)
    assert answer.status_code == 404
    content = answer.content.decode().split("<main")[1]
    assert f'href="{reverse("account_login")}?next={path}"' in content
    sign_in(client, anna)
    assert reverse("account_login") not in client.get(path).content.decode()


@pytest.mark.parametrize("path", ["/en/", "/account/login/", "/account/signup/"])
def test_sign_in_links_on_home_and_account_pages_have_no_return_address(client, path):
    header = page_of(client, path).split("</header>")[0]
    assert "?next=" not in header


# --- Members ----------------------------------------------------------------------------------


def test_member_sees_name_credits_and_menu(annas, anna):
    set_credits(anna, 1_234_567, reserved=500)
    page = page_of(annas)
    assert '<span class="face-name">Anna123456</span>' in page
    assert "1,234,567" in element(page, "balance")
    funds = element(page, "funds")
    assert "1,234,567" in funds
    assert ">500<" in funds
    for name in ("people:profile", "wallet:statement", "account_sessions", "account_logout"):
        assert f'"{reverse(name)}"' in page
    assert reverse("account_signup") not in page
    assert 'data-site-socket="/ws/site/"' in page


@pytest.mark.parametrize(
    ("language", "figure"), [("en", "1,234,567"), ("ru", "1\xa0234\xa0567"), ("tr", "1.234.567")]
)
def test_thousands_are_separated_as_in_the_language(annas, anna, language, figure):
    set_credits(anna, 1_234_567)
    assert figure in element(page_of(annas, f"/{language}/"), "balance")


def test_member_before_the_first_credits_has_0():
    annas = sign_in(Client(), unactivated("Anna123456"))
    assert ">0<" in element(page_of(annas), "balance")


def test_members_do_not_see_staff_links(annas):
    page = page_of(annas)
    assert reverse("admin:index") not in page
    assert reverse("account_outbox") not in page


def test_staff_see_their_links_and_in_a_demonstration_the_outbox(annas, anna, settings):
    User.objects.update(is_staff=True)
    page = page_of(annas)
    assert f'href="{reverse("admin:index")}"' in page
    assert f'href="{reverse("account_outbox")}"' in page
    settings.DEMO = False
    assert reverse("account_outbox") not in page_of(annas)


def test_home_greets_a_member_without_offering_an_account(annas):
    page = page_of(annas)
    assert "Good to see you, Anna123456" in page
    assert "No account" not in page


def test_member_page_needs_few_queries(annas, django_assert_max_num_queries):
    annas.get("/whats-new/")  # the first request also records the device
    # The queries read the session, user, preferences, profile and credits; the member's match,
    # friendly match, announced game and search; challenges and answers to them; games that the
    # member wishes for; the next gift; unread messages; friends' requests; the member's recent
    # matches, for the reminder of long play; and whether there is a game to join.
    with django_assert_max_num_queries(16):
        annas.get("/whats-new/")


# --- The parts that change by themselves ------------------------------------------------------


def test_update_returns_parts_with_the_ids_that_they_replace(annas, anna):
    page = page_of(annas)
    set_credits(anna, 4321)
    part = page_of(annas, reverse("header"))
    for id in ("balance", "funds", "face"):
        assert 'hx-swap-oob="true"' in element(part, id)
        assert element(page, id)
    assert "4,321" in element(part, "balance")


def test_parts_hold_nothing_that_can_be_open_or_focused(annas):
    part = page_of(annas, reverse("header"))
    assert not re.search(r"<(details|summary|a|button|form|input)\b", part)


def test_page_fetches_the_parts_on_nudges(annas):
    page = page_of(annas)
    assert f'hx-get="{reverse("header")}"' in page
    for event in ("nudge-balance", "nudge-profile", "nudge-any", "signed-out"):
        assert f"{event} from:body" in page


def test_sign_out_elsewhere_turns_the_header_into_that_of_a_visitor(client):
    where = {"HX-Request": "true", "HX-Current-URL": "http://testserver/training/"}
    part = page_of(client, reverse("header"), headers=where)
    assert 'hx-swap-oob="true"' in element(part, "person")
    assert f"{reverse('account_login')}?next=/training/" in part
    assert f'value="{reverse("header")}"' not in part  # the theme form leads back to the page


def test_parts_are_not_cached(annas):
    assert "no-store" in annas.get(reverse("header")).headers["Cache-Control"]


@pytest.mark.parametrize("name", ["lobby:play_now", "lobby:presets", "lobby:conduct"])
def test_further_pages_of_a_navigation_item_mark_it_as_the_current_one(annas, name):
    current = f'href="{reverse("lobby:lobby")}" aria-current="page"'
    assert current in page_of(annas, reverse(name))
    assert current not in page_of(annas)


def test_item_without_a_count_shows_no_badge(client, monkeypatch):
    monkeypatch.setattr(navigation, "ITEMS", [NavigationItem("home", "Home", "house", "home")])
    assert 'class="count"' not in page_of(client)


def test_count_is_shown_as_a_figure_and_read_as_a_sentence(client, monkeypatch):
    waiting = NavigationItem(
        "play", "Play", "dices", "home", (), lambda request: Count(3, "3 games to join")
    )
    monkeypatch.setattr(navigation, "ITEMS", [waiting])
    for page in (page_of(client), page_of(client, reverse("header"))):
        count = element(page, "count-play")
        assert '<span class="badge" aria-hidden="true">3</span>' in count
        assert '<span class="visually-hidden">3 games to join</span>' in page
    assert 'hx-swap-oob="true"' in count


def run(tournament):
    changes = {"state": "RUNNING", "started_at": timezone.now(), "secret": "00" * 32}
    Tournament.objects.filter(pk=tournament.pk).update(**changes)


@pytest.mark.parametrize(
    ("running", "sentence"),
    [(0, ""), (1, "1 tournament in progress"), (2, "2 tournaments in progress")],
)
def test_members_see_how_many_tournaments_are_in_progress(annas, client, running, sentence):
    for number in range(running):
        run(announced(name=f"Cup {number}"))
    announced()
    caches["pages"].delete(RUNNING_KEY)
    count = element(page_of(annas), "count-tournaments")
    assert (f'aria-hidden="true">{running}</span>' in count) == bool(running)
    assert sentence in page_of(annas, reverse("header"))
    assert "badge" not in element(page_of(client), "count-tournaments")


def test_the_count_of_tournaments_costs_one_query_every_few_seconds(django_assert_num_queries):
    caches["pages"].delete(RUNNING_KEY)
    with django_assert_num_queries(1):
        assert [running_count() for _ in range(5)] == [0] * 5


def test_the_count_of_tournaments_is_counted_again_after_some_seconds(time_machine):
    time_machine.move_to(timezone.now(), tick=False)
    caches["pages"].delete(RUNNING_KEY)
    assert running_count() == 0
    run(announced())
    time_machine.shift(RUNNING_KEPT_S - 1)
    assert running_count() == 0
    time_machine.shift(2)
    assert running_count() == 1


def test_item_with_nothing_to_count_keeps_its_element_without_a_badge(client, monkeypatch):
    quiet = NavigationItem("play", "Play", "dices", "home", (), lambda request: None)
    monkeypatch.setattr(navigation, "ITEMS", [quiet])
    assert "badge" not in page_of(client)
    assert 'id="count-play"' in page_of(client)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/en/", "home"),
        ("/training/", "play"),
        ("/tournaments/", "tournaments"),
        ("/tournaments/list/mine/", "tournaments"),
        ("/en/rules/long/", "rules"),
    ],
)
def test_current_item_is_marked(client, path, place):
    page = page_of(client, path)
    marked = re.findall(r'href="([^"]+)" aria-current="page"', page)
    with override("en"):
        names = {
            "home": "home",
            "play": "games:training",
            "rules": "rules_short",
            "tournaments": "tournaments:tournaments",
        }
        assert marked == [reverse(names[place])]


@pytest.mark.parametrize(
    ("kind", "place"), [("training", "games:training"), ("stake", "lobby:lobby")]
)
def test_table_is_marked_as_training_or_play(client, kind, place):
    if kind == "training":
        path = client.post("/training/", {})["Location"]
    else:
        sitting = StakeSitting(player("white5"), player("black5"))
        client.force_login(sitting.users[Side.WHITE])
        path = reverse("games:match", args=[sitting.public_id])
    marked = re.findall(r'href="([^"]+)" aria-current="page"', page_of(client, path))
    assert marked == [reverse(place)]


# --- Language and colors ----------------------------------------------------------------------


def preferences():
    return Preferences.objects.get()


@pytest.mark.parametrize("language", ["en", "ru", "tr"])
def test_each_language_is_named_in_that_language(client: Client, language: str) -> None:
    page = client.get(f"/{language}/").content.decode()
    for name in ("English", "Русский", "Türkçe"):
        assert f">{name}</button>" in page


def test_member_language_is_saved_in_the_account(annas):
    annas.post(reverse("set_language"), {"language": "tr", "next": "/en/"})
    assert preferences().language == "tr"


def test_unknown_language_is_not_saved(annas):
    before = preferences().language
    annas.post(reverse("set_language"), {"language": "xx", "next": "/en/"})
    assert preferences().language == before


def test_sign_in_applies_the_saved_language(anna, client):
    Preferences.objects.update(language="ru")
    response = client.get("/en/")
    assert response.cookies[LANGUAGE].value == "en"
    response = sign_in_by_form(client)
    assert response.cookies[LANGUAGE].value == "ru"
    assert response.headers["Location"] == "/ru/"
    assert '<html lang="ru"' in page_of(client, "/training/")


def sign_in_by_form(client):
    form = {"login": "Anna123456", "password": PASSWORD}
    return client.post(reverse("account_login"), form)


def test_member_without_a_language_gets_that_of_the_sign_in_page(anna, client):
    client.get("/tr/")
    sign_in_by_form(client)
    assert preferences().language == "tr"


def test_page_in_another_language_does_not_change_the_saved_one(annas):
    annas.post(reverse("set_language"), {"language": "tr", "next": "/en/"})
    assert '<html lang="ru"' in page_of(annas, "/ru/")
    assert '<html lang="tr"' in page_of(annas, "/training/")


def test_member_theme_is_the_same_on_every_device(annas, anna):
    annas.post(reverse("set_theme"), {"theme": "light", "next": "/en/"})
    elsewhere = Client()
    elsewhere.cookies["theme"] = "dark"
    sign_in(elsewhere, anna)
    assert 'data-theme="light"' in page_of(elsewhere)
    annas.post(reverse("set_theme"), {"theme": "", "next": "/en/"})
    assert "data-theme" not in page_of(elsewhere)


# --- Partials and sessions that have ended ----------------------------------------------------


def test_partial_of_an_ended_session_redirects_the_whole_page_to_sign_in(client):
    where = {"HX-Request": "true", "HX-Current-URL": "http://testserver/whats-new/"}
    response = client.get(reverse("wallet:statement"), headers=where)
    assert response.status_code == 204
    expected = f"{reverse('account_login')}?next=%2Fwhats-new%2F"
    assert response.headers["HX-Redirect"] == expected


def test_sign_in_changes_the_session_key(anna, client):
    """Otherwise a person who knew the earlier key would be signed in too."""
    client.post(reverse("games:training"), {"variant": "short"})
    session = client.session
    session["guest"] = "11111111-2222-3333-4444-555555555555"
    session.save()
    client.cookies[django_settings.SESSION_COOKIE_NAME] = session.session_key
    before = session.session_key
    sign_in_by_form(client)
    after = client.cookies[django_settings.SESSION_COOKIE_NAME].value
    assert after != before
    assert client.session["_auth_user_id"] == str(anna.pk)
    stranger = Client()
    stranger.cookies[django_settings.SESSION_COOKIE_NAME] = before
    assert "Anna123456" not in page_of(stranger)
