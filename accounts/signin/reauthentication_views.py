"""The page that asks a signed-in member to prove again who they are."""

from allauth.account.internal.flows.reauthentication import reauthenticate_by_password
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.shared import rate_limits
from accounts.shared.allauth_pages import UNPROCESSABLE
from accounts.shared.current_user import current_user
from accounts.shared.own_urls import own_url
from accounts.shared.reauthentication import OwnPasswordForm

LIMIT = "reauthenticate"  # key of ACCOUNT_RATE_LIMITS


@never_cache
@sensitive_post_parameters("password")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def reauthenticate(request: HttpRequest) -> HttpResponse:
    """Ask for the password, or offer sign-in through another site; then go back to `next`."""
    user = current_user(request)
    if request.method != "POST" or not user.has_usable_password():
        return _show(request, OwnPasswordForm(None, user=user))
    if not rate_limits.allow(request, LIMIT):  # a stolen session must not allow password guessing
        return rate_limits.refuse(request, LIMIT)
    form = OwnPasswordForm(request.POST, user=user)
    if not form.is_valid():
        return _show(request, form)
    reauthenticate_by_password(request)
    return redirect(_back(request))


def _show(request: HttpRequest, form: OwnPasswordForm) -> HttpResponse:
    user = current_user(request)
    context = {
        "form": form,
        "redirect_field_value": _back(request),
        "has_password": user.has_usable_password(),
    }
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "account/reauthenticate.html", context, status=status)


def _back(request: HttpRequest) -> str:
    """Return the page to go back to; the profile if the given page is not on this site."""
    back = request.POST.get("next") or request.GET.get("next", "")
    return own_url(request, back, reverse("people:profile"))
