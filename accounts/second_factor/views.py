"""The pages on which members set up and change the two-step sign-in."""

import hashlib
import time

from allauth.account.internal.flows.login import record_authentication
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import security_log
from accounts.second_factor import codes, limits, sealing, selectors, services
from accounts.second_factor.forms import CodeForm
from accounts.shared import rate_limits, reauthentication
from accounts.shared.allauth_pages import UNPROCESSABLE
from accounts.shared.current_user import current_user
from accounts.shared.own_urls import own_url
from accounts.shared.transactions import write_transaction

# Name of the session's entry with the sealed secret of a set-up and the time when it was made.
SECRET = "second_factor_secret"
# Seconds for which a set-up keeps its secret.
SET_UP_S = 30 * 60
# Seconds for which a form that is sent again shows the recovery codes that it has made.
AGAIN_S = 60
HINT_OF_APP = _("The six digits that the app shows now.")
HINT_TO_CHANGE = _("The six digits that the app shows now, or one of your recovery codes.")
FEW_CODES = 3  # with at most this many recovery codes left, the overview warns the member


@never_cache
@sensitive_post_parameters("code")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def overview(request: HttpRequest) -> HttpResponse:
    """Show the state; POST makes new recovery codes (`codes`) or ends two-step sign-in (`off`)."""
    user = current_user(request)
    if request.method != "POST" or not selectors.is_on(user.pk):
        return _show(request, CodeForm(hint=HINT_TO_CHANGE))
    if not reauthentication.is_recent(request):
        return reauthentication.ask(request.path)
    return _change(request)


def _change(request: HttpRequest) -> HttpResponse:
    """Require a code for either change: new recovery codes are worth as much as the phone."""
    user, form = current_user(request), CodeForm(request.POST, hint=HINT_TO_CHANGE)
    is_renewal = "codes" in request.POST
    is_allowed = is_renewal or not selectors.is_required(user)
    if not is_allowed or not form.is_valid():
        return _show(request, form)
    try:
        usage = limits.count(request, user, form.cleaned_data["code"])
    except rate_limits.TooMany as error:
        return rate_limits.refuse(request, error.limit.action, error.limit.key)
    if is_renewal and (fresh := _renewed(request, form.cleaned_data["code"])):
        usage.rollback()
        return _show_codes(request, fresh)
    if is_renewal or not services.accept(user.pk, form.cleaned_data["code"], timezone.now()):
        security_log.note("code refused", request)
        limits.note_wrong(request, user)
        form.refuse()
        return _show(request, form)
    usage.rollback()
    services.switch_off(user, timezone.now())
    cache.delete(_cache_key(request))
    messages.success(request, gettext("Two-step sign-in is off."))
    return redirect("account_second_factor")


def _renewed(request: HttpRequest, typed: str) -> list[str]:
    """Return new recovery codes, or those that this form has made before; [] for a wrong code."""
    user, now = current_user(request), timezone.now()
    with write_transaction():
        if not services.accept(user.pk, typed, now):
            return _kept(request)
        return _keep(request, services.renew_recovery_codes(user, now))


def _show(request: HttpRequest, form: CodeForm) -> HttpResponse:
    user = current_user(request)
    context = {
        "form": form,
        "state": selectors.state_of(user.pk),
        "few": FEW_CODES,
        "is_required": selectors.is_required(user),
    }
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "account/second_factor/overview.html", context, status=status)


@never_cache
@sensitive_post_parameters("code")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def set_up(request: HttpRequest) -> HttpResponse:
    """Show the secret to an authenticator app; switch on after a code of the app."""
    user = current_user(request)
    if selectors.is_on(user.pk):
        return _after_set_up(request, _kept(request))
    if not reauthentication.is_recent(request):
        return reauthentication.ask(request.get_full_path())
    secret = _secret_of(request)
    if request.method != "POST":
        return _show_set_up(request, secret, CodeForm(hint=HINT_OF_APP))
    form = CodeForm(request.POST, hint=HINT_OF_APP)
    if not form.is_valid():
        return _show_set_up(request, secret, form)
    key, typed = request.session.session_key or "", form.cleaned_data["code"]
    with write_transaction():
        fresh = services.switch_on(user, secret, typed, key, timezone.now())
        if fresh is not None:
            _keep(request, fresh)
    if fresh is None and selectors.is_on(user.pk):
        return _after_set_up(request, _kept(request))
    if fresh is None:
        form.refuse()
        return _show_set_up(request, secret, form)
    del request.session[SECRET]
    limits.forget(request, user)
    record_authentication(request, user, "mfa")
    return _after_set_up(request, fresh)


def _after_set_up(request: HttpRequest, fresh: list[str]) -> HttpResponse:
    if not fresh:
        return redirect("account_second_factor")
    return _show_codes(request, fresh, own_url(request, request.GET.get("next", "")))


def _secret_of(request: HttpRequest) -> str:
    """Return the secret of this set-up, the same after a reload.

    After half an hour a new secret is made, since another person may have seen a page left open.
    """
    kept = request.session.get(SECRET)
    secret = None
    if isinstance(kept, list) and 0 <= time.time() - kept[1] < SET_UP_S:
        secret = sealing.unseal(kept[0])
    if secret is None:
        secret = codes.new_secret()
        request.session[SECRET] = [sealing.seal(secret), time.time()]
    return secret


def _show_set_up(request: HttpRequest, secret: str, form: CodeForm) -> HttpResponse:
    user = current_user(request)
    context = {
        "form": form,
        "secret": codes.grouped(secret, 4),
        "app_url": codes.app_url(secret, user.username),
        "is_required": selectors.is_required(user),
    }
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "account/second_factor/set_up.html", context, status=status)


def _show_codes(request: HttpRequest, fresh: list[str], back: str = "") -> HttpResponse:
    """Show recovery codes, once: after a minute (`_keep`) only their hashes are stored."""
    half = codes.RECOVERY_LENGTH // 2
    context = {
        "codes": [codes.grouped(each, half) for each in fresh],
        "back": back or reverse("account_second_factor"),
    }
    return render(request, "account/second_factor/codes.html", context)


def _keep(request: HttpRequest, fresh: list[str]) -> list[str]:
    """Keep new recovery codes for the same form sent again, and return them.

    After a double press the browser shows only the second answer. Call this in the transaction that
    makes the codes: the second request waits for the end of that transaction.
    """
    kept = {"form": _form_of(request), "codes": sealing.seal(" ".join(fresh))}
    cache.set(_cache_key(request), kept, AGAIN_S)
    return fresh


def _kept(request: HttpRequest) -> list[str]:
    """Return the recovery codes that are kept for this form; [] if there are none."""
    kept = cache.get(_cache_key(request))
    if kept is None or kept["form"] != _form_of(request):
        return []
    return (sealing.unseal(kept["codes"]) or "").split()


def _cache_key(request: HttpRequest) -> str:
    return f"recovery-codes:{request.user.pk}"


def _form_of(request: HttpRequest) -> str:
    """Return a hash of session and typed code, which identifies a form: a code works once."""
    about = f"{request.session.session_key}:{request.POST.get('code', '')}"
    return hashlib.sha256(about.encode()).hexdigest()
