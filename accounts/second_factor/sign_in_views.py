"""The second step of signing in."""

import time

from allauth.account.internal.decorators import login_stage_required
from allauth.account.internal.flows.login import record_authentication
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import security_log
from accounts.models import User
from accounts.second_factor import limits, services
from accounts.second_factor.forms import CodeForm
from accounts.second_factor.stage import SecondFactorStage
from accounts.shared import rate_limits
from accounts.shared.allauth_pages import UNPROCESSABLE

HINT = _("The six digits that the app shows now, or one of your recovery codes.")
# Longest time between the first step of the sign-in and the code, in seconds.
WAITS_S = 10 * 60


@never_cache
@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
@login_stage_required(stage=SecondFactorStage.key, redirect_urlname="account_login")
def code(request: HttpRequest) -> HttpResponse:
    """Ask for the code and sign in; `cancel` leads back to the first step."""
    stage: SecondFactorStage = request._login_stage  # type: ignore[attr-defined]
    if "cancel" in request.POST:
        return _back(stage)
    if not stage.has_hash or time.time() - stage.login.initiated_at > WAITS_S:
        text = gettext("That took too long. Please sign in again.")
        messages.warning(request, text)
        return _back(stage)
    if stage.is_outdated:
        messages.warning(request, gettext("The password was changed. Please sign in again."))
        return _back(stage)
    if request.method != "POST":
        return _show(request, CodeForm(hint=HINT))
    return _check(request, stage)


def _check(request: HttpRequest, stage: SecondFactorStage) -> HttpResponse:
    user = stage.login.user
    assert isinstance(user, User)
    form = CodeForm(request.POST, hint=HINT)
    if not form.is_valid():
        return _show(request, form)
    try:
        usage = limits.count(request, user, form.cleaned_data["code"])
    except rate_limits.TooMany as error:
        return rate_limits.refuse(request, error.limit.action, error.limit.key)
    if not services.accept(user.pk, form.cleaned_data["code"], timezone.now()):
        security_log.note("code refused", request, user.pk)
        limits.note_wrong(request, user)
        form.refuse()
        return _show(request, form)
    usage.rollback()
    record_authentication(request, user, "mfa")
    response: HttpResponse = stage.exit()
    return response


def _back(stage: SecondFactorStage) -> HttpResponse:
    response: HttpResponse = stage.abort()
    return response


def _show(request: HttpRequest, form: CodeForm) -> HttpResponse:
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "account/second_factor/code.html", {"form": form}, status=status)
