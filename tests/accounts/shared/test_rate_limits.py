"""Too many attempts are refused per account and network address, with a time to return."""

import itertools
import time

import pytest
from django.contrib.auth import SESSION_KEY
from django.core.cache import cache

from tests.accounts.factories import PASSWORD, member

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
LOGIN = "/account/login/"
RESET = "/account/password/reset/"


class Clock:
    """Advance a little at each call: limits tell attempts apart by their time."""

    def __init__(self):
        self.now = time.time()
        self._looks = itertools.count(1)

    def __call__(self):
        return self.now + next(self._looks) * 1e-6


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Keep all attempts inside a limit's minute on slow machines."""
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
    return [enter(client, login, **more).status_code for _ in range(times)]


def test_five_failures_lock_an_account_from_every_address_even_for_the_right_password(client, anna):
    assert fail(client, "annika", 5) == [422] * 5
    response = enter(client, "annika", PASSWORD, address="203.0.113.9")
    assert response.status_code == 429
    assert SESSION_KEY not in client.session


def test_letters_that_the_database_folds_count_as_one_login(client):
    """PostgreSQL matches `sissi` with any of these."""
    typed = ["sissi", "\N{LATIN SMALL LETTER LONG S}issi", "SISS\N{LATIN SMALL LETTER DOTLESS I}"]
    assert [fail(client, login, 1) for login in (*typed, "Sissi", "SISSI")] == [[422]] * 5
    assert enter(client, "sissi").status_code == 429


def test_page_says_until_when_to_wait(client, anna):
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


def test_ten_failures_in_a_minute_lock_a_network_address(client, anna):
    for number in range(10):
        assert fail(client, f"guess{number}", 1) == [422]
    assert fail(client, "guess11", 1) == [429]
    assert fail(client, "guess11", 1, address="203.0.113.9") == [422]


def test_ipv6_addresses_of_one_64_count_as_one(client):
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


def test_get_of_the_page_is_not_limited(client):
    assert {client.get(LOGIN).status_code for _ in range(40)} == {200}


def test_emails_with_links_are_limited_per_mailbox_known_or_not(client, anna):
    for email in ("annika@example.org", "nobody@example.org"):
        answers = [client.post(RESET, {"email": email}).status_code for _ in range(4)]
        assert answers == [302, 302, 302, 429]


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
