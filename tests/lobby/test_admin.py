"""Announced games in the admin: staff take one back with a reason for its owner."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone

from accounts.models import User
from lobby.models import Seek
from lobby.services import joining
from tests.lobby.factories import SeekFactory
from tests.wallet.factories import player
from wallet.selectors import Funds, funds_of

pytestmark = pytest.mark.django_db
SEEKS = "/admin/lobby/seek/"


@pytest.fixture
def anna() -> User:
    return player("annika")


def take_back(client: Client, *rows: Seek, reason: str = "Site closes") -> Any:
    chosen = {"action": "remove", "_selected_action": [row.pk for row in rows]}
    return client.post(SEEKS, {**chosen, "confirmed": "yes", "reason": reason}, follow=True)


def page_of(user: User, address: str) -> str:
    browser = Client()
    browser.force_login(user)
    return browser.get(address).content.decode()


def test_staff_take_a_waiting_game_back_once_and_the_owner_sees_the_reason(client, boss, anna):
    seek = SeekFactory(owner=anna, stake=300)
    assert take_back(client, seek, reason="").status_code == 422
    for _ in range(2):
        take_back(client, seek)
    seek.refresh_from_db()
    assert seek.state == Seek.State.REMOVED
    assert funds_of(anna.pk) == Funds(1000, 0)
    assert [entry.change_message for entry in LogEntry.objects.all()] == ["Canceled: Site closes"]
    for address in ("/profile/", f"/play/{seek.public_id}/"):
        assert "canceled your game: “Site closes”" in page_of(anna, address)
    others = page_of(player("boris"), f"/play/{seek.public_id}/")
    assert "Our team canceled it." in others
    assert "Site closes" not in others


def test_staff_see_the_match_of_a_joined_game_but_cannot_take_it_back(client, boss, anna):
    seek = SeekFactory(owner=anna)
    match = joining.join(seek.public_id, player("boris"), timezone.now())
    assert "Nothing to change." in take_back(client, seek).content.decode()
    assert not LogEntry.objects.exists()
    address = f"/admin/games/match/{match.pk}/change/"
    for page in (SEEKS, f"{SEEKS}{seek.pk}/change/"):
        assert address in client.get(page).content.decode()
