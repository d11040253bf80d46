"""Who comes through Facebook chooses a login, under the same rule as everybody."""

from typing import Any

from allauth.socialaccount.forms import SignupForm
from django import forms
from django.utils.translation import gettext_lazy as _


class SocialSignUpForm(SignupForm):
    """The login, and an email if one likes. Facebook's is a suggestion that may be taken out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        login, email = self.fields["username"], self.fields["email"]
        login.label = _("Login")
        login.help_text = _("5 to 10 Latin letters and digits. Others see it; it stays for good.")
        typed = {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
        login.widget = forms.TextInput(attrs=typed)
        email.label = _("Email, if you like")
        email.help_text = _("For a password of your own, in case Facebook locks you out.")
        email.widget = forms.EmailInput(attrs={"autocomplete": "email"})

    def validate_unique_email(self, value: str) -> str:
        """Whether it is taken is told by letter, to who owns the mailbox."""
        return value
