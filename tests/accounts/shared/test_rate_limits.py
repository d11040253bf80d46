"""Too many attempts are refused per account and network address, with the time to wait."""

import itertools
import time

import pytest
from django.contrib.auth import SESSION_KEY
from django.core import signing
from django.core.cache import cache
from django.test import Client, RequestFactory

from accounts.models import User
from accounts.shared import rate_limits
from accounts.shared.client_address import WIDE_SHARE
from tests.accounts.factories import PASSWORD, member, sign_in, sign_in_now
from tests.accounts.mail.mailbox import emails_to, last_to, link_in
from tests.accounts.signup.signing_up import sign_up

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
LOGIN = "/account/login/"
RESET = "/account/password/reset/"
ADD = "/account/email/add/"


class Clock:
    """A clock that advances a little at each call: limits tell attempts apart by their time."""

    def __init__(self):
        self.now = time.time()
        self._looks = itertools.count(1)

    def __call__(self):
        return self.now + next(self._looks) * 1e-6


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Keep all attempts of a test within one minute, even on a slow machine."""
    clock = Clock()
    monkeypatch.setattr(time, "time", clock)
    return clock


@pytest.fixture
def anna():
    return member("annika")


def enter(client, login, password="Wrong1234", address="198.51.100.1", **headers):
    return client.post(
        LOGIN, {"login": login, "password": password}, REMOTE_ADDR=address, **headers
    )


def fail(client, login, times, **more):
    """Sign in with a wrong password `times` times; return the status of each answer."""
    return [enter(client, login, **more).status_code for _ in range(times)]


HERE, ELSEWHERE = "198.51.100.1", "203.0.113.9"


def test_five_failures_lock_an_account_for_their_network_even_for_the_right_password(client, anna):
    assert fail(client, "annika", 5) == [422] * 5
    assert enter(client, "annika", PASSWORD).status_code == 429
    assert SESSION_KEY not in client.session


def come_and_go(client, login):
    """Sign in and out by the forms, since `Client.logout` would delete the browser's cookies."""
    assert enter(client, login, PASSWORD).status_code == 302
    assert client.post("/account/logout/").status_code == 302


def test_strangers_wrong_passwords_do_not_lock_the_owner_out_elsewhere(client, anna):
    fail(client, "annika", 6, address=HERE)
    assert enter(Client(), "annika", PASSWORD, address=ELSEWHERE).status_code == 302


def test_wrong_passwords_of_one_network_do_not_lock_a_known_device_in_it(client, anna):
    come_and_go(client, "annika")
    stranger = Client()
    fail(stranger, "annika", 6)
    for number in range(30):
        enter(stranger, f"guess{number}")
    assert enter(client, "Annika@Example.org", PASSWORD).status_code == 302


def test_known_device_locks_itself_after_five_failures(client, anna):
    come_and_go(client, "annika")
    assert fail(client, "annika", 5) == [422] * 5
    assert enter(client, "annika", PASSWORD, address=ELSEWHERE).status_code == 429
    assert enter(Client(), "annika", PASSWORD).status_code == 302


def test_device_of_one_account_is_not_exempt_for_another(client, anna):
    member("boris1")
    come_and_go(client, "boris1")
    assert fail(client, "annika", 6) == [422] * 5 + [429]


def test_made_up_device_is_not_exempt(client, anna):
    client.cookies["device"] = signing.dumps({"id": "1", "users": [anna.pk]}, salt="another")
    assert fail(client, "annika", 6) == [422] * 5 + [429]


def test_guessing_from_many_networks_is_limited_except_on_a_known_device(client, anna, settings):
    few = {**settings.ACCOUNT_RATE_LIMITS, "login_failed_anywhere": "7/h/key"}
    settings.ACCOUNT_RATE_LIMITS = few
    come_and_go(client, "annika")
    answers = []
    for number in range(8):
        answers += fail(Client(), "annika", 1, address=f"2001:db8:0:{number:x}::1")
    assert answers == [422] * 7 + [429]
    assert enter(Client(), "annika", PASSWORD, address=ELSEWHERE).status_code == 429
    assert enter(client, "annika", PASSWORD, address=ELSEWHERE).status_code == 302


def test_right_password_does_not_count_as_an_attempt(client, anna):
    for _ in range(6):
        assert enter(Client(), "annika", PASSWORD).status_code == 302


def test_page_of_a_locked_account_offers_a_reset_by_email(client, anna):
    page = locked_page(client, "annika")
    assert f'href="{RESET}"' in page
    assert "choose a new password by email" in page


def test_page_of_a_refused_reset_names_the_emails_already_sent(client, anna):
    *_, refused = [client.post(RESET, {"email": "annika@example.org"}) for _ in range(4)]
    assert refused.status_code == 429
    assert "check your inbox" in refused.content.decode()


def test_page_of_another_limit_does_not_offer_a_reset_by_email(client, anna):
    sign_in(client, anna)
    *_, refused = [client.post("/account/password/change/") for _ in range(4)]
    assert refused.status_code == 429
    assert f'href="{RESET}"' not in refused.content.decode()


def locked_page(client, login):
    fail(client, login, 5)
    refused = enter(client, login)
    assert refused.status_code == 429
    return refused.content.decode()


def test_spellings_that_the_database_treats_as_equal_count_as_one_login(client):
    """PostgreSQL matches `sissi` with each of the typed logins."""
    typed = ["sissi", "\N{LATIN SMALL LETTER LONG S}issi", "SISS\N{LATIN SMALL LETTER DOTLESS I}"]
    assert [fail(client, login, 1) for login in (*typed, "Sissi", "SISSI")] == [[422]] * 5
    assert enter(client, "sissi").status_code == 429


def test_page_shows_the_time_to_wait(client, anna):
    fail(client, "annika", 5)
    response = enter(client, "annika")
    assert 240 < int(response["Retry-After"]) <= 300
    assert "Too many attempts" in response.content.decode()
    assert "in 5 minutes" in response.content.decode()


def test_lock_expires(client, anna, clock):
    fail(client, "annika", 5)
    wait = int(enter(client, "annika")["Retry-After"])
    clock.now += wait - 1
    assert enter(client, "annika", PASSWORD).status_code == 429
    clock.now += 2
    assert enter(client, "annika", PASSWORD).status_code == 302


def test_lock_is_the_same_for_unknown_accounts(client):
    assert fail(client, "nobody1", 6) == [422] * 5 + [429]


def test_locked_account_does_not_lock_the_others(client, anna):
    member("boris1")
    fail(client, "annika", 6)
    assert enter(client, "boris1", PASSWORD).status_code == 302


def test_case_and_spaces_do_not_bypass_the_lock(client, anna):
    fail(client, "annika", 5)
    assert fail(client, " ANNIKA ", 1) == [429]


def test_host_header_port_does_not_bypass_the_lock(client, anna):
    for port in range(5):
        enter(client, "annika", headers={"host": f"testserver:{8000 + port}"})
    assert enter(client, "annika", headers={"host": "testserver:9000"}).status_code == 429


def test_success_does_not_reset_the_failures_of_an_address(client, anna):
    for number in range(10):
        enter(client, f"guess{number}")
        if number == 5:
            assert enter(client, "annika", PASSWORD).status_code == 302
            client.logout()
    assert fail(client, "guess11", 1) == [429]


def test_new_password_of_one_account_does_not_reset_the_failures_of_an_address(client, anna):
    """Otherwise an attacker with one account could go on guessing others from that network."""
    ask_reset(client)
    page = client.get(link_in(last_to("annika@example.org")), REMOTE_ADDR=HERE, follow=True)
    fail(client, "annika", 5)
    for number in range(5):
        fail(client, f"guess{number}", 1)
    form, password = page.request["PATH_INFO"], {"password1": "Other7passphrase"}
    assert client.post(form, password, REMOTE_ADDR=HERE).status_code == 302
    assert fail(client, "guess11", 1) == [429]
    assert enter(Client(), "annika", "Other7passphrase", address=ELSEWHERE).status_code == 302


def test_ten_failures_in_a_minute_lock_a_network_address(client, anna):
    for number in range(10):
        assert fail(client, f"guess{number}", 1) == [422]
    assert fail(client, "guess11", 1) == [429]
    assert fail(client, "guess11", 1, address="203.0.113.9") == [422]


def test_ipv6_addresses_of_one_64_bit_prefix_count_as_one(client):
    for number in range(10):
        fail(client, f"guess{number}", 1, address=f"2001:db8:1:2::{number:x}")
    assert fail(client, "guess11", 1, address="2001:db8:1:2:ffff::1") == [429]
    assert fail(client, "guess11", 1, address="2001:db8:1:3::1") == [422]


def test_forged_forwarded_header_does_not_bypass_the_lock(client):
    for number in range(10):
        fail(client, f"guess{number}", 1, headers={"x-forwarded-for": f"192.0.2.{number}"})
    assert fail(client, "guess11", 1, headers={"x-forwarded-for": "192.0.2.99"}) == [429]


def test_forwarded_header_of_our_proxy_counts(client, settings):
    settings.PROXY_COUNT = 1
    for number in range(10):
        fail(client, f"guess{number}", 1, headers={"x-forwarded-for": f"1.1.1.1, 192.0.2.{number}"})
    assert fail(client, "guess11", 1, headers={"x-forwarded-for": "192.0.2.5"}) == [422]


def test_visitors_without_an_address_are_counted_together(client):
    for number in range(10):
        fail(client, f"guess{number}", 1, address="")
    assert fail(client, "guess11", 1, address="") == [429]


def test_get_of_the_login_page_is_not_limited(client):
    assert {client.get(LOGIN).status_code for _ in range(40)} == {200}


def ask_reset(client, email="annika@example.org", address=HERE):
    return client.post(RESET, {"email": email}, REMOTE_ADDR=address).status_code


def test_emails_with_links_are_limited_alike_for_known_and_unknown_mailboxes(client, anna):
    for email in ("annika@example.org", "nobody@example.org"):
        assert [ask_reset(client, email) for _ in range(4)] == [302, 302, 302, 429]


def test_strangers_requests_do_not_block_the_owners_reset(client, anna):
    assert [ask_reset(client) for _ in range(4)][-1] == 429
    assert ask_reset(Client(), address=ELSEWHERE) == 302


def test_reset_from_a_known_device_is_not_blocked_by_its_network(client, anna):
    come_and_go(client, "annika")
    for number in range(21):
        ask_reset(Client(), f"guess{number}@example.org")
    for number in range(6):
        ask_reset(Client(), address=f"192.0.2.{number}")
    assert ask_reset(Client(), address="192.0.2.99") == 429
    assert [ask_reset(client) for _ in range(4)] == [302, 302, 302, 429]


def test_mailbox_that_many_networks_filled_holds_a_link_that_works(client, anna):
    answers = [ask_reset(Client(), address=f"192.0.2.{number}") for number in range(7)]
    assert answers == [302] * 6 + [429]
    assert client.get(link_in(last_to("annika@example.org"))).status_code == 302


def test_strangers_sign_ups_do_not_use_up_the_emails_of_a_mailbox(settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "confirm_email": "2/d/key"}
    for number in range(3):
        sign_up(Client(REMOTE_ADDR=HERE), f"stranger{number}", "anna@example.org")
    assert len(emails_to("anna@example.org")) == 2
    sign_up(Client(REMOTE_ADDR=ELSEWHERE), "annika", "anna@example.org")
    assert len(emails_to("anna@example.org")) == 3


def test_other_spellings_of_a_mailbox_bring_it_no_more_emails(settings):
    settings.ACCOUNT_RATE_LIMITS = {
        **settings.ACCOUNT_RATE_LIMITS,
        "confirm_email_anywhere": "3/d/key",
        "reset_password_anywhere": "2/h/key",
    }
    spellings = [f"an.na+{number}@gmail.com" for number in range(5)]
    for number, email in enumerate(spellings):
        sign_up(Client(REMOTE_ADDR=f"198.51.100.{number}"), f"person{number}", email)
    assert sum(len(emails_to(email)) for email in spellings) == 3
    answers = [
        Client(REMOTE_ADDR=f"203.0.113.{number}").post(RESET, {"email": email}).status_code
        for number, email in enumerate(spellings)
    ]
    assert answers == [302, 302, 429, 429, 429]


def test_another_account_does_not_use_up_the_attempts_to_add_an_email():
    both = [member("boris1"), member("annika")]
    User.objects.update(email="")
    asked = {"email": "anna@example.org"}
    stranger, owner = (sign_in_now(Client(), user) for user in both)
    assert [stranger.post(ADD, asked).status_code for _ in range(4)] == [302, 302, 302, 429]
    assert owner.post(ADD, asked).status_code == 302


def test_emails_with_links_are_limited_per_network_address(client):
    answers = [
        client.post(RESET, {"email": f"guess{number}@example.org"}).status_code
        for number in range(21)
    ]
    assert answers == [302] * 20 + [429]


def test_refusal_is_a_page_in_the_language_of_the_visitor(client):
    fail(client, "nobody1", 5)
    response = enter(client, "nobody1", headers={"accept-language": "ru"})
    assert response.status_code == 429
    assert 'lang="ru"' in response.content.decode()


def test_clearing_the_cache_resets_the_limits(client, anna):
    fail(client, "annika", 6)
    cache.clear()
    assert enter(client, "annika", PASSWORD).status_code == 302


def test_owner_of_many_ipv6_networks_cannot_read_without_limit(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"list_pages": "2/h/ip"}
    found = [
        client.get("/leaders/", REMOTE_ADDR=f"2001:db8:1:{number:x}::1")
        for number in range(2 * WIDE_SHARE + 1)
    ]
    assert [answer.status_code for answer in found] == [200] * 2 * WIDE_SHARE + [429]
    assert 0 < int(found[-1]["Retry-After"]) <= 3600
    assert client.get("/leaders/", REMOTE_ADDR="2001:db8:2::1").status_code == 200


def test_owner_of_many_ipv6_networks_cannot_become_guests_without_limit(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"guest_training": "1/h/ip"}
    found = [
        Client().post("/training/start/", REMOTE_ADDR=f"2001:db8:1:{number:x}::1").status_code
        for number in range(WIDE_SHARE + 1)
    ]
    assert found == [302] * WIDE_SHARE + [429]


@pytest.mark.parametrize("action", ["training", "friendly"])
def test_member_cannot_begin_matches_without_limit(action, clock):
    """Matches of members are never deleted, so a limit per ten minutes alone is not enough."""
    request = RequestFactory().post("/")
    request.user = member("anna")
    begun = 0
    for _ in range(10):
        begun += sum(rate_limits.count_start(request, action) is None for _ in range(60))
        clock.now += 601
    assert begun == 500


def test_owner_of_many_ipv6_networks_cannot_sign_up_without_limit(settings):
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/h/ip"}
    found = [
        Client().post("/account/signup/", REMOTE_ADDR=f"2001:db8:1:{number:x}::1").status_code
        for number in range(WIDE_SHARE + 1)
    ]
    assert found == [422] * WIDE_SHARE + [429]
