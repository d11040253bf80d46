"""What a password must hold. Each condition is a validator, so that each has its own hint."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _


class _CharacterValidator:
    """At least one Latin letter or digit of a kind; anything else is allowed beside it."""

    code = ""

    def has(self, character: str) -> bool:
        raise NotImplementedError

    def validate(self, password: str, user: object = None) -> None:
        if not any(character.isascii() and self.has(character) for character in password):
            raise ValidationError(self.get_help_text(), code=self.code)

    def get_help_text(self) -> str:
        raise NotImplementedError


class UpperCaseValidator(_CharacterValidator):
    code = "password_no_upper"

    def has(self, character: str) -> bool:
        return character.isupper()

    def get_help_text(self) -> str:
        return _("A capital letter, A to Z.")


class LowerCaseValidator(_CharacterValidator):
    code = "password_no_lower"

    def has(self, character: str) -> bool:
        return character.islower()

    def get_help_text(self) -> str:
        return _("A small letter, a to z.")


class DigitValidator(_CharacterValidator):
    code = "password_no_digit"

    def has(self, character: str) -> bool:
        return character.isdigit()

    def get_help_text(self) -> str:
        return _("A digit, 0 to 9.")
