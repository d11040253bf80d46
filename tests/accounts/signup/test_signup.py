"""The sign-up form and its rules, without and with script."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.signup import requirements, reserved_logins
from accounts.signup import services as signup
from accounts.signup.password_rules import LikenessValidator
from accounts.signup.selectors import KEPT_FOR
from tests.accounts.factories import PASSWORD, member, sign_in, unactivated
from tests.accounts.mail.mailbox import emails_to
from tests.accounts.signup.signing_up import EMAIL, SENT, SIGN_UP, registered, sign_up

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

CHECK = reverse("account_signup_check")


def conditions_on(page: str, name: str) -> dict[str, str]:
    """Return the requirements of a field, each with its mark (a CSS class)."""
    found = re.search(f'<ul class="conditions" id="{name}-conditions".*?</ul>', page, re.DOTALL)
    assert found, f"no conditions of {name}"
    items = re.findall(r'<li class="condition ?([^"]*)">.*?<span>(.*?)</span></li>', found[0], re.S)
    return {re.sub(r"<span.*?</span>|\s+", " ", text).strip(): mark for mark, text in items}


def unmet_on(page: str, name: str) -> set[str]:
    return {text for text, mark in conditions_on(page, name).items() if "is-unmet" in mark}


# --- The form ------------------------------------------------------------------------------------


def test_empty_form_shows_every_requirement(client):
    page = client.get(SIGN_UP).content.decode()
    assert set(conditions_on(page, "username")) == {
        "5 to 10 characters.",
        "Only Latin letters and digits.",
        "Available.",
    }
    assert set(conditions_on(page, "email")) == {"A full address, such as name@example.org."}
    assert set(conditions_on(page, "password1")) == {
        "At least 8 characters.",
        "An uppercase letter, A to Z.",
        "A lowercase letter, a to z.",
        "A digit, 0 to 9.",
        "Not a common password.",
        "Does not contain your login or resemble your email.",
    }
    for name in ("username", "email", "password1"):
        assert set(conditions_on(page, name).values()) == {""}, "no requirement is checked yet"


def test_fields_have_descriptions_and_autocomplete_attributes(client):
    page = client.get(SIGN_UP).content.decode()
    for name, kind in (("username", "username"), ("email", "email"), ("password1", "new-password")):
        box = re.search(f'<input[^>]*name="{name}"[^>]*>', page)
        assert box
        assert f'autocomplete="{kind}"' in box[0]
        assert f'aria-describedby="{name}-hint {name}-conditions"' in box[0]
        assert "maxlength" not in box[0], "a pasted text must not be truncated silently"
        assert f'id="{name}-said" aria-live="polite"' in page


def test_sign_up_creates_an_unactivated_account(client):
    response = sign_up(client)
    assert response["Location"] == SENT
    user = User.objects.get(username="Boris7")
    assert not user.is_member
    assert user.check_password(PASSWORD)
    assert client.get(SENT).wsgi_request.user.is_anonymous


def test_login_is_kept_as_typed(client):
    assert registered(client, "bOrIs7").username == "bOrIs7"


@pytest.mark.parametrize(
    ("login", "unmet"),
    [
        ("abcd", {"5 to 10 characters."}),
        ("abcdefghijk", {"5 to 10 characters."}),
        ("abc_de", {"Only Latin letters and digits."}),
        ("Борис7", {"Only Latin letters and digits."}),
        ("Borıs7", {"Only Latin letters and digits."}),
        ("Boris٧", {"Only Latin letters and digits."}),
        ("a b", {"5 to 10 characters.", "Only Latin letters and digits."}),
        ("Admin7", {"This login is reserved. Please choose another."}),
        ("fuckyou", {"This login could offend someone. Please choose another."}),
    ],
)
def test_invalid_login_shows_its_unmet_requirements(client, login, unmet):
    response = sign_up(client, login)
    assert response.status_code == 422
    assert unmet_on(response.content.decode(), "username") == unmet
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["is_official", "is_offensive"])
def test_login_that_is_too_long_is_not_searched_for_words(client, monkeypatch, name):
    """The search takes longer with every letter, and a visitor may send many of them."""
    asked = []
    monkeypatch.setattr(reserved_logins, name, lambda login: asked.append(login) or False)
    typed = "bot" * 30
    shown = check(client, "username", username=typed, password1=PASSWORD)
    for page in (shown, sign_up(client, typed).content.decode()):
        assert unmet_on(page, "username") == {"5 to 10 characters."}
    assert not asked


def test_password_is_compared_with_a_shortened_login_and_email(monkeypatch):
    compared = []
    monkeypatch.setattr(
        LikenessValidator,
        "validate",
        lambda _self, _password, user: compared.append((user.username, user.email)),
    )
    requirements.of_password(PASSWORD, "a" * 20, "-a" * 500)
    assert compared == [("a" * 10, "-a" * 127)]


def test_refused_form_focuses_the_first_wrong_field_and_marks_no_password_requirement(
    client, settings
):
    settings.ASK_TO_ACCEPT_TERMS = True
    page = sign_up(client, accepts="").content.decode()
    boxes = re.findall(r"<input[^>]* autofocus[^>]*>", page)
    assert ['name="accepts"' in box for box in boxes] == [True]
    assert set(conditions_on(page, "password1").values()) == {""}
    page = sign_up(client, "abcd", accepts="").content.decode()
    boxes = re.findall(r"<input[^>]* autofocus[^>]*>", page)
    assert ['name="username"' in box for box in boxes] == [True]


def test_trailing_newline_is_stripped_from_the_login(client):
    assert sign_up(client, "Boris7\n").status_code == 302
    assert User.objects.get().username == "Boris7"


@pytest.mark.parametrize("make", [member, unactivated])
def test_taken_login_is_refused_regardless_of_case(client, make):
    make("Boris7")
    response = sign_up(client, "bORIS7", "other@example.org")
    assert response.status_code == 422
    assert unmet_on(response.content.decode(), "username") == {"Already taken."}


def test_login_taken_between_check_and_save_is_refused(client, monkeypatch):
    def beaten(*args, **kwargs):
        member("boris7")
        raise signup.LoginTaken

    monkeypatch.setattr(signup, "register", beaten)
    response = sign_up(client, "Boris7", "other@example.org")
    assert response.status_code == 422
    assert unmet_on(response.content.decode(), "username") == {"Already taken."}


def test_form_that_is_sent_twice_gets_the_same_answer_twice(client):
    """The browser shows the answer to the second press, which comes without the first's cookie."""
    sign_up(Client())
    assert sign_up(client)["Location"] == SENT
    assert EMAIL in client.get(SENT).content.decode()
    assert User.objects.count() == len(emails_to(EMAIL)) == 1


@pytest.mark.parametrize(
    "other",
    [{"password1": "Another7words"}, {"email": "other@example.org"}, {"accepts": ""}],
    ids=lambda other: next(iter(other)),
)
def test_repeated_form_is_recognized_only_if_all_fields_are_the_same(client, settings, other):
    sign_up(Client())
    settings.ASK_TO_ACCEPT_TERMS = "accepts" in other
    assert sign_up(client, **other).status_code == 422


def test_form_that_is_sent_again_later_finds_its_login_taken(client, time_machine):
    sign_up(Client())
    time_machine.move_to(timezone.now() + signup.REPEATED_WITHIN)
    assert sign_up(client).status_code == 422


def test_two_saves_of_one_login_create_one_account(rf, client):
    registered(client, "Boris7")
    with pytest.raises(signup.LoginTaken):
        signup.register(
            rf.get("/"), "BORIS7", "other@example.org", PASSWORD, "en", None, None, timezone.now()
        )
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "email",
    ["anna", "anna@", "@example.org", "a b@example.org", "ſam@example.org", "a@b", "ş@x.tr"],
)
def test_undeliverable_email_is_refused(client, email):
    response = sign_up(client, email=email)
    assert response.status_code == 422
    page = response.content.decode()
    assert unmet_on(page, "email") == {"A full address, such as name@example.org."}


@pytest.mark.parametrize(
    ("password", "unmet"),
    [
        ("Ab3defg", {"At least 8 characters."}),
        ("kx7qpl2mz", {"An uppercase letter, A to Z."}),
        ("KX7QPL2MZ", {"A lowercase letter, a to z."}),
        ("kxQqplZmz", {"A digit, 0 to 9."}),
        ("длинноеСлово7", {"An uppercase letter, A to Z.", "A lowercase letter, a to z."}),
        ("Password1", {"Not a common password."}),
        ("xxBoris7xxQ", {"Does not contain your login or resemble your email."}),
        ("7BORIS7abcdefghijklmnopqrs", {"Does not contain your login or resemble your email."}),
        ("Examples7", {"Does not contain your login or resemble your email."}),
    ],
)
def test_invalid_password_shows_its_unmet_requirements(client, password, unmet):
    response = sign_up(client, password1=password)
    assert response.status_code == 422
    assert unmet_on(response.content.decode(), "password1") == unmet
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "password", ["Correct Horse 4 battery staple " * 10, " Lead1ng and trailing ", "Пароль-Aa1-ğüş"]
)
def test_long_and_strange_passwords_are_kept_whole(client, password):
    assert sign_up(client, password1=password).status_code == 302
    user = User.objects.get()
    assert user.check_password(password)
    assert not user.check_password(password.strip()[:-1])


def test_password_is_never_sent_back(client):
    response = sign_up(client, login="abc", password1="Unheard0f-word")
    assert response.status_code == 422
    page = response.content.decode()
    assert "Unheard0f-word" not in page
    assert "please enter it again" in page


def test_password_is_never_logged(client, caplog):
    with caplog.at_level("DEBUG"):
        sign_up(client, password1="Unheard0f-word")
        client.post(
            CHECK, {"password1": "Unheard0f-word"}, headers={"HX-Trigger-Name": "password1"}
        )
    assert "Unheard0f-word" not in caplog.text


def test_empty_form_asks_for_each_field(client):
    page = sign_up(client, "", "", password1="").content.decode()
    for text in ("Please choose a login.", "Please enter your email.", "Please choose a password."):
        assert text in page


def test_valid_input_stays_when_another_field_fails(client):
    page = sign_up(client, "Boris7", EMAIL, password1="short").content.decode()
    assert 'value="Boris7"' in page
    assert f'value="{EMAIL}"' in page


def test_member_is_redirected_home(client):
    sign_in(client, member("annika"))
    assert client.get(SIGN_UP).status_code == 302
    assert sign_up(client).status_code == 302
    assert User.objects.count() == 1


# --- Live hints ----------------------------------------------------------------------------------


def check(client: Client, name: str, **typed: str) -> str:
    response = client.post(CHECK, typed, headers={"HX-Request": "true", "HX-Trigger-Name": name})
    assert response.status_code == 200
    return response.content.decode()


def test_check_marks_met_and_unmet_requirements(client):
    marks = conditions_on(check(client, "username", username="abc"), "username")
    assert marks["Only Latin letters and digits."] == "is-met"
    assert "is-unmet" in marks["5 to 10 characters."]
    assert marks["Available."] == "", "not checked for an invalid login"


def test_check_reports_a_taken_login(client):
    member("annika")
    assert unmet_on(check(client, "username", username="ANNIKA"), "username") == {"Already taken."}


def test_check_lists_unmet_requirements_except_for_an_empty_field(client):
    message = 'hx-swap-oob="innerHTML:#password1-said">'
    page = check(client, "password1", password1="abcdefgh")
    assert f"{message}Not yet: An uppercase letter, A to Z. A digit, 0 to 9." in page
    assert f"{message}All conditions are met." in check(client, "password1", password1=PASSWORD)
    assert f"{message}</p>" in check(client, "password1", password1="")


def test_password_is_checked_again_when_the_login_changes(client):
    page = check(client, "username", username="Boris7", password1="Boris7777")
    assert "Does not contain your login or resemble your email." in unmet_on(page, "password1")
    assert 'id="password1-conditions" hx-swap-oob="true"' in page


def test_check_never_reveals_a_taken_email(client):
    taken = check(client, "email", email=member("annika").email)
    assert taken.replace("annika", "nobody") == check(client, "email", email="nobody@example.org")


def test_check_does_not_echo_the_password(client):
    assert "Unheard0f-word" not in check(client, "password1", password1="Unheard0f-word")


@pytest.mark.parametrize("name", ["website", "csrfmiddlewaretoken", "", "__class__"])
def test_check_refuses_unknown_fields(client, name):
    response = client.post(CHECK, {"username": "abc"}, headers={"HX-Trigger-Name": name})
    assert response.status_code == 400


def test_check_requires_post(client):
    assert client.get(CHECK, {"password1": PASSWORD}).status_code == 405


def test_checks_have_a_limit(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"signup_check": "2/m/ip"}
    for _ in range(2):
        check(client, "username", username="abc")
    response = client.post(CHECK, {"username": "a"}, headers={"HX-Trigger-Name": "username"})
    assert response.status_code == 429
    assert sign_up(client).status_code == 302, "signing up has its own limit"


# --- Honeypot and limits -------------------------------------------------------------------------


def test_filled_honeypot_gets_the_same_answer_and_no_account(client):
    response = sign_up(client, website="https://spam.example")
    assert response.status_code == 302
    assert response["Location"] == SENT
    assert client.get(SENT).status_code == 200
    assert not User.objects.exists()
    assert not emails_to(EMAIL)


def test_honeypot_is_hidden_from_sight_keyboard_and_screen_readers(client):
    page = client.get(SIGN_UP).content.decode()
    decoy = re.search(r'<div class="decoy" aria-hidden="true">.*?</div>', page, re.DOTALL)
    assert decoy
    assert 'tabindex="-1"' in decoy[0]
    assert "style=" not in page


def test_sign_ups_are_limited_and_the_page_shows_the_time_to_wait(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"signup": "2/h/ip"}
    for number in range(2):
        assert sign_up(client, f"Boris{number}", f"b{number}@example.org").status_code == 302
    response = sign_up(client, "Boris2", "b2@example.org")
    assert response.status_code == 429
    assert 3590 <= int(response["Retry-After"]) <= 3600
    assert "Please try again in 60 minutes." in response.content.decode()
    assert User.objects.count() == 2


# --- Expiry of logins ----------------------------------------------------------------------------


def test_login_of_a_lapsed_registration_can_be_taken(client):
    forgotten = unactivated("Boris7")
    User.objects.filter(pk=forgotten.pk).update(
        date_joined=timezone.now() - KEPT_FOR - timedelta(minutes=1)
    )
    assert not unmet_on(check(client, "username", username="boris7"), "username")
    assert registered(client, "boris7").pk != forgotten.pk
    assert not User.objects.filter(pk=forgotten.pk).exists()


def test_members_login_never_lapses(client):
    User.objects.filter(pk=member("Boris7").pk).update(
        date_joined=timezone.now() - 100 * KEPT_FOR, last_login=None
    )
    assert sign_up(client, "Boris7").status_code == 422
