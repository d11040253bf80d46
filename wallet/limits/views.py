"""Responsible play: own limits, breaks, the confirmed age, and where to find help."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.shared import rate_limits, reauthentication
from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.own_urls import own_url
from accounts.shared.prose import prose_of
from accounts.shared.refusals import Refused, marked
from wallet.limits import exclusions, overview, services
from wallet.limits.forms import BreakForm, LimitsForm
from wallet.limits.guards import guard_of
from wallet.limits.rules import BREAKS, WAIT, Kind
from wallet.models import Exclusion

LIMIT = "take_break"  # key of ACCOUNT_RATE_LIMITS


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def limits(request: HttpRequest) -> HttpResponse:
    """Show the limits with the used part of each; save them."""
    user_id, now = current_user(request).pk, CLOCK.now()
    lines, choices = overview.lines_of(user_id, now), overview.choices_of(user_id)
    data = request.POST if request.method == "POST" else None
    form = LimitsForm(data, lines=lines, reminder=choices.reminder_minutes)
    if form.is_valid():
        waiting = services.set_limits(user_id, form.wanted, now)
        if form.wanted_reminder is not None:
            services.choose_reminder(user_id, form.wanted_reminder)
        messages.success(request, _saved(waiting))
        return redirect("wallet:limits")
    exclusion = overview.exclusion_of(user_id, now)
    context = {
        "form": form,
        "groups": _groups(form, lines),
        "exclusion": exclusion,
        "breaks": _breaks(overview.open_breaks(exclusion, now)),
        "wait_days": WAIT.days,
        "needs_age": guard_of(user_id, now).needs_age,
    }
    page = render(request, "wallet/limits/page.html", context, status=422 if form.errors else 200)
    return marked(page, "invalid") if form.errors else page


@require_POST
@login_required
def keep(request: HttpRequest) -> HttpResponse:
    """Cancel a change that is still to come."""
    asked = request.POST.get("kind", "")
    if asked in Kind.values and services.keep(current_user(request).pk, Kind(asked), CLOCK.now()):
        messages.success(request, _("The limit stays as it is."))
    return redirect("wallet:limits")


@never_cache
@sensitive_post_parameters("password")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def take_break(request: HttpRequest, length: str) -> HttpResponse:
    """Show what a break closes; begin it when the member has proved who they are."""
    if length not in BREAKS:
        raise Http404
    user, now = current_user(request), CLOCK.now()
    form = BreakForm(request.POST if request.method == "POST" else None, user=user)
    if request.method != "POST":
        return _ask(request, form, length)
    if not user.has_usable_password() and not reauthentication.is_recent(request):
        return reauthentication.ask(request.path)
    if not rate_limits.allow(request, LIMIT):  # a stolen session must not allow password guessing
        return rate_limits.refuse(request, LIMIT)
    if not form.is_valid():
        return _ask(request, form, length)
    try:
        exclusions.begin(user.pk, length, now)
    except Refused as refusal:
        messages.error(request, _("Your current break lasts longer. Choose a longer one."))
        return marked(redirect("wallet:limits"), refusal.code)
    messages.success(request, _("Your break has begun. What you had reserved is available again."))
    return redirect("wallet:limits")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def age(request: HttpRequest) -> HttpResponse:
    """Ask members to confirm their age before the first stake; then redirect to the URL `next`."""
    user, now = current_user(request), CLOCK.now()
    back = own_url(request, request.POST.get("next") or request.GET.get("next", ""))
    if request.method == "POST" and settings.MINIMUM_AGE:
        services.confirm_age(user.pk, now)
        messages.success(request, _("Thank you: your age is confirmed."))
        return redirect(back or "wallet:limits")
    context = {"age": settings.MINIMUM_AGE, "back": back, "asks": guard_of(user.pk, now).needs_age}
    return render(request, "wallet/limits/age.html", context)


@require_safe
def show_help(request: HttpRequest) -> HttpResponse:
    """Show where to find help; each language lists places within reach of its readers."""
    return render(request, "wallet/limits/help.html", {"prose": prose_of("limits_help")})


def _ask(request: HttpRequest, form: BreakForm, length: str) -> HttpResponse:
    context = {
        "form": form,
        "name": _names()[length],
        "is_long": BREAKS[length].kind == Exclusion.Kind.SELF_EXCLUSION,
        "ends_at": CLOCK.now() + BREAKS[length].lasts,
        "needs_sign_in": "password" not in form.fields and not reauthentication.is_recent(request),
    }
    page = render(request, "wallet/limits/break.html", context, status=422 if form.errors else 200)
    return marked(page, "invalid") if form.errors else page


def _groups(form: LimitsForm, lines: dict[Kind, overview.LimitLine]) -> list[dict[str, Any]]:
    """Return the fields with their lines, under their headings."""
    titles = {
        "loss": _("Losses"),
        "deposit": _("Top-ups"),
        "stake": _("Stakes"),
        "session": _("Time"),
    }
    hints = {
        "loss": _(
            "Stakes, entry fees and purchases, less what comes back. What is reserved or at stake"
            " counts until it comes back."
        ),
        "deposit": _("Credits that you buy."),
        "stake": _("The most that one match or one entry may cost."),
        "session": _(
            "Matches for credits and tournaments since your last break of 30 minutes. A match that"
            " has begun may be finished."
        ),
    }
    return [
        {
            "title": title,
            "hint": hints[group],
            "rows": [
                (form[kind.value], line)
                for kind, line in lines.items()
                if kind.value.partition("_")[0] == group
            ],
        }
        for group, title in titles.items()
    ]


def _names() -> dict[str, str]:
    return {
        "day": _("24 hours"),
        "week": _("7 days"),
        "month": _("30 days"),
        "half_year": _("6 months"),
        "year": _("1 year"),
        "five_years": _("5 years"),
    }


def _breaks(codes: Any) -> dict[str, list[tuple[str, str]]]:
    """Return the breaks that may be chosen, with their names, by their kind."""
    found: dict[str, list[tuple[str, str]]] = {kind.value: [] for kind in Exclusion.Kind}
    for code in codes:
        found[BREAKS[code].kind].append((code, _names()[code]))
    return found


def _saved(waiting: list[Kind]) -> str:
    if not waiting:
        return _("Saved. Your limits apply from now on.")
    text = ngettext(
        "Saved. Tighter limits apply now, looser ones in %(days)d day.",
        "Saved. Tighter limits apply now, looser ones in %(days)d days.",
        WAIT.days,
    )
    return text % {"days": WAIT.days}
