"""Limits that keep newcomers from passing their welcome credits on to another account.

A history of play ends these limits.
"""

from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import Origin
from accounts.shared.refusals import Refused
from config.personal_data import data_of
from games.models import Match
from games.stakes import history
from lobby.models import Seek
from lobby.services import announcing, joining
from tests.accounts.factories import member, sign_in
from tests.config.credits import set_credits
from tests.games.factories import give_history
from tests.lobby.factories import announcement
from tests.wallet.factories import player, total_of

pytestmark = pytest.mark.django_db

HOME, AWAY = "5.6.7.8", "9.10.11.12"
# Credits that any newcomer may stake; one who has earned or bought more may stake that much.
LIMIT = 25
LOBBY = reverse("lobby:lobby")


@pytest.fixture
def newcomer():
    """Return a second account of the person behind `main`.

    The person wants to pass the account's welcome credits on to `main`.
    """
    return member("sock12345")


@pytest.fixture
def main():
    user = player("main12345", 1000)
    give_history(user)
    return user


def visit(user, address=HOME, browser=None):
    """Open a page as the user from a network address, by default in a new browser."""
    browser = sign_in(browser or Client(), user)
    browser.get(LOBBY, REMOTE_ADDR=address)
    return browser


def announce(owner, stake=10, access=Seek.Access.OPEN, invited=None):
    wanted = announcement(stake, access=access, invited_id=invited and invited.pk)
    return announcing.announce(owner, wanted, timezone.now())


def join(seek, user):
    return joining.join(seek.public_id, user, timezone.now())


def refusal_of(do, *args, **more):
    with pytest.raises(Refused) as refused:
        do(*args, **more)
    return refused.value.code


# --- Stakes --------------------------------------------------------------------------------------


def test_a_newcomer_cannot_lose_the_welcome_credits_in_one_game(newcomer, main):
    assert refusal_of(join, announce(main, 100), newcomer) == "stake_limit"
    assert refusal_of(announce, newcomer, 100) == "stake_limit"
    assert not Match.objects.filter(stake_credits__gt=0).exists()
    assert total_of(newcomer) == 100


def test_a_newcomer_may_stake_up_to_the_limit(newcomer, main):
    assert refusal_of(announce, newcomer, LIMIT + 1) == "stake_limit"
    assert join(announce(newcomer, LIMIT), main)


def test_credits_that_were_not_given_may_be_staked(newcomer, main):
    set_credits(newcomer, 160)  # 60 more than the welcome credits
    assert refusal_of(announce, newcomer, 61) == "stake_limit"
    assert join(announce(newcomer, 60), main)


def test_a_history_lifts_the_limit_of_the_stake(newcomer, main):
    give_history(newcomer)
    assert join(announce(main, 100), newcomer)


def test_too_few_counted_matches_do_not_lift_the_limit(newcomer, main):
    give_history(newcomer, history.ENOUGH - 1)
    assert refusal_of(join, announce(main, 100), newcomer) == "stake_limit"


# --- Private games -------------------------------------------------------------------------------


@pytest.mark.parametrize("access", [Seek.Access.LINK, Seek.Access.PERSON])
def test_a_private_game_between_accounts_of_one_network_is_refused(newcomer, main, access):
    visit(newcomer), visit(main)
    invited = newcomer if access == Seek.Access.PERSON else None
    if invited:
        assert refusal_of(announce, main, 10, access, invited) == "newcomers"
    else:
        assert refusal_of(join, announce(main, 10, access), newcomer) == "newcomers"
    assert total_of(newcomer) == 100


def test_a_private_game_from_two_networks_begins(newcomer, main):
    visit(newcomer, HOME), visit(main, AWAY)
    assert join(announce(main, 10, Seek.Access.LINK), newcomer)


def test_a_private_game_of_one_network_begins_once_both_have_a_history(newcomer, main):
    visit(newcomer), visit(main)
    give_history(newcomer)
    assert join(announce(main, 10, Seek.Access.LINK), newcomer)


def test_signing_out_does_not_hide_the_network(newcomer, main):
    visit(main).post(reverse("account_logout"))
    visit(newcomer)
    visit(main, AWAY)
    assert refusal_of(join, announce(main, 10, Seek.Access.LINK), newcomer) == "newcomers"


@pytest.mark.parametrize("access", [Seek.Access.OPEN, Seek.Access.LINK])
def test_a_game_between_accounts_of_one_browser_is_refused(newcomer, main, access):
    browser = visit(main, HOME)
    browser.post(reverse("account_logout"))
    visit(newcomer, AWAY, browser)
    assert refusal_of(join, announce(main, 10, access), newcomer) == "newcomers"


def test_an_open_game_between_accounts_of_one_network_begins(newcomer, main):
    """Thousands of strangers in a mobile network share one address, so it does not count here."""
    visit(newcomer), visit(main)
    assert join(announce(main), newcomer)


def test_an_ipv6_network_is_known_by_its_first_half(newcomer, main):
    visit(newcomer, "2a02:6b8:0:1::5"), visit(main, "2a02:6b8:0:1:ffff::9")
    assert refusal_of(join, announce(main, 10, Seek.Access.LINK), newcomer) == "newcomers"
    other = player("other12345", 1000)
    give_history(other)
    visit(other, "2a02:6b8:0:2::5")
    assert join(announce(other, 10, Seek.Access.LINK), newcomer)


@pytest.mark.parametrize("address", ["127.0.0.1", "192.168.1.7", "10.0.0.1", "::1"])
def test_an_address_of_our_proxy_is_not_compared(newcomer, main, address):
    visit(newcomer, address), visit(main, address)
    assert join(announce(main, 10, Seek.Access.LINK), newcomer)


# --- Stored origins and their lifetime -----------------------------------------------------------


def test_a_network_is_forgotten_after_a_month(newcomer, main):
    visit(newcomer), visit(main)
    with time_machine.travel(timezone.now() + timedelta(days=31), tick=False):
        assert join(announce(main, 10, Seek.Access.LINK), newcomer)
        call_command("forgetorigins")
        assert not Origin.objects.exists()


def test_origins_are_exported_and_stored_without_the_address(newcomer):
    visit(newcomer)
    kinds = [line["kind"] for line in data_of(newcomer)["account"]["origins"]]
    assert sorted(kinds) == ["DEVICE", "NETWORK"]
    assert not Origin.objects.filter(digest__contains=HOME).exists()


def test_closing_the_account_deletes_its_origins(newcomer):
    visit(newcomer)
    closing.close(newcomer.pk, timezone.now())
    assert not Origin.objects.exists()


def test_a_member_of_many_networks_keeps_the_newest(newcomer):
    browser, start = sign_in(Client(), newcomer), timezone.now()
    networks = Origin.objects.filter(user=newcomer, kind="NETWORK")
    digests = []
    for number in range(25):
        # The cache lets a session be noted once in 5 minutes. Clear it: if it is Redis, its clock
        # does not follow time_machine.
        cache.clear()
        with time_machine.travel(start + timedelta(minutes=6 * number), tick=False):
            browser.get(LOBBY, REMOTE_ADDR=f"5.6.7.{number}")
        digests.append(networks.latest("pk").digest)
    assert len(set(digests)) == 25
    assert set(networks.values_list("digest", flat=True)) == set(digests[-20:])


# --- Texts for the player ------------------------------------------------------------------------


def test_the_form_names_the_limit_and_refuses_more(newcomer):
    browser = visit(newcomer)
    page = browser.get(reverse("lobby:announce")).content.decode()
    assert "From 10 to 25 credits" in page
    assert 'value="25"' in page
    answer = browser.post(reverse("lobby:announce"), {"stake": "26", "confirmed": "1"})
    assert answer.status_code == 422
    assert "at most 25 credits" in answer.content.decode()


def test_a_game_above_the_limit_says_so_instead_of_offering_to_join(newcomer, main):
    seek = announce(main, 100)
    page = visit(newcomer).get(reverse("lobby:seek", args=[seek.public_id])).content.decode()
    assert "at most 25 credits" in page
    assert reverse("lobby:join", args=[seek.public_id]) not in page


def test_games_above_the_limit_are_not_listed_as_joinable(newcomer, main):
    seek = announce(main, 100)
    page = visit(newcomer).get(LOBBY, {"joinable": "on"}).content.decode()
    assert seek.public_id not in page


def test_a_refused_private_game_is_explained(newcomer, main):
    visit(main)
    seek = announce(main, 10, Seek.Access.LINK)
    join = reverse("lobby:join", args=[seek.public_id])
    answer = visit(newcomer).post(join, {"confirmed": "1"}, follow=True)
    assert "once each of you has played 5 matches that count" in answer.content.decode()


def test_the_page_of_credits_names_the_limits(newcomer):
    page = visit(newcomer).get("/credits/").content.decode()
    assert "you can stake at most 25 credits" in page
