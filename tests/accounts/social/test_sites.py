"""Sign in through other sites: the same rules for each, tested with its fake on loopback."""

import base64
import re
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone, translation

from accounts.closing import services as closing
from accounts.members import identities
from accounts.models import Fingerprint, User
from accounts.social import sites
from config.personal_data import data_of
from tests.accounts.factories import PASSWORD, member, sign_in, sign_in_now
from tests.accounts.mail.mailbox import last_to, link_in
from tests.accounts.social import fake_sites
from tests.accounts.social.fake_sites import BOT_TOKEN, SITES, signed, site_with_keys
from tests.support.patience import PATIENCE_S
from tests.support.redirects import NoRedirect
from wallet.selectors import funds_of

pytestmark = pytest.mark.django_db
CONNECTIONS, SIGN_UP = "/account/social/", "/account/social/signup/"
AGAIN = "/account/reauthenticate/"


@pytest.fixture(params=sorted(SITES))
def code(request):
    return request.param


@pytest.fixture
def site(code, settings, monkeypatch):
    with site_with_keys(code, settings, monkeypatch) as fake:
        yield fake


def consent(address: str) -> str:
    """Open the site's page as a browser would; return the URL to which it redirects."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)
    with pytest.raises(urllib.error.HTTPError) as answer:
        opener.open(address, timeout=PATIENCE_S)
    with answer.value as response:
        assert response.status == 302, response.read()
        return str(response.headers["Location"])


def begin(client: Client, code: str, process: str = "login", **query: str):
    address = f"/account/social/{code}/login/"
    return client.post(address, query_params={"process": process, **query})


def come_back(client: Client, code: str, back: str):
    """Follow the site's answer: a URL, Apple's form or the fragment of Telegram's URL."""
    parts = urlsplit(back)
    assert f"{parts.scheme}://{parts.netloc}" == "http://testserver"
    assert parts.path == f"/account/social/{code}/login/callback/"
    if code == "apple":
        form = {name: values[0] for name, values in parse_qs(parts.query).items()}
        # Apple's page posts the form, so the browser does not send our cookies.
        response = Client(enforce_csrf_checks=True).post(parts.path, form)
        assert (response.status_code, set(response.cookies)) == (302, set())
        return client.get(response["Location"])
    if code == "telegram":
        page = client.get(f"{parts.path}?{parts.query}")
        assert "data-telegram-answer" in page.content.decode()
        answer = {name: values[0] for name, values in parse_qs(parts.fragment).items()}
        return client.post(f"{parts.path}?{parts.query}", answer)
    return client.get(f"{parts.path}?{parts.query}")


def dance(client: Client, code: str, process: str = "login", **query: str):
    """Go from the button to the site and back."""
    begun = begin(client, code, process, **query)
    assert begun.status_code == 302, begun.content
    return come_back(client, code, consent(begun["Location"]))


def choose(client: Client, login: str = "annika", **more: str):
    return client.post(SIGN_UP, {"username": login, **more})


def enter(code: str, login: str) -> User:
    browser = Client()
    dance(browser, code)
    choose(browser, login)
    return User.objects.get(username=login)


def is_in(client: Client, user: User) -> bool:
    return client.session.get(SESSION_KEY) == str(user.pk)


# --- Sign-up and sign-in -------------------------------------------------------------------------


def test_first_sign_in_asks_for_a_login_and_creates_a_member(client, code, site):
    assert dance(client, code)["Location"] == SIGN_UP
    assert str(sites.name_of(code)) in client.get(SIGN_UP).content.decode()
    assert choose(client)["Location"] == "/en/"
    user = User.objects.get()
    assert is_in(client, user)
    assert user.is_member
    assert funds_of(user.pk).total > 0


def test_second_sign_in_asks_nothing_and_redirects_to_next(client, code, site):
    user = enter(code, "annika")
    assert dance(client, code, next="/credits/")["Location"] == "/credits/"
    assert is_in(client, user)


def test_second_sign_up_of_one_person_leads_to_the_sign_in(client, code, site):
    """Logins are chosen on two devices; on the second, the form would refuse every login."""
    dance(client, code, next="/credits/")
    user = enter(code, "annika")
    answer = choose(client, "boris7")
    assert answer["Location"] == "/account/login/?next=%2Fcredits%2F"
    page = client.get(answer["Location"]).content.decode()
    assert f"You have already signed up with {sites.name_of(code)}." in page
    assert User.objects.get() == user
    assert dance(client, code)["Location"] == "/en/"
    assert is_in(client, user)


def test_only_the_id_is_stored(code, site):
    user = enter(code, "annika")
    account = SocialAccount.objects.get()
    assert (account.provider, account.uid, account.extra_data) == (code, "1000001", {})
    assert (user.first_name, user.last_name, user.email) == ("", "", "")
    assert not SocialToken.objects.exists()


def test_export_names_the_connection(code, site):
    data = data_of(enter(code, "annika"))
    (connection,) = data["account"]["connections"]
    assert (connection["provider"], connection["uid"]) == (code, "1000001")


# --- The email -----------------------------------------------------------------------------------


def test_email_is_a_suggestion_until_our_link_is_followed(client, code, site):
    dance(client, code)
    page = client.get(SIGN_UP).content.decode()
    # Telegram gives no email.
    assert ('value="anna@site.example"' in page) == (code != "telegram")
    choose(client, email="anna@site.example")
    assert User.objects.get().email == ""
    client.post(link_in(last_to("anna@site.example")))
    assert User.objects.get().email == "anna@site.example"


def test_email_of_an_account_never_opens_that_account(client, code, site):
    anna = member("annika")
    site.person["email"] = "annika@example.org"
    assert dance(client, code)["Location"] == SIGN_UP
    choose(client, "other1", email="annika@example.org")
    assert not is_in(client, anna)
    assert User.objects.get(username="other1").email == ""
    assert EmailAddress.objects.get().user == anna
    assert "/email/confirm/" not in last_to("annika@example.org").text


def test_sign_up_works_without_an_email(client, code, site):
    del site.person["email"]
    dance(client, code)
    assert choose(client).status_code == 302
    assert is_in(client, User.objects.get())
    assert not EmailAddress.objects.exists()


# --- Refusals ------------------------------------------------------------------------------------


def test_refused_consent_shows_a_page_and_stores_nothing(client, code, site):
    site.refuses = True
    response = dance(client, code)
    assert response["Location"] == "/account/social/login/cancelled/"
    assert "You canceled the sign-in" in client.get(response["Location"]).content.decode()
    assert not User.objects.exists()


def test_failure_at_the_site_shows_a_page(client, code, site):
    site.breaks = True
    response = dance(client, code)
    assert response.status_code == 401
    assert "The sign-in did not work" in response.content.decode()


def test_forged_state_is_refused(client, code, site):
    """Otherwise a link could sign a visitor in as somebody else."""
    back = consent(begin(client, code)["Location"])
    forged = re.sub(r"state=[^&#]+", "state=made-up", back)
    assert forged != back
    assert come_back(client, code, forged).status_code == 401
    assert SESSION_KEY not in client.session


def test_answer_in_another_browser_is_refused(client, code, site):
    """Otherwise an attacker could connect their account to a victim's session."""
    back = consent(begin(client, code)["Location"])
    assert come_back(Client(), code, back).status_code == 401


def test_answer_works_once(client, code, site):
    back = consent(begin(client, code)["Location"])
    assert come_back(client, code, back).status_code == 302
    assert come_back(client, code, back).status_code == 401


def test_get_only_asks_for_confirmation(client, code, site):
    page = client.get(f"/account/social/{code}/login/")
    assert f"Continue with {sites.name_of(code)}" in page.content.decode()
    assert site.requests == []


def test_banned_member_cannot_sign_in(client, code, site):
    enter(code, "annika")
    User.objects.update(is_active=False)
    assert dance(client, code)["Location"] == "/account/inactive/"
    assert SESSION_KEY not in client.session


# --- Connect and disconnect ----------------------------------------------------------------------


def test_member_connects_the_site_and_signs_in_through_it(client, code, site):
    anna = member("annika")
    sign_in_now(client, anna)
    assert dance(client, code, "connect")["Location"] == CONNECTIONS
    name = str(sites.name_of(code))
    page = client.get(CONNECTIONS).content.decode()
    assert f"Disconnect {name}" in page
    assert f"{name} is connected" in page
    assert name in last_to("annika@example.org").subject
    browser = Client()
    dance(browser, code)
    assert is_in(browser, anna)


def test_disconnected_account_does_not_sign_in_any_more(client, code, site):
    sign_in_now(client, member("annika"))
    dance(client, code, "connect")
    account = SocialAccount.objects.get()
    assert client.post(CONNECTIONS, {"account": account.pk}).status_code == 302
    assert "disconnected" in last_to("annika@example.org").subject
    assert dance(Client(), code)["Location"] == SIGN_UP


def test_last_way_into_an_account_cannot_be_removed(client, code, site):
    dance(client, code)
    choose(client)
    response = client.post(CONNECTIONS, {"account": SocialAccount.objects.get().pk})
    assert response.status_code == 422
    assert "Set a password first" in response.content.decode()
    assert SocialAccount.objects.exists()


def test_open_session_alone_connects_and_disconnects_nothing(client, code, site):
    anna = member("annika")
    sign_in(client, anna)
    assert begin(client, code, "connect")["Location"].startswith(AGAIN)
    assert site.requests == []
    dance(sign_in_now(Client(), anna), code, "connect")
    answer = client.post(CONNECTIONS, {"account": SocialAccount.objects.get().pk})
    assert answer["Location"].startswith(AGAIN)
    client.post(AGAIN, {"password": PASSWORD, "next": CONNECTIONS})
    client.post(CONNECTIONS, {"account": SocialAccount.objects.get().pk})
    assert not SocialAccount.objects.exists()


def test_account_without_a_password_is_confirmed_through_the_site(client, code, site):
    user = enter(code, "annika")
    stale = sign_in(Client(), user)
    page = stale.get(AGAIN, {"next": "/account/email/add/"}).content.decode()
    assert f"/account/social/{code}/login/?process=login" in page
    key = stale.session.session_key
    assert dance(stale, code, next="/account/email/add/")["Location"] == "/account/email/add/"
    assert stale.get("/account/email/add/").status_code == 200
    # Signing in again would close the member's table and end the notices of this device.
    assert stale.session.session_key == key


@pytest.mark.parametrize("is_known", [True, False])
def test_member_who_comes_back_as_another_person_stays_signed_in(client, code, site, is_known):
    if is_known:
        enter(code, "annika")
    boris = member("boris1")
    sign_in(client, boris)
    key = client.session.session_key
    answer = dance(client, code, next="/account/email/add/")
    assert answer["Location"] == f"{AGAIN}?next=%2Faccount%2Femail%2Fadd%2F"
    page = client.get(answer["Location"]).content.decode()
    assert "is not connected to your account here" in page
    assert is_in(client, boris)
    assert client.session.session_key == key
    assert User.objects.count() == 1 + is_known


def test_account_of_another_member_is_not_taken_over(client, code, site):
    anna = enter(code, "annika")
    sign_in_now(client, member("boris1"))
    page = client.get(dance(client, code, "connect")["Location"]).content.decode()
    assert "connected to another account" in page
    assert SocialAccount.objects.get().user == anna


# --- Once for a person ---------------------------------------------------------------------------


def test_connection_of_a_closed_account_brings_no_more_welcome_credits(code, site):
    first = enter(code, "first77")
    assert funds_of(first.pk).total > 0
    closing.close(first.pk, timezone.now())
    assert not SocialAccount.objects.exists()
    second = enter(code, "second77")
    assert funds_of(second.pk).total == 0


def test_new_identity_key_finds_the_connection_again(code, site, settings):
    first = enter(code, "first77")
    settings.IDENTITY_KEYS = ["newest", *settings.IDENTITY_KEYS]
    identities.remember_all(timezone.now())
    assert Fingerprint.objects.filter(user=first).count() == 2
    settings.IDENTITY_KEYS = ["newest"]
    closing.close(first.pk, timezone.now())
    assert funds_of(enter(code, "second77").pk).total == 0


# --- Keys ----------------------------------------------------------------------------------------


def test_without_keys_there_are_no_pages_of_the_site(client, code):
    for address in (f"/account/social/{code}/login/", f"/account/social/{code}/login/callback/"):
        assert client.get(address).status_code == 404
        assert client.post(address).status_code == 404


def test_keys_of_one_site_open_no_other(client, code, site):
    other = "google" if code != "google" else "vk"
    assert client.post(f"/account/social/{other}/login/").status_code == 404
    page = client.get("/account/login/").content.decode()
    assert page.count("?process=login") == 1
    assert f"/account/social/{code}/login/?process=login" in page


def test_connection_to_a_site_without_keys_does_not_count_as_a_way_in(client, code, site, settings):
    """Such a connection must not make it possible to remove the last one that works."""
    dance(client, code)
    choose(client)
    working = SocialAccount.objects.get()
    other = "google" if code != "google" else "vk"
    SocialAccount.objects.create(user=User.objects.get(), provider=other, uid="7")
    assert f"Disconnect {sites.name_of(other)}" not in client.get(CONNECTIONS).content.decode()
    assert client.post(CONNECTIONS, {"account": working.pk}).status_code == 422
    settings.SOCIALACCOUNT_PROVIDERS |= fake_sites.settings_with(other)
    assert client.post(CONNECTIONS, {"account": working.pk}).status_code == 302


# --- Particular sites ----------------------------------------------------------------------------


def test_order_of_the_buttons_is_that_of_the_readers_language(settings):
    settings.SOCIALACCOUNT_PROVIDERS = {code: {} for code in SITES}
    with translation.override("ru"):
        assert [site.code for site in sites.sites_on()][:2] == ["vk", "yandex"]
        assert sites.name_of("yandex") == "Яндекс ID"
    with translation.override("tr"):
        assert [site.code for site in sites.sites_on()][:2] == ["google", "apple"]
    assert {site.code for site in sites.sites_on()} == set(sites.NAMES) == set(SITES)


@pytest.fixture
def telegram(settings, monkeypatch):
    with site_with_keys("telegram", settings, monkeypatch) as fake:
        yield fake


def encoded(text):
    return base64.urlsafe_b64encode(text.encode()).decode()


FORGED = {
    "of another bot": signed("1000001", token="424242:another"),
    "too old": signed("1000001", age_s=301),
    "from the future": signed("1000001", age_s=-86_400),
    "empty": "",
    "no JSON": "AAAA",
    "not an object": "WzFd",  # [1]
    "no hash": "eyJpZCI6IDF9",  # {"id": 1}
    "hash is no text": "eyJpZCI6MSwiYXV0aF9kYXRlIjoxLCJoYXNoIjpbMV19",  # "hash": [1]
    "not ASCII": "é",
    "no number": encoded('{"id": Infinity, "auth_date": 1, "hash": "x"}'),
    "half a character": encoded('{"id": 1, "auth_date": 1, "hash": "x", "name": "\\ud800"}'),
    "very deep": encoded("[" * 100_000),
}


@pytest.mark.parametrize("answer", FORGED.values(), ids=FORGED)
def test_forged_answer_of_telegram_is_refused(client, telegram, answer):
    back = urlsplit(consent(begin(client, "telegram")["Location"]))
    response = client.post(f"{back.path}?{back.query}", {"tgAuthResult": answer})
    assert response.status_code == 401
    assert SESSION_KEY not in client.session


def test_telegram_is_not_asked_for_the_right_to_write(client, telegram):
    query = parse_qs(urlsplit(begin(client, "telegram")["Location"]).query)
    assert "request_access" not in query
    assert BOT_TOKEN.partition(":")[2] not in str(query)


def test_forms_sent_to_apples_callback_store_nothing(client, settings, monkeypatch):
    with site_with_keys("apple", settings, monkeypatch):
        form = {"code": "x" * 9000, "id_token": "y", "user": "z"}
        response = client.post("/account/social/apple/login/callback/", form)
        assert len(response["Location"]) < 3000
        assert not Session.objects.exists()
