"""The switch that hides credits, gifts and counts in the header."""

import pytest
from django.test import Client

from accounts.models import Preferences, User
from tests.accounts.factories import sign_in
from tests.accounts.profile.test_profile import page_of, save
from tests.lobby.factories import SeekFactory
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


def header_of(user: User, path: str = "/header/") -> str:
    client = Client()
    client.force_login(user)
    return client.get(path).content.decode()


def test_calm_header_hides_counts_and_shows_credits_and_gifts_in_its_menu_only():
    SeekFactory(owner=player("owner5"))
    poor = player("poor5", credits=123)
    assert header_of(poor).count("123") == 2  # beside the coins and in the menu
    assert "A gift is ready" in header_of(poor)
    assert "1 game to join" in header_of(poor)
    Preferences.objects.filter(user=poor).update(has_calm_header=True)
    for path in ("/header/", "/en/"):
        text = header_of(poor, path)
        assert text.count("123") == 1
        assert "A gift is ready" not in text
        assert "1 game to join" not in text.split('id="content"')[0]
        assert "ready</span>" in text  # in the menu


def test_the_profile_page_sets_the_calm_header(client):
    user = player("calm5")
    assert save(sign_in(client, user), has_calm_header="on").status_code == 303
    assert Preferences.objects.get(user=user).has_calm_header
    assert page_of(client).context["form"]["has_calm_header"].value() is True
