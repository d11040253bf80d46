"""Anyone can become a new guest, so guests' matches, reviews and hints are limited by network."""

import pytest
from django.test import Client

from games.coach import session
from games.coach.session import Allowance, CoachSession
from games.engine.rules import Rules
from games.models import Match, Review
from games.models.actor import Actor
from tests.accounts.factories import member, sign_in
from tests.games.browsing import browser_of
from tests.games.factories import Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
TRAINING = "/training/"
HERE, ELSEWHERE = "198.51.100.1", "203.0.113.9"


def begin(browser=None, address=HERE, **more):
    return (browser or Client()).post(TRAINING, {}, REMOTE_ADDR=address, **more)


def set_limits(settings, **changed):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, **changed}


def test_sixty_new_guests_of_one_network_begin_thirty_matches():
    answers = [begin().status_code for _ in range(60)]
    assert answers == [302] * 30 + [429] * 30
    assert Match.objects.count() == 30


def test_refused_guest_stores_neither_match_nor_session(settings):
    set_limits(settings, guest_training="1/10m/ip")
    begin()
    browser = Client()
    assert begin(browser).status_code == 429
    assert settings.SESSION_COOKIE_NAME not in browser.cookies
    assert Match.objects.count() == 1


def test_limit_does_not_count_other_networks_and_members(settings):
    set_limits(settings, guest_training="1/10m/ip")
    assert [begin().status_code for _ in range(2)] == [302, 429]
    assert begin(address=ELSEWHERE).status_code == 302
    anna = sign_in(Client(), member("annika"))
    assert [begin(anna).status_code for _ in range(3)] == [302] * 3


def test_network_of_an_ipv6_address_is_its_first_64_bits(settings):
    set_limits(settings, guest_training="1/10m/ip")
    addresses = ["2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"]
    assert [begin(address=each).status_code for each in addresses] == [302, 429, 302]


def test_matches_of_a_member_are_limited(settings):
    set_limits(settings, training="2/10m/user")
    anna = sign_in(Client(), member("annika"))
    assert [begin(anna).status_code for _ in range(3)] == [302, 302, 429]


def test_refusal_page_says_when_to_try_again_and_offers_an_account(settings):
    set_limits(settings, guest_training="1/10m/ip")
    begin()
    refused = begin()
    page = refused.content.decode()
    assert 0 < int(refused["Retry-After"]) <= 600
    assert "in 10 minutes" in page
    assert 'href="/account/signup/"' in page


def test_programs_get_the_refusal_as_json(settings):
    set_limits(settings, guest_training="1/10m/ip")
    begin()
    refused = begin(headers={"accept": "application/json"})
    assert refused.status_code == 429
    assert refused.json() == {
        "code": "too_many_requests",
        "retry_after_s": int(refused["Retry-After"]),
    }


def test_reviews_of_guests_are_limited_for_their_network(settings):
    set_limits(settings, guest_review="1/10m/ip")
    answers = []
    for _ in range(2):
        sitting = Sitting(Rules.of("short")).sit().start_game()
        sitting.do("resign_match")
        answer = browser_of(sitting).post(f"/match/{sitting.public_id}/review/ask/")
        answers.append(answer.status_code)
    assert answers == [302, 429]
    assert Review.objects.count() == 1


def may_ask(guest, network):
    coach = CoachSession("match", network, None, None, None)  # it sends and submits nothing here
    return coach._count(session.HINTS, Actor(guest=guest))


def test_hints_of_guests_are_limited_for_their_network(monkeypatch):
    monkeypatch.setattr(session, "HINTS", Allowance(30))
    monkeypatch.setattr(session, "GUESTS", Allowance(3))
    assert [may_ask(guest, HERE) for guest in range(4)] == [True, True, True, False]
    assert may_ask("another", ELSEWHERE)
    coach = CoachSession("match", HERE, None, None, None)
    assert coach._count(session.HINTS, Actor(user_id=1))
