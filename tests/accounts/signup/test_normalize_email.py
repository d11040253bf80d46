"""All spellings of an address, by case or by domain, are normalized to one."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from accounts.models import OutgoingEmail, User
from accounts.signup.login_rules import normalize_email
from tests.accounts.factories import PASSWORD, member
from tests.accounts.mail.mailbox import last_to, link_in
from tests.accounts.signup.signing_up import sign_up

KEPT = "anna@münchen.example"
SAME = [
    "Anna@MÜNCHEN.example",
    "anna@xn--mnchen-3ya.example",
    "anna@mu\N{COMBINING DIAERESIS}nchen.example",
    "anna@münchen.ex\N{FULLWIDTH LATIN SMALL LETTER A}mple",
]


@pytest.mark.parametrize("typed", SAME)
def test_spellings_of_a_mailbox_are_normalized(typed):
    assert normalize_email(typed) == KEPT


# The time to decode a domain grows with its length, so one that is too long is not decoded.
TOO_LONG = "anna@" + "xn--mnchen-3ya." * 20 + "org"


@pytest.mark.parametrize(
    "typed", ["", "anna", "anna@", "anna@a..b", "anna@" + "a" * 70 + ".org", TOO_LONG]
)
def test_invalid_email_is_only_lowercased(typed):
    assert normalize_email(typed.upper()) == typed


@pytest.mark.django_db
@pytest.mark.parametrize("typed", SAME)
def test_every_spelling_finds_the_member_and_counts_as_taken(typed):
    anna = member("annika")
    User.objects.filter(pk=anna.pk).update(email=KEPT)
    EmailAddress.objects.filter(user=anna).update(email=KEPT)
    signed_in = Client().post(reverse("account_login"), {"login": typed, "password": PASSWORD})
    assert signed_in["Location"] == "/en/"
    Client().post(reverse("account_reset_password"), {"email": typed})
    assert "/password/reset/key/" in link_in(last_to(KEPT))
    assert sign_up(Client(), "Second1", typed).status_code == 302
    assert "/confirm-email/" not in last_to(KEPT).text
    assert set(OutgoingEmail.objects.values_list("to", flat=True)) == {KEPT}
