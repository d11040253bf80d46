"""The page on which members close their account."""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.closing import services
from accounts.closing.forms import ClosingForm
from accounts.shared import rate_limits, reauthentication
from accounts.shared.current_user import current_user
from accounts.shared.refusals import Refused

LIMIT = "close_account"  # key of ACCOUNT_RATE_LIMITS


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest) -> HttpResponse:
    """Show what is erased and what is kept; close once the member has confirmed who they are."""
    user = current_user(request)
    if request.method != "POST":
        return _show(request, ClosingForm(None, user=user), services.known_refusal(user))
    # Without a password the form asks for the login, which everybody knows: only a recent sign-in
    # proves that the member is asking.
    if not user.has_usable_password() and not reauthentication.is_recent(request):
        return reauthentication.ask(request.path)
    if not rate_limits.allow(request, LIMIT):  # a stolen session must not allow password guessing
        return rate_limits.refuse(request, LIMIT)
    form = ClosingForm(request.POST, user=user)
    if not form.is_valid():
        return _show(request, form)
    try:
        services.close(user.pk, timezone.now())
    except Refused as error:
        return _show(request, form, str(error.details["why"]))
    logout(request)
    messages.success(request, gettext("Your account is closed. Thanks for playing."))
    return HttpResponseRedirect(reverse("home"), status=303)


def _show(request: HttpRequest, form: ClosingForm, refusal: str = "") -> HttpResponse:
    context = {"form": form, "refusal": refusal}
    status = 422 if form.is_bound else 200
    return render(request, "profile/close.html", context, status=status)
