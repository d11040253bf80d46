"""Password requirements: one validator each, so that each has its own hint."""

import re
from typing import Any

from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext


class _CharacterValidator:
    """Demand at least one Latin letter or digit of a kind; other characters are allowed too."""

    code = ""
    kind = ""

    def validate(self, password: str, user: object = None) -> None:
        if not re.search(self.kind, password):
            raise ValidationError(self.get_help_text(), code=self.code)

    def get_help_text(self) -> str:
        raise NotImplementedError


class UpperCaseValidator(_CharacterValidator):
    code = "password_no_upper"
    kind = "[A-Z]"

    def get_help_text(self) -> str:
        return _("An uppercase letter, A to Z.")


class LowerCaseValidator(_CharacterValidator):
    code = "password_no_lower"
    kind = "[a-z]"

    def get_help_text(self) -> str:
        return _("A lowercase letter, a to z.")


class DigitValidator(_CharacterValidator):
    code = "password_no_digit"
    kind = "[0-9]"

    def get_help_text(self) -> str:
        return _("A digit, 0 to 9.")


class MinimumLengthValidator(password_validation.MinimumLengthValidator):
    """Django's validator, worded as a requirement. There is no upper limit."""

    def get_help_text(self) -> str:
        text = ngettext(
            "At least %(count)d character.", "At least %(count)d characters.", self.min_length
        )
        return text % {"count": self.min_length}

    get_error_message = get_help_text


class CommonPasswordValidator(password_validation.CommonPasswordValidator):
    """Django's validator and its list of 20,000 passwords, worded as a requirement."""

    def get_help_text(self) -> str:
        return _("Not a common password.")

    get_error_message = get_help_text


class LikenessValidator(password_validation.UserAttributeSimilarityValidator):
    """Refuse a password that resembles login or email (Django's measure) or contains the login."""

    def __init__(self) -> None:
        super().__init__(user_attributes=("username", "email"))

    def validate(self, password: str, user: Any = None) -> None:
        super().validate(password, user)
        login = user.get_username() if user else ""
        if login and login.casefold() in password.casefold():
            raise ValidationError(self.get_help_text(), code="password_too_similar")

    def get_help_text(self) -> str:
        return _("Does not contain your login or resemble your email.")

    get_error_message = get_help_text
