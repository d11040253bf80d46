"""Requirements of login, email and password, each shown with whether it is met."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.password_validation import get_default_password_validators
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from accounts.models import User
from accounts.signup.login_rules import (
    EMAIL_RULE,
    LOGIN_VALIDATORS,
    LONGEST_EMAIL,
    LONGEST_LOGIN,
    Rule,
)
from accounts.signup.selectors import is_login_taken


@dataclass(frozen=True, slots=True)
class Condition:
    """A requirement and whether it is met.

    `is_met` is None while it cannot be judged: there is no input, or a login that may be taken
    breaks another rule.
    """

    code: str
    text: str
    is_met: bool | None = None

    @property
    def is_final(self) -> bool:
        """Return whether the page shows the fault while the visitor still types.

        True for the rules of the login except its length, which more typing may repair.
        """
        return self.code.startswith("login_") and self.code != "login_length"


def of_login(login: str, now: datetime) -> list[Condition]:
    """Judge a login; look up whether it is taken only if all other rules allow it."""
    conditions = [
        _judge(rule, login)
        for rule in LOGIN_VALIDATORS
        if rule.is_always_shown or (login and not rule.allows(login))
    ]
    is_possible = login and all(condition.is_met for condition in conditions)
    is_free = not is_login_taken(login, now) if is_possible else None
    text = gettext("Already taken.") if is_free is False else gettext("Available.")
    return [*conditions, Condition("login_taken", text, is_free)]


def of_email(email: str) -> list[Condition]:
    return [_judge(EMAIL_RULE, email)]


def of_password(password: str, login: str, email: str) -> list[Condition]:
    """Judge a password by each validator of the settings.

    A login or email that is too long is refused anyway, so only its beginning is compared.
    """
    user = User(username=login[:LONGEST_LOGIN], email=email[:LONGEST_EMAIL])
    return [
        Condition(
            type(validator).__name__,
            validator.get_help_text(),
            _passes(validator, password, user) if password else None,
        )
        for validator in get_default_password_validators()
    ]


def unmet(conditions: Iterable[Condition]) -> list[ValidationError]:
    return [
        ValidationError(condition.text, code=condition.code)
        for condition in conditions
        if condition.is_met is False
    ]


def _judge(rule: Rule, value: str) -> Condition:
    return Condition(rule.code, str(rule.text), rule.allows(value) if value else None)


def _passes(validator: Any, password: str, user: User) -> bool:
    try:
        validator.validate(password, user)
    except ValidationError:
        return False
    return True
