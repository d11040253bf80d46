"""Reset a password by an emailed link: it works once, for an hour, and ends all other sessions."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.utils import timezone

from accounts import broadcast
from accounts.models import OutgoingEmail, Preferences
from tests.accounts.factories import PASSWORD, member, sign_in, unactivated
from tests.accounts.mail.mailbox import emails_to, last_to, link_in

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
RESET = "/account/password/reset/"
NEW = "Other7passphrase"


@pytest.fixture
def anna():
    return member("annika")


def ask(client, email="annika@example.org"):
    return client.post(RESET, {"email": email})


def link_of(email="annika@example.org"):
    return link_in(last_to(email))


def follow(client, link, password=NEW):
    """Open the link and set the password there."""
    page = client.get(link, follow=True)
    return client.post(page.request["PATH_INFO"], {"password1": password})


def may_enter(password):
    response = Client().post("/account/login/", {"login": "annika", "password": password})
    return response.status_code == 302


def test_emailed_link_sets_a_new_password(client, anna):
    assert ask(client)["Location"] == "/account/password/reset/done/"
    response = follow(client, link_of())
    assert response["Location"] == "/account/password/reset/key/done/"
    assert client.get(response["Location"]).status_code == 200
    assert may_enter(NEW)
    assert not may_enter(PASSWORD)


def test_setting_the_password_does_not_sign_in(client, anna):
    ask(client)
    follow(client, link_of())
    assert SESSION_KEY not in client.session


def test_key_is_removed_from_the_url_before_the_form(client, anna):
    """Otherwise the key would leak through browser history and the Referer header."""
    ask(client)
    page = client.get(link_of(), follow=True)
    assert page.request["PATH_INFO"].endswith("-set-password/")


def test_owner_gets_an_email_with_the_ip_address_of_the_change(client, anna):
    ask(client)
    page = client.get(link_of(), follow=True)
    client.post(page.request["PATH_INFO"], {"password1": NEW}, REMOTE_ADDR="198.51.100.7")
    email = last_to("annika@example.org")
    assert email.subject == "Your password was changed"
    assert "198.51.100.7" in email.text
    assert "http://testserver/account/password/reset/" in email.text
    assert NEW not in email.text


# --- Answers that reveal no account --------------------------------------------------------------


def test_answer_for_an_unknown_email_is_the_same(client, anna):
    known, unknown = ask(client), ask(client, "nobody@example.org")
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert known.content == unknown.content


def test_mailbox_without_an_account_gets_an_email_that_says_so(client):
    ask(client, "nobody@example.org")
    (email,) = emails_to("nobody@example.org")
    assert email.subject == "There is no account with this address"
    assert "http://testserver/account/signup/" in email.text


def test_unactivated_account_gets_no_link(client):
    """Anybody could have registered the address, so only a confirmed email opens an account."""
    unactivated("boris1")
    ask(client, "boris1@example.org")
    (email,) = emails_to("boris1@example.org")
    assert "/password/reset/key/" not in email.text


def test_banned_account_gets_no_link_but_a_way_to_object(client, anna):
    anna.is_active = False
    anna.save()
    ask(client)
    (email,) = emails_to("annika@example.org")
    assert "/password/reset/key/" not in email.text
    assert email.subject == "This account is banned"
    assert "http://testserver/support/account/write/" in email.text
    assert "/account/signup/" not in email.text


def test_invalid_email_is_refused(client):
    response = ask(client, "annika")
    assert response.status_code == 422
    assert 'id="id_email_error"' in response.content.decode()
    assert not OutgoingEmail.objects.exists()


# --- Once, for an hour ---------------------------------------------------------------------------


def test_link_works_once(client, anna):
    ask(client)
    link = link_of()
    follow(client, link)
    again = Client().get(link)
    assert again.status_code == 410
    assert "This link no longer works" in again.content.decode()


def test_open_form_works_once(client, anna):
    ask(client)
    page = client.get(link_of(), follow=True)
    client.post(page.request["PATH_INFO"], {"password1": NEW})
    second = client.post(page.request["PATH_INFO"], {"password1": "Third9passphrase"})
    assert second.status_code == 410
    assert "If you have just set a new password with it" in second.content.decode()
    assert 'href="/account/login/"' in second.content.decode()
    assert may_enter(NEW)


@pytest.mark.parametrize(("minutes", "works"), [(59, True), (61, False)])
def test_link_works_for_an_hour(client, anna, minutes, works):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        ask(client)
        clock.shift(timedelta(minutes=minutes))
        assert (client.get(link_of()).status_code == 302) is works


def test_older_link_works_until_one_is_used(client, anna):
    ask(client)
    first = link_of()
    ask(client)
    second = link_of()
    follow(client, first)
    assert Client().get(second).status_code == 410


@pytest.mark.parametrize("key", ["1-abc-def", "zzz-abc-def", "1-abc-" + "f" * 200])
def test_made_up_link_does_not_work(client, anna, key):
    assert client.get(f"/account/password/reset/key/{key}/").status_code == 410


def test_link_of_one_account_does_not_work_for_another(client, anna):
    other = member("boris1")
    ask(client)
    key = link_of().rstrip("/").split("/")[-1].split("-", 1)[1]
    assert client.get(f"/account/password/reset/key/{other.pk}-{key}/").status_code == 410


def test_sign_in_invalidates_earlier_links(client, anna):
    ask(client)
    assert may_enter(PASSWORD)
    assert client.get(link_of()).status_code == 410


# --- Sessions end --------------------------------------------------------------------------------


def test_all_sessions_end_and_all_sockets_close(
    client, anna, monkeypatch, django_capture_on_commit_callbacks
):
    closed = []
    monkeypatch.setattr(broadcast, "close_user", closed.append)
    thief = sign_in(Client(), anna)
    assert thief.get("/account/sessions/").status_code == 200
    ask(client)
    with django_capture_on_commit_callbacks(execute=True):
        follow(client, link_of())
    assert closed == [anna.pk]
    assert thief.get("/account/sessions/").status_code == 302


def test_browser_that_sets_the_password_stays_signed_in_under_a_new_key(client, anna):
    sign_in(client, anna)
    before = client.session.session_key
    ask(client)
    follow(client, link_of())
    assert client.session[SESSION_KEY] == str(anna.pk)
    assert client.session.session_key != before
    assert client.get("/account/sessions/").status_code == 200


def test_reset_in_another_members_browser_signs_them_out(client, anna):
    sign_in(client, member("boris1"))
    ask(client)
    follow(client, link_of())
    assert SESSION_KEY not in client.session
    assert may_enter(NEW)


def test_new_password_unlocks_the_account(client, anna):
    for typed in ("annika", "annika@example.org"):
        for _ in range(5):
            Client().post("/account/login/", {"login": typed, "password": "Wrong1234"})
    # The network may try again after a minute; the account would stay locked for five.
    with time_machine.travel(timezone.now() + timedelta(minutes=1, seconds=1)):
        assert not may_enter(PASSWORD)
        ask(client)
        follow(client, link_of())
        assert may_enter(NEW)
        by_email = {"login": "annika@example.org", "password": NEW}
        assert Client().post("/account/login/", by_email).status_code == 302


# --- Password rules and email texts --------------------------------------------------------------


def test_weak_password_is_refused_with_each_unmet_requirement(client, anna):
    ask(client)
    response = follow(client, link_of(), "short")
    page = response.content.decode()
    assert response.status_code == 422
    assert page.count("is-unmet") == 3  # too short, no capital, no digit
    assert page.count("is-met") == 0, "the page does not keep the password"
    assert may_enter(PASSWORD)


def test_password_like_the_login_is_refused(client, anna):
    ask(client)
    assert follow(client, link_of(), "Annika123").status_code == 422


def test_emails_are_in_the_recipients_language(client, anna):
    Preferences.objects.filter(user=anna).update(language="tr")
    ask(client)
    assert last_to("annika@example.org").language == "tr"


def test_email_to_a_stranger_is_in_the_pages_language(client):
    client.post(RESET, {"email": "nobody@example.org"}, headers={"accept-language": "ru"})
    assert last_to("nobody@example.org").language == "ru"


def test_email_is_plain_text_with_the_sites_url(client, anna):
    ask(client)
    email = last_to("annika@example.org")
    assert "http://testserver/\n" in email.text + "\n"
    assert "&#x27;" not in email.text
    assert "<" not in email.text


def test_login_in_place_of_the_email_is_named_as_the_fault(client, anna):
    response = ask(client, "annika")
    page = response.content.decode()
    assert response.status_code == 422
    assert "This must be the email address of the account, not the login." in page
    assert "Your account’s email." in page
    page = ask(client, "annika@").content.decode()
    assert "not the login" not in page
