"""Two-step sign-in: set-up, changes, staff who must use it, and help when a device is lost."""

import re

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import User
from accounts.second_factor import selectors, services
from config.personal_data import data_of
from tests.accounts.factories import PASSWORD, member, sign_in, sign_in_now, staff
from tests.accounts.mail.mailbox import emails_to
from tests.accounts.second_factor.factories import (
    RECOVERY_CODES,
    SECRET,
    code_now,
    with_second_factor,
)

pytestmark = pytest.mark.django_db
PAGE, SET_UP = "/account/two-step/", "/account/two-step/set-up/"
AGAIN = "/account/reauthenticate/"


@pytest.fixture
def anna():
    return member("annika")


def text_of(response):
    return response.content.decode()


def secret_on(response):
    return re.search(r'class="app-key">([A-Z2-7 ]+)<', text_of(response))[1].replace(" ", "")


def recovery_codes_on(response):
    return re.findall(r"<li><code>([a-z0-9 ]+)</code>", text_of(response))


def set_up(client, back=""):
    secret = secret_on(client.get(SET_UP))
    address = f"{SET_UP}?next={back}" if back else SET_UP
    return client.post(address, {"code": code_now(secret=secret)})


def subjects(user):
    return [each.subject for each in emails_to(user.email)]


# --- Set-up --------------------------------------------------------------------------------------


def test_set_up_shows_a_qr_code_and_the_key_and_then_ten_codes_once(client, anna):
    sign_in_now(client, anna)
    page = text_of(client.get(SET_UP))
    assert "<svg" in page
    assert "style=" not in page
    response = set_up(client)
    assert len(set(recovery_codes_on(response))) == 10
    assert "no-store" in response["Cache-Control"]
    assert selectors.is_on(anna.pk)
    assert recovery_codes_on(client.get(PAGE)) == []
    assert client.get(SET_UP)["Location"] == PAGE
    assert subjects(anna) == ["Two-step sign-in is on"]


def test_form_that_is_sent_twice_shows_the_same_recovery_codes_and_makes_them_once(client, anna):
    sign_in_now(client, anna)
    sent = {"code": code_now(secret=secret_on(client.get(SET_UP)))}
    first, second = (recovery_codes_on(client.post(SET_UP, sent)) for _ in range(2))
    assert first == second
    assert len(first) == 10
    sent = {"codes": "1", "code": first[0]}
    third, fourth = (recovery_codes_on(client.post(PAGE, sent)) for _ in range(2))
    assert third == fourth
    assert len({*first, *third}) == 20
    assert subjects(anna) == ["Two-step sign-in is on", "You have new recovery codes"]
    other = sign_in_now(Client(), anna)
    assert other.post(PAGE, sent).status_code == 422


def test_set_up_that_was_finished_meanwhile_makes_no_other_codes(client, anna):
    """Two presses pass the view's check at the same moment; the service checks again."""
    with_second_factor(anna)
    made = services.switch_on(anna, SECRET, code_now(), "", timezone.now())
    assert made is None
    assert selectors.state_of(anna.pk).codes_left == len(RECOVERY_CODES)


def test_key_stays_the_same_after_a_reload_and_a_wrong_code(client, anna):
    sign_in_now(client, anna)
    secret = secret_on(client.get(SET_UP))
    answer = client.post(SET_UP, {"code": "000000"})
    assert answer.status_code == 422
    assert secret_on(answer) == secret_on(client.get(SET_UP)) == secret
    assert not selectors.is_on(anna.pk)
    assert secret not in str(dict(client.session))


def test_set_up_long_after_the_sign_in_asks_for_the_password_first(client, anna):
    sign_in(client, anna)
    assert client.get(SET_UP)["Location"].startswith(AGAIN)


def test_switching_on_ends_all_other_sessions(client, anna):
    other = sign_in(Client(), anna)
    other.get(PAGE)
    sign_in_now(client, anna)
    set_up(client)
    assert SESSION_KEY not in other.session
    assert client.get(PAGE).status_code == 200


def test_set_up_does_not_link_to_another_site(client, anna):
    sign_in_now(client, anna)
    assert 'href="https://evil.example' not in text_of(set_up(client, "https://evil.example/"))


# --- Changes -------------------------------------------------------------------------------------


def test_new_recovery_codes_replace_the_old_ones(client, anna):
    sign_in_now(client, with_second_factor(anna))
    assert client.post(PAGE, {"codes": "1", "code": "000000"}).status_code == 422
    assert client.post(PAGE, {"codes": "1"}).status_code == 422
    assert selectors.state_of(anna.pk).codes_left == 2
    fresh = recovery_codes_on(client.post(PAGE, {"codes": "1", "code": code_now()}))
    assert len(fresh) == 10
    assert selectors.state_of(anna.pk).codes_left == 10
    assert client.post(PAGE, {"off": "1", "code": RECOVERY_CODES[0]}).status_code == 422
    assert subjects(anna) == ["You have new recovery codes"]


def test_changes_ask_for_the_password_again(client, anna):
    sign_in(client, with_second_factor(anna))
    for change in ({"codes": "1"}, {"off": "1", "code": code_now()}):
        assert client.post(PAGE, change)["Location"].startswith(AGAIN)
    assert selectors.state_of(anna.pk).codes_left == 2


def test_switching_off_needs_a_code(client, anna):
    sign_in_now(client, with_second_factor(anna))
    assert client.post(PAGE, {"off": "1", "code": "000000"}).status_code == 422
    assert selectors.is_on(anna.pk)
    assert client.post(PAGE, {"off": "1", "code": code_now()})["Location"] == PAGE
    assert not Authenticator.objects.exists()
    assert subjects(anna) == ["Two-step sign-in is off"]


def test_page_counts_the_codes_that_are_left(client, anna):
    sign_in(client, with_second_factor(anna))
    assert "You have 2 unused recovery codes." in text_of(client.get(PAGE))


def test_export_names_the_second_factor_without_secrets_and_closing_deletes_it(anna):
    with_second_factor(anna)
    data = data_of(anna)["account"]["two_step_sign_in"]
    assert data["recovery_codes_left"] == 2
    assert SECRET not in str(data)
    closing.close(anna.pk, data["since"])
    assert not Authenticator.objects.exists()


# --- Staff ---------------------------------------------------------------------------------------


@pytest.fixture
def strict(settings):
    """Require two-step sign-in of staff."""
    settings.STAFF_SECOND_FACTOR = True


def test_staff_are_led_to_the_set_up_before_any_page_of_the_admin(client, strict):
    sign_in_now(client, staff("person1"))
    users = reverse("admin:accounts_user_changelist")
    answer = client.get(users)
    assert answer["Location"] == f"{SET_UP}?next={users.replace('/', '%2F')}"
    assert client.post(users, {"action": "ban"})["Location"].startswith(SET_UP)
    assert "needs the second step" in text_of(client.get(SET_UP))
    assert users in text_of(set_up(client, users))
    assert client.get(users).status_code == 200


def test_staff_who_need_a_second_factor_cannot_switch_it_off(client, strict):
    person = with_second_factor(staff("person1"))
    sign_in_now(client, person)
    assert 'name="off"' not in text_of(client.get(PAGE))
    client.post(PAGE, {"off": "1", "code": code_now()})
    assert selectors.is_on(person.pk)


def test_members_and_staff_of_a_demonstration_are_not_led_to_the_set_up(
    client, anna, strict, settings
):
    assert sign_in(Client(), anna).get("/admin/", follow=True).status_code == 403
    settings.STAFF_SECOND_FACTOR = False
    assert sign_in(client, staff("person1")).get("/admin/").status_code == 200


def remove(client, user):
    choice = {"action": "remove_second_factor", "_selected_action": [user.pk]}
    answers = {"confirmed": "1", "reason": "Lost phone, knew two payments"}
    return client.post(reverse("admin:accounts_user_changelist"), {**choice, **answers})


def test_staff_remove_a_members_second_factor_with_a_log_line_and_an_email(client, anna):
    with_second_factor(anna)
    browser = sign_in(Client(), anna)
    browser.get(PAGE)
    remove(sign_in(client, staff("person1")), anna)
    assert not selectors.is_on(anna.pk)
    assert SESSION_KEY not in browser.session
    assert "Lost phone" in LogEntry.objects.get().change_message
    (email,) = emails_to(anna.email)
    assert "our team switched off" in email.text
    assert "IP address" not in email.text


def test_moderators_cannot_remove_the_second_factor_of_staff(client):
    boss, moderator = with_second_factor(staff("boss555")), member("moder555")
    User.objects.filter(pk=moderator.pk).update(is_staff=True)
    call_command("makeroles")
    moderator.groups.add(Group.objects.get(name="moderator"))
    remove(sign_in(client, moderator), boss)
    assert selectors.is_on(boss.pk)


def test_staff_cannot_remove_their_second_factor_in_the_admin(client):
    boss = with_second_factor(staff("boss555"))
    remove(sign_in(client, boss), boss)
    assert selectors.is_on(boss.pk)


def test_command_removes_the_second_factor_of_the_last_superuser(client):
    boss = with_second_factor(staff("boss555"))
    call_command("removesecondfactor", "BOSS555")
    client.post("/account/login/", {"login": "boss555", "password": PASSWORD})
    assert SESSION_KEY in client.session
    assert subjects(boss) == ["Two-step sign-in is off"]
    for login in ("boss555", "nobody5"):
        with pytest.raises(CommandError):
            call_command("removesecondfactor", login)
