"""Further parts of the lobby: quick games, online members, the computer in the list."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Block, User
from accounts.people import presence
from games.engine.sides import Side
from lobby.quick_games import QUICK_GAMES
from tests.games.factories import StakeSitting
from tests.lobby.factories import SeekFactory
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def lobby(browser: Client) -> str:
    return browser.get(reverse("lobby:lobby")).content.decode()


@pytest.mark.parametrize("game", QUICK_GAMES, ids=lambda game: game.code)
@pytest.mark.parametrize("page", ["lobby:announce", "lobby:friend"])
def test_a_quick_game_fills_in_the_form(game, page: str) -> None:
    browser = browser_of(player("anna55"))
    link = f"{reverse(page)}?quick={game.code}"
    assert link in lobby(browser)
    form = browser.get(link).context["form"]
    assert form["variant"].value() == game.variant
    assert form["length"].value() == game.length
    assert form["seconds"].value() == game.seconds
    assert game.seconds in dict(form.fields["seconds"].choices)


def test_a_quick_game_is_kept_while_the_age_is_confirmed(settings) -> None:
    settings.MINIMUM_AGE = 18
    page = (
        browser_of(player("anna55")).get(f"{reverse('lobby:announce')}?quick=fast").content.decode()
    )
    assert f"{reverse('wallet:age')}?next=%2Fplay%2Fnew%2F%3Fquick%3Dfast" in page


def test_a_challenged_person_is_kept_while_the_age_is_confirmed(settings) -> None:
    settings.MINIMUM_AGE = 18
    address = reverse("lobby:challenge", args=[player("boris5").public_id])
    page = browser_of(player("anna55")).get(address).content.decode()
    assert f"{reverse('wallet:age')}?next={address.replace('/', '%2F')}" in page


def test_an_unknown_quick_game_changes_nothing() -> None:
    browser = browser_of(player("anna55"))
    plain = browser.get(reverse("lobby:announce")).context["form"].initial
    assert browser.get(f"{reverse('lobby:announce')}?quick=x").context["form"].initial == plain


def test_guests_and_owners_of_a_waiting_game_are_offered_no_game_for_credits() -> None:
    announce = f"{reverse('lobby:announce')}?quick="
    assert announce not in lobby(Client())
    anna = player("anna55")
    SeekFactory(owner=anna)
    page = lobby(browser_of(anna))
    assert announce not in page
    assert f"{reverse('lobby:friend')}?quick=" in page


def test_an_owner_of_a_waiting_game_is_informed_before_filling_in_the_form() -> None:
    anna = player("anna55")
    seek = SeekFactory(owner=anna)
    page = browser_of(anna).get(reverse("lobby:announce")).content.decode()
    assert 'role="alert"' in page
    assert reverse("lobby:seek", args=[seek.public_id]) in page


def test_online_members_are_listed_except_hidden_and_blocked_ones() -> None:
    now = timezone.now()
    people = {name: player(name) for name in ("anna55", "boris5", "clara5", "darya5", "egor55")}
    for name, user in people.items():
        away = timedelta(minutes=5) if name == "egor55" else timedelta()
        presence.touch(user.pk, now - away)
    hidden = people["clara5"].profile
    hidden.shows_online = False
    hidden.save()
    Block.objects.create(owner=people["darya5"], blocked=people["anna55"], created_at=now)
    found = browser_of(people["anna55"]).get(reverse("lobby:lobby")).context
    assert [user.username for user in found["here"]] == ["boris5"]
    visitor = Client().get(reverse("lobby:lobby")).context
    assert [user.username for user in visitor["here"]] == ["anna55", "boris5", "darya5"]


def test_a_game_against_the_computer_starts_with_one_press_in_the_list() -> None:
    page = lobby(Client())
    start = page.index(reverse("games:start_training"))
    assert page.index('id="announced-title"') < start < page.index('id="running-title"')
    answer = Client().post(reverse("games:start_training"), {"variant": "long"})
    assert answer.status_code == 302
    assert "/match/" in answer.headers["Location"]


def test_a_match_in_play_comes_before_the_ways_to_play_and_is_refreshed_with_the_lists() -> None:
    sitting = StakeSitting(player("anna55"), player("boris5"))
    browser = browser_of(sitting.users[Side.WHITE])
    page = lobby(browser)
    assert page.index('id="own-match-title"') < page.index('id="quick-title"')
    assert page.count('id="own-games"') == 1
    update = browser.get(reverse("lobby:list")).content.decode()
    assert '<div id="own-games" hx-swap-oob="true">' in update
    assert 'id="own-match-title"' in update
