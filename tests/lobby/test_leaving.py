"""Sign-out, account closing and a ban while a game for credits waits or runs."""

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.utils import timezone

from accounts.closing import services as closing
from accounts.members import services as members
from accounts.models import User
from games.engine.sides import Side
from games.models.kind import STAKE
from lobby.models import Seek
from lobby.services import announcing
from tests.games.factories import StakeSitting
from tests.lobby.factories import announcement
from tests.wallet.factories import player
from wallet.selectors import Funds, funds_of

pytestmark = pytest.mark.django_db
LOGOUT, SESSIONS = "/account/logout/", "/account/sessions/"


@pytest.fixture
def anna() -> User:
    return player("annika")


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def is_signed_in(client: Client) -> bool:
    return SESSION_KEY in client.session


@pytest.mark.parametrize(
    ("address", "form"),
    [(LOGOUT, {}), (LOGOUT, {"next": "/rules/"}), (SESSIONS, {"scope": "everywhere"})],
)
def test_sign_out_warns_about_running_stake_match(anna, address, form):
    sitting = StakeSitting(anna, player("boris")).sit().start_game()
    client = browser(anna)
    page = client.post(address, form).content.decode()
    assert "Your match (stake: 100) continues without you" in page
    assert "away for 90 seconds" in page or "away for 89 seconds" in page
    assert f'href="/match/{sitting.public_id}/"' in page
    for name, value in form.items():
        assert f'name="{name}" value="{value}"' in page
    assert is_signed_in(client)
    assert client.post(address, {**form, "confirmed": "yes"}).status_code == 302
    assert not is_signed_in(client)


def test_sign_out_page_shows_the_warning_before_the_form_is_sent(anna):
    StakeSitting(anna, player("boris"))
    page = browser(anna).get(LOGOUT).content.decode()
    assert "Your match is about to begin" in page
    assert STAKE.no_start_after is not None
    seconds = STAKE.no_start_after.total_seconds()
    assert f"not at the table within {seconds:.0f} seconds" in page


def test_sign_out_warns_about_an_announced_game_which_stays_open(anna):
    seek = announcing.announce(anna, announcement(), timezone.now())
    client = browser(anna)
    assert f"/play/{seek.public_id}/" in client.post(LOGOUT).content.decode()
    client.post(LOGOUT, {"confirmed": "yes"})
    assert not is_signed_in(client)
    assert Seek.objects.get().state == Seek.State.OPEN


def test_sign_out_without_a_game_needs_no_confirmation(anna):
    sitting = StakeSitting(anna, player("boris")).sit().start_game()
    sitting.do("resign_match", side=Side.WHITE)
    client = browser(anna)
    assert client.post(LOGOUT).status_code == 302
    assert not is_signed_in(client)


def test_an_account_is_not_closed_while_its_match_runs(anna):
    sitting = StakeSitting(anna, player("boris")).sit().start_game()
    with pytest.raises(closing.Refused, match="playing"):
        closing.close(anna.pk, timezone.now())
    sitting.do("resign_match", side=Side.WHITE)
    closing.close(anna.pk, timezone.now())


def test_ban_takes_the_announced_game_back(anna):
    announcing.announce(anna, announcement(stake=300), timezone.now())
    members.ban(anna.pk)
    assert Seek.objects.get().state == Seek.State.CANCELED
    assert funds_of(anna.pk) == Funds(1000, 0)
