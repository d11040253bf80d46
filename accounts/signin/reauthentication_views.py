"""The page that asks a signed-in member again who they are."""

from typing import Any

from allauth.account.internal.flows.reauthentication import reauthenticate_by_password
from allauth.socialaccount.models import SocialAccount
from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.shared import rate_limits
from accounts.shared.allauth_pages import UNPROCESSABLE
from accounts.shared.current_user import current_user
from accounts.shared.own_urls import own_url

LIMIT = "reauthenticate"  # key of ACCOUNT_RATE_LIMITS


class PasswordForm(forms.Form):
    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        max_length=200,
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


@never_cache
@sensitive_post_parameters("password")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def reauthenticate(request: HttpRequest) -> HttpResponse:
    """Ask for the password, or lead through Facebook; then go back to `next`."""
    user = current_user(request)
    if request.method != "POST" or not user.has_usable_password():
        return _show(request, PasswordForm(None, user=user))
    if not rate_limits.allow(request, LIMIT):  # a stolen session must not allow password guessing
        return rate_limits.refuse(request, LIMIT)
    form = PasswordForm(request.POST, user=user)
    if not form.is_valid():
        return _show(request, form)
    reauthenticate_by_password(request)
    return redirect(_back(request))


def _show(request: HttpRequest, form: PasswordForm) -> HttpResponse:
    user = current_user(request)
    connected = SocialAccount.objects.filter(user=user).exists()
    context = {
        "form": form,
        "redirect_field_value": _back(request),
        "has_password": user.has_usable_password(),
        "has_facebook": bool(settings.SOCIALACCOUNT_PROVIDERS) and connected,
    }
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "account/reauthenticate.html", context, status=status)


def _back(request: HttpRequest) -> str:
    """Return the page to go back to: one of this site, else the profile."""
    back = request.POST.get("next") or request.GET.get("next", "")
    return own_url(request, back, reverse("people:profile"))
