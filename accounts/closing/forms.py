"""The confirmation before an account is closed."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.shared.reauthentication import OwnPasswordForm
from accounts.signup.forms import NO_CORRECTION


class ClosingForm(OwnPasswordForm):
    """Ask for the password, or for the login if the account has no password."""

    login = forms.CharField(
        label=_("Type your login"),
        max_length=150,
        # Phones capitalize the first letter. From a Turkish "i" they make a dotted capital, which
        # `clean_login` would not recognize.
        widget=forms.TextInput(attrs=NO_CORRECTION | {"autocomplete": "off"}),
        error_messages={"required": _("Type your login to close the account.")},
    )

    def __init__(self, data: Any, *, user: User) -> None:
        super().__init__(data, user=user)
        required = _("Type your password to close the account.")
        self.fields["password"].error_messages["required"] = required
        del self.fields["login" if user.has_usable_password() else "password"]

    def clean_login(self) -> str:
        login: str = self.cleaned_data["login"].strip()
        if login.lower() != self._user.username.lower():
            raise forms.ValidationError(_("This is not your login."), code="wrong")
        return login
