"""Sign in through Facebook, against a fake on loopback."""

from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.contrib.auth import SESSION_KEY
from django.test import Client

from accounts.models import User
from accounts.signals import member_activated
from accounts.signup.selectors import KEPT_FOR
from tests.accounts.factories import PASSWORD, member, sign_in, sign_in_now, unactivated
from tests.accounts.mail.mailbox import emails_to, last_to, link_in
from tests.accounts.social.facebook_dance import (
    BEGIN,
    CALLBACK,
    CONNECTIONS,
    SIGN_UP,
    at_facebook,
    choose,
    dance,
)
from tests.accounts.social.fake_facebook import facebook_with_keys
from wallet import selectors

pytestmark = pytest.mark.django_db
AGAIN = "/account/reauthenticate/"
ADD = "/account/email/add/"


@pytest.fixture
def facebook(settings, monkeypatch):
    with facebook_with_keys(settings, monkeypatch) as fake:
        yield fake


def is_in(client, user):
    return client.session.get(SESSION_KEY) == str(user.pk)


# --- First sign-in -------------------------------------------------------------------------------


def test_first_sign_in_asks_for_a_login_and_creates_a_member(client, facebook):
    assert dance(client)["Location"] == SIGN_UP
    assert choose(client)["Location"] == "/en/"
    user = User.objects.get(username="annika")
    assert is_in(client, user)
    assert user.is_member
    assert not user.has_usable_password()
    assert selectors.funds_of(user.pk).available > 0
    assert SocialAccount.objects.get().user == user


def test_second_sign_in_asks_nothing(client, facebook):
    dance(client)
    choose(client)
    browser = Client()
    assert dance(browser, next="/credits/")["Location"] == "/credits/"
    assert is_in(browser, User.objects.get())


def test_next_url_survives_the_first_sign_in(client, facebook):
    dance(client, next="/credits/")
    assert choose(client)["Location"] == "/credits/"


def test_next_url_of_another_host_is_ignored(client, facebook):
    dance(client, next="https://evil.example/")
    assert choose(client)["Location"] == "/en/"


def test_activation_signal_is_sent_once_and_the_guest_is_kept(client, facebook):
    session = client.session
    session["guest"] = str(guest := uuid4())
    session.save()
    activated = []
    receiver = lambda sender, user_id, **_: activated.append(user_id)  # noqa: E731
    member_activated.connect(receiver)
    try:
        dance(client)
        choose(client)
        dance(Client())
    finally:
        member_activated.disconnect(receiver)
    user = User.objects.get()
    assert activated == [user.pk]
    assert user.guest == guest


def test_only_facebooks_user_id_is_stored(client, facebook):
    dance(client)
    choose(client)
    user = User.objects.get()
    assert (user.first_name, user.last_name, user.email) == ("", "", "")
    account = SocialAccount.objects.get()
    assert (account.uid, account.extra_data) == ("1000001", {})
    assert not SocialToken.objects.exists()


@pytest.mark.parametrize(
    "login", ["", "anna", "annikaannika", "anna-1", "аннушка", "Admin1", "xfuckx"]
)
def test_login_must_meet_the_usual_requirements(client, facebook, login):
    dance(client)
    response = choose(client, login)
    assert response.status_code == 422
    assert not User.objects.exists()
    assert choose(client, "annika").status_code == 302  # the pending sign-in was kept


def test_taken_login_is_reported_regardless_of_case(client, facebook):
    member("annika")
    dance(client)
    response = choose(client, "ANNIKA")
    assert response.status_code == 422
    assert "Already taken." in response.content.decode()


def test_login_taken_concurrently_is_reported(client, facebook, monkeypatch):
    dance(client)
    member("annika")
    monkeypatch.setattr(
        "accounts.signin.allauth_adapter.AccountAdapter.clean_username", lambda self, name: name
    )
    response = choose(client, "annika")
    assert response.status_code == 422
    assert "Already taken." in response.content.decode()
    assert not SocialAccount.objects.exists()


def test_login_of_a_lapsed_registration_can_be_taken(client, facebook):
    old = unactivated("annika")
    User.objects.filter(pk=old.pk).update(date_joined=old.date_joined - 2 * KEPT_FOR)
    dance(client)
    assert choose(client).status_code == 302
    assert User.objects.get().pk != old.pk


def test_page_to_choose_a_login_redirects_without_a_pending_sign_in(client, facebook):
    assert client.get(SIGN_UP)["Location"].startswith("/account/login/")
    assert choose(client)["Location"].startswith("/account/login/")


# --- The email from Facebook ---------------------------------------------------------------------


def test_email_from_facebook_is_a_suggestion(client, facebook):
    dance(client)
    assert 'value="anna@site.example"' in client.get(SIGN_UP).content.decode()


def test_sign_in_works_without_an_email(client, facebook):
    del facebook.person["email"]
    dance(client)
    assert choose(client).status_code == 302
    assert is_in(client, User.objects.get())
    assert not EmailAddress.objects.exists()


def test_email_is_set_when_its_link_is_followed(client, facebook):
    dance(client)
    choose(client, email="Anna@site.example")
    user = User.objects.get()
    assert user.email == ""
    link = link_in(last_to("anna@site.example"))
    browser = Client()
    assert browser.get(link).status_code == 200
    assert not EmailAddress.objects.exists()  # email programs follow links too
    browser.post(link)
    user.refresh_from_db()
    assert user.email == "anna@site.example"
    assert EmailAddress.objects.get().verified
    assert browser.get(link).status_code == 410


def test_email_of_an_account_never_opens_that_account(client, facebook):
    anna = member("annika")
    facebook.person["email"] = "annika@example.org"
    assert dance(client)["Location"] == SIGN_UP
    choose(client, "other1", email="annika@example.org")
    assert not is_in(client, anna)
    assert User.objects.get(username="other1").email == ""
    assert EmailAddress.objects.get().user == anna


def test_only_the_email_reveals_that_an_address_is_taken(client, facebook):
    member("annika")
    answers = []
    for number, email in enumerate(["annika@example.org", "free@example.org"]):
        facebook.person = {"id": f"100000{number}"}
        browser = Client()
        dance(browser)
        answers.append(choose(browser, f"other{number}", email=email))
    taken, free = answers
    assert (taken.status_code, taken["Location"]) == (free.status_code, free["Location"])
    assert len(emails_to("annika@example.org")) == len(emails_to("free@example.org")) == 1
    assert "/email/confirm/" not in last_to("annika@example.org").text


def test_new_accounts_share_the_limit_of_emails_to_a_mailbox(facebook, settings):
    limits = settings.ACCOUNT_RATE_LIMITS
    settings.ACCOUNT_RATE_LIMITS = limits | {"add_email_anywhere": "2/d/key"}
    for number in range(3):
        facebook.person = {"id": f"100000{number}"}
        browser = Client()
        dance(browser)
        choose(browser, f"other{number}", email="free@example.org")
    assert User.objects.count() == 3
    assert len(emails_to("free@example.org")) == 2


def test_invalid_email_is_refused(client, facebook):
    dance(client)
    response = choose(client, email="not an email")
    assert response.status_code == 422
    assert not User.objects.exists()


# --- Refusals ------------------------------------------------------------------------------------


def test_canceled_sign_in_shows_a_page_and_stores_nothing(client, facebook):
    facebook.refuses = True
    response = dance(client)
    assert response["Location"] == "/account/social/login/cancelled/"
    assert "You canceled the sign-in" in client.get(response["Location"]).content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize("where", ["/token", "/me"])
def test_failure_at_facebook_shows_a_page(client, facebook, where):
    facebook.breaks = where
    response = dance(client)
    assert response.status_code == 401
    assert "The sign-in did not work" in response.content.decode()


def test_unreachable_facebook_shows_a_page(client, facebook):
    begun = client.post(BEGIN)
    back = urlsplit(at_facebook(begun["Location"]))
    facebook.close()
    assert client.get(f"{back.path}?{back.query}").status_code == 401


def test_unrequested_answer_is_refused(client, facebook):
    assert client.get(CALLBACK, {"code": "abc", "state": "made-up"}).status_code == 401


def test_answer_in_another_browser_is_refused(client, facebook):
    """Otherwise an attacker could connect their Facebook account to a victim's session."""
    begun = client.post(BEGIN)
    back = urlsplit(at_facebook(begun["Location"]))
    assert Client().get(f"{back.path}?{back.query}").status_code == 401


def test_answer_works_once(client, facebook):
    begun = client.post(BEGIN)
    back = urlsplit(at_facebook(begun["Location"]))
    assert client.get(f"{back.path}?{back.query}").status_code == 302
    assert client.get(f"{back.path}?{back.query}").status_code == 401


def test_get_only_asks_for_confirmation(client, facebook):
    page = client.get(BEGIN)
    assert page.status_code == 200
    assert facebook.requests == []


def test_banned_member_cannot_sign_in(client, facebook):
    dance(client)
    choose(client)
    User.objects.update(is_active=False)
    browser = Client()
    assert dance(browser)["Location"] == "/account/inactive/"
    assert SESSION_KEY not in browser.session


# --- Connect and disconnect ----------------------------------------------------------------------


def connect(client):
    return dance(client, process="connect")


def test_member_connects_facebook_and_signs_in_with_it(client, facebook):
    anna = member("annika")
    sign_in_now(client, anna)
    response = connect(client)
    assert response["Location"] == CONNECTIONS
    assert "Disconnect Facebook" in client.get(CONNECTIONS).content.decode()
    browser = Client()
    dance(browser)
    assert is_in(browser, anna)
    assert "Facebook" in last_to("annika@example.org").subject


def test_disconnected_facebook_no_longer_signs_in(client, facebook):
    anna = member("annika")
    sign_in_now(client, anna)
    connect(client)
    account = SocialAccount.objects.get()
    assert client.post(CONNECTIONS, {"account": account.pk}).status_code == 302
    assert not SocialAccount.objects.exists()
    assert dance(Client())["Location"] == SIGN_UP
    assert "disconnected" in last_to("annika@example.org").subject


def test_last_way_into_an_account_cannot_be_removed(client, facebook):
    dance(client)
    choose(client)
    account = SocialAccount.objects.get()
    response = client.post(CONNECTIONS, {"account": account.pk})
    assert response.status_code == 422
    assert "Set a password first" in response.content.decode()
    assert SocialAccount.objects.exists()


def test_facebook_can_be_disconnected_after_setting_a_password(client, facebook):
    dance(client)
    choose(client)
    assert "/account/email/add/" in client.get("/account/password/change/").content.decode()
    client.post("/account/email/add/", {"email": "annika@example.org"})
    client.post(link_in(last_to("annika@example.org")))
    client.post("/account/password/change/")
    page = client.get(link_in(last_to("annika@example.org")), follow=True)
    client.post(page.request["PATH_INFO"], {"password1": PASSWORD})
    account = SocialAccount.objects.get()
    assert client.post(CONNECTIONS, {"account": account.pk}).status_code == 302
    browser = Client()
    data = {"login": "annika@example.org", "password": PASSWORD}
    assert browser.post("/account/login/", data).status_code == 302


def test_facebook_account_of_another_member_is_not_taken_over(client, facebook):
    dance(client)
    choose(client)
    browser = sign_in_now(Client(), member("boris1"))
    page = connect(browser)
    assert "connected to another account" in browser.get(page["Location"]).content.decode()
    assert SocialAccount.objects.get().user.username == "annika"


def test_connection_of_another_member_cannot_be_removed(client, facebook):
    anna = member("annika")
    connect(sign_in_now(Client(), anna))
    sign_in_now(client, member("boris1"))
    account = SocialAccount.objects.get()
    assert client.post(CONNECTIONS, {"account": account.pk}).status_code == 422
    assert SocialAccount.objects.exists()


def test_visitor_cannot_connect(client, facebook):
    assert client.get(CONNECTIONS)["Location"].startswith("/account/login/")
    connect(client)
    assert not SocialAccount.objects.exists()


def test_open_session_alone_connects_no_facebook(client, facebook):
    sign_in(client, member("annika"))
    begun = client.post(BEGIN, query_params={"process": "connect"})
    assert begun["Location"].startswith(AGAIN)
    assert facebook.requests == []
    client.post(AGAIN, {"password": PASSWORD, "next": CONNECTIONS})
    assert connect(client)["Location"] == CONNECTIONS
    assert SocialAccount.objects.get().user.username == "annika"


def test_open_session_alone_disconnects_no_facebook(client, facebook):
    anna = member("annika")
    connect(sign_in_now(client, anna))
    account = SocialAccount.objects.get()
    answer = sign_in(Client(), anna).post(CONNECTIONS, {"account": account.pk})
    assert answer["Location"].startswith(AGAIN)
    assert SocialAccount.objects.exists()


def test_account_with_facebook_only_is_confirmed_through_facebook(client, facebook):
    dance(client)
    choose(client)
    stale = sign_in(Client(), User.objects.get())
    assert stale.get(ADD)["Location"].startswith(AGAIN)
    page = stale.get(AGAIN, {"next": ADD}).content.decode()
    assert "process=login" in page
    assert 'type="password"' not in page
    assert dance(stale, next=ADD)["Location"] == ADD
    assert stale.get(ADD).status_code == 200


def test_open_session_alone_connects_no_second_facebook_account(client, facebook):
    dance(client)
    choose(client)
    stale = sign_in(Client(), User.objects.get())
    begun = stale.post(BEGIN, query_params={"process": "connect"})
    assert begun["Location"].startswith(AGAIN)


def test_open_session_alone_does_not_close_an_account_with_facebook_only(client, facebook):
    dance(client)
    choose(client)
    stale = sign_in(Client(), User.objects.get())
    answer = stale.post("/profile/close/", {"login": "annika"})
    assert answer["Location"].startswith(AGAIN)
    assert User.objects.get().closed_at is None


# --- Without keys --------------------------------------------------------------------------------

PAGES = [BEGIN, CALLBACK, SIGN_UP, CONNECTIONS, "/account/social/login/cancelled/"]


@pytest.mark.parametrize("page", PAGES)
def test_without_keys_there_are_no_pages_of_facebook(client, page):
    sign_in(client, member("annika"))
    assert client.get(page).status_code == 404
    assert client.post(page).status_code == 404


def test_without_keys_no_page_mentions_facebook(client):
    pages = [client.get("/account/login/"), client.get("/account/signup/")]
    sign_in(client, member("annika"))
    pages.append(client.get("/account/sessions/"))
    assert all("acebook" not in page.content.decode() for page in pages)


def test_with_keys_the_sign_in_page_offers_facebook(client, facebook):
    for page in ("/account/login/", "/account/signup/"):
        assert f'action="{BEGIN}?process=login"' in client.get(page).content.decode()
