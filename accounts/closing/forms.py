"""The confirmation before an account is closed."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class ClosingForm(forms.Form):
    """Ask for the password, or for the login if the account has none (Facebook)."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages={"required": _("Type your password to close the account.")},
    )
    login = forms.CharField(
        label=_("Type your login"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": _("Type your login to close the account.")},
    )

    def __init__(self, data: Any, *, user: Any) -> None:
        super().__init__(data)
        self._user = user
        del self.fields["login" if user.has_usable_password() else "password"]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self._user.check_password(password):
            raise forms.ValidationError(_("This is not your password."), code="wrong")
        return password

    def clean_login(self) -> str:
        login: str = self.cleaned_data["login"].strip()
        if login.lower() != self._user.username.lower():
            raise forms.ValidationError(_("This is not your login."), code="wrong")
        return login
