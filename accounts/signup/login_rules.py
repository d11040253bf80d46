"""Rules of logins and emails, each with its own hint."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.signup import reserved_logins

LONGEST_EMAIL = 254  # characters
LONGEST_LOGIN = 10


@dataclass(frozen=True, slots=True)
class Rule:
    """A validator that is also a predicate; hints show it if broken or `is_always_shown`."""

    code: str
    text: Promise
    allows: Callable[[str], bool]
    is_always_shown: bool = True

    def __call__(self, value: str) -> None:
        if not self.allows(value):
            raise ValidationError(str(self.text), code=self.code)


# The lists of words are not searched for a login that is too long: the search would take seconds,
# and the rule of the length refuses the login anyway.
LOGIN_VALIDATORS = [
    Rule("login_length", _("5 to 10 characters."), lambda login: 5 <= len(login) <= LONGEST_LOGIN),
    Rule(
        "login_characters",
        _("Only Latin letters and digits."),
        lambda login: re.fullmatch("[A-Za-z0-9]*", login) is not None,
    ),
    Rule(
        "login_official",
        _("This login is reserved. Please choose another."),
        lambda login: len(login) > LONGEST_LOGIN or not reserved_logins.is_official(login),
        is_always_shown=False,
    ),
    Rule(
        "login_offensive",
        _("This login could offend someone. Please choose another."),
        lambda login: len(login) > LONGEST_LOGIN or not reserved_logins.is_offensive(login),
        is_always_shown=False,
    ),
]


def normalize_email(email: str) -> str:
    """Return the canonical spelling under which an email is stored and found.

    The spelling is in lower case with the domain in Unicode: the domain may arrive in punycode
    (some browsers send it so) or in variants of its letters, such as full-width ones. A text that
    is too long for an address is only put into lower case: to read its domain would take long.
    """
    if len(email) > LONGEST_EMAIL:
        return email.lower()
    name, at, domain = email.lower().rpartition("@")
    try:
        return name + at + domain.encode("idna").decode("idna")
    except UnicodeError:  # no domain: no stored address matches it
        return email.lower()


def is_whole_address(email: str) -> bool:
    """Return whether an email can be sent to the address.

    Django's check allows letters that equal Latin ones when case is ignored (the long s); two
    mailboxes could then be taken for one.
    """
    if (
        max(len(email), len(normalize_email(email))) > LONGEST_EMAIL
        or not email.rpartition("@")[0].isascii()
    ):
        return False
    try:
        EmailValidator()(email)
    except ValidationError:
        return False
    return True


EMAIL_RULE = Rule(
    "email_incomplete", _("A full address, such as name@example.org."), is_whole_address
)
