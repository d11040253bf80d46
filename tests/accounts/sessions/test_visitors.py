"""Visitors without data get no session; sessions without a member or a match expire soon."""

import io
from datetime import timedelta
from uuid import uuid4

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.sessions import services as sessions
from accounts.sessions.visitors import visitor_of
from games.engine.rules import Rules
from games.models import Match
from games.services import guests
from tests.accounts.factories import PASSWORD, member
from tests.accounts.signup.signing_up import registered
from tests.games import factories
from tests.games.factories import Sitting, StakeSitting
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


def forget():
    call_command("forgetguests", stdout=io.StringIO())


def lives_for():
    """Return the time until the only session expires."""
    return Session.objects.get().expire_date - timezone.now()


# --- No session ----------------------------------------------------------------------------------


def test_a_hundred_spectators_without_cookies_make_no_sessions():
    sitting = StakeSitting(player("white5"), player("black5")).sit()
    for _ in range(100):
        assert Client().get(f"/match/{sitting.public_id}/").status_code == 200
    assert not Session.objects.exists()


def test_spectator_is_known_by_a_signed_cookie_that_stays():
    sitting = StakeSitting(player("white5"), player("black5")).sit()
    browser = Client()
    browser.get(f"/match/{sitting.public_id}/")
    known = browser.cookies["visitor"].value
    assert visitor_of({"visitor": known})
    assert browser.cookies["visitor"]["httponly"]
    browser.get(f"/match/{sitting.public_id}/")
    assert browser.cookies["visitor"].value == known


@pytest.mark.parametrize("cookie", ["", "a" * 32, f"{'a' * 32}:forged"])
def test_made_up_visitor_is_not_known(cookie):
    assert visitor_of({"visitor": cookie}) is None


def test_filter_of_a_guest_is_remembered_without_a_session():
    browser = Client()
    browser.get("/play/", {"speed": "fast", "order": "high"})
    assert not Session.objects.exists()
    shown = browser.get("/play/").context["filter"].chosen
    assert shown == {"speed": "fast", "order": "high"}


@pytest.mark.parametrize("cookie", ["%%%", "speed=never&most_stake=x", "least_stake=" + "9" * 3000])
def test_made_up_filter_filters_nothing(cookie):
    browser = Client()
    browser.cookies["lobby_filter"] = cookie
    assert browser.get("/play/").context["filter"].chosen == {}


# --- A brief session -----------------------------------------------------------------------------


def test_session_of_a_waiting_sign_up_lives_as_long_as_its_link():
    registered(Client())
    assert timedelta(days=2) < lives_for() <= sessions.BRIEF_SESSION


def test_session_of_a_guest_with_a_match_lives_long():
    Client().post("/training/", {})
    assert lives_for() > timedelta(days=179)


def test_session_of_a_member_lives_long():
    member("annika")
    Client().post("/account/login/", {"login": "annika", "password": PASSWORD})
    assert lives_for() > timedelta(days=179)


# --- Deleted by the nightly command --------------------------------------------------------------


def sitting_of(days_ago, monkeypatch):
    """Start a game of a guest against a bot at a time in the past."""
    monkeypatch.setattr(factories, "START", timezone.now() - timedelta(days=days_ago))
    return Sitting(Rules.of("short")).sit().start_game()


def play(sitting):
    while not sitting.match.actions.filter(verb="play").exists():
        sitting.act_simply()


def guest_session(guest, days_ago):
    """Store a guest's session, last used `days_ago` days ago; return its key."""
    session = SessionStore()
    session["guest"] = str(guest)
    session.save()
    stored = Session.objects.filter(session_key=session.session_key)
    stored.update(expire_date=timezone.now() + timedelta(days=180 - days_ago))
    return session.session_key


def test_match_of_a_guest_in_which_nobody_moved_is_deleted_after_a_day(monkeypatch):
    sitting_of(2, monkeypatch)
    new, played = sitting_of(0, monkeypatch), sitting_of(2, monkeypatch)
    play(played)
    forget()
    remaining = set(Match.objects.values_list("public_id", flat=True))
    assert remaining == {new.public_id, played.public_id}


def test_session_of_a_guest_without_a_match_is_deleted_after_three_days(monkeypatch):
    played = sitting_of(10, monkeypatch)
    play(played)
    with_match, _idle, new = (
        guest_session(guest, days)
        for guest, days in ((played.guest, 10), (uuid4(), 4), (uuid4(), 2))
    )
    forget()
    assert set(Session.objects.values_list("session_key", flat=True)) == {with_match, new}


def test_device_of_a_deleted_session_is_deleted():
    anna = member("annika")
    browser = Client()
    browser.force_login(anna)
    browser.get("/account/sessions/")
    sessions.note("gone", anna.pk, "192.0.2.1", "", timezone.now())
    forget()
    assert [each.session_key for each in UserSession.objects.all()] == [browser.session.session_key]


def test_member_stays_signed_in_in_a_bounded_number_of_browsers(monkeypatch):
    monkeypatch.setattr(sessions, "MAX_SESSIONS", 2)
    anna = member("annika")
    browsers = [Client() for _ in range(3)]
    for browser in browsers:
        browser.force_login(anna)
        browser.get("/account/sessions/")
    answers = [browser.get("/account/sessions/").status_code for browser in browsers]
    assert answers == [302, 200, 200]


def test_session_that_is_used_while_idle_ones_are_deleted_stays(monkeypatch):
    key, find = guest_session(uuid4(), 4), guests._idle_of

    def use_meanwhile(batch):
        idle = find(batch)
        Session.objects.update(expire_date=timezone.now() + timedelta(days=180))
        return idle

    monkeypatch.setattr(guests, "_idle_of", use_meanwhile)
    forget()
    assert Session.objects.get().session_key == key
