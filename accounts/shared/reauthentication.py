"""Ask members to prove again who they are, before a change that could give the account away.

An open browser or a stolen session alone must not add a way into the account.
"""

import time
from typing import Any

from allauth.account import app_settings
from allauth.account.internal.flows.login import get_authentication_records
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.shared.own_urls import with_return


def is_recent(request: HttpRequest, within_s: float | None = None) -> bool:
    """Return whether the member proved who they are within this time, in any way.

    The default is ACCOUNT_REAUTHENTICATION_TIMEOUT.
    """
    if not request.user.is_authenticated:
        return False
    records = get_authentication_records(request, request.user)
    age_s = time.time() - records[-1]["at"] if records else float("inf")
    limit_s = app_settings.REAUTHENTICATION_TIMEOUT if within_s is None else within_s
    return bool(0 <= age_s < limit_s)


def ask(back: str) -> HttpResponse:
    """Redirect to the page that asks, which leads to the URL `back` afterwards."""
    return redirect(with_return(reverse("account_reauthenticate"), back))


class OwnPasswordForm(forms.Form):
    """Ask members for their own password."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages={"required": _("Please enter your password.")},
    )

    def __init__(self, data: Any, *, user: User) -> None:
        super().__init__(data)
        self._user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self._user.check_password(password):
            raise forms.ValidationError(_("This is not your password."), code="wrong")
        return password
