"""Activation: the page after sign-up, the link, another email, another address."""

import math
from datetime import datetime

from allauth.account.internal.flows.email_verification import verify_email_and_resume
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.contrib import messages
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.shared import rate_limits
from accounts.shared.allauth_pages import GONE, UNPROCESSABLE
from accounts.shared.durations import as_clock
from accounts.signup import activation_links, selectors, services
from accounts.signup.activation_links import Link, LinkStatus
from accounts.signup.allauth_hooks import REGISTRATION
from accounts.signup.forms import NewAddressForm

SENT = "account_email_verification_sent"  # name of the URL of the view `sent`


@never_cache
@require_safe
def sent(request: HttpRequest) -> HttpResponse:
    """Show where the email went, but only to the browser that signed up."""
    if request.user.is_authenticated:
        return redirect("home")
    return _show_sent(request, _own_address(request), NewAddressForm())


@never_cache
@require_POST
def resend(request: HttpRequest) -> HttpResponse:
    """Send another email, for this browser's registration or for an expired link."""
    if not rate_limits.allow(request, "resend"):
        return rate_limits.refuse(request, "resend")
    address = _own_address(request)
    if "key" in request.POST:
        link = activation_links.read(request.POST["key"])
        address = link.address if link.status is LinkStatus.EXPIRED else None
    if address is None:
        return redirect(SENT)
    try:
        services.resend_email(request, address.user_id, timezone.now())
        text = gettext("We sent another email to %(email)s.") % {"email": address.email}
        messages.success(request, text)
    except services.TooSoon as refusal:
        messages.warning(request, _wait_text(refusal.until))
    except services.NotWaiting:
        pass
    return redirect(SENT)


@never_cache
@require_POST
def change_email(request: HttpRequest) -> HttpResponse:
    """Send the email to another mailbox; links sent to the old one stop working."""
    if not rate_limits.allow(request, "resend"):
        return rate_limits.refuse(request, "resend")
    address = _own_address(request)
    if address is None:
        return redirect(SENT)
    form = NewAddressForm(request.POST)
    if not form.is_valid():
        return _show_sent(request, address, form, status=UNPROCESSABLE)
    email = form.cleaned_data["email"]
    try:
        services.change_address(request, address.user_id, email, timezone.now())
    except services.TooManyChanges:
        text = gettext(
            "The address was changed too often. Please sign up again with another login."
        )
        form.add_error("email", text)
        return _show_sent(request, address, form, status=UNPROCESSABLE)
    except services.NotWaiting:
        pass
    return redirect(SENT)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    """Activate by POST only: GET shows a button, since email programs open links by themselves."""
    link = activation_links.read(key)
    if link.status is not LinkStatus.READY or link.address is None:
        return _show_dead_link(request, link, key)
    if request.method != "POST":
        return render(request, "account/email_confirm.html", {"address": link.address})
    try:
        confirmation = EmailConfirmationHMAC(link.address)
        address, response = verify_email_and_resume(request, confirmation)
    except IntegrityError:  # another account took the mailbox concurrently
        address, response = None, None
    if address is None:
        return _show_dead_link(request, activation_links.read(key), key)
    request.session.pop(REGISTRATION, None)
    # allauth signs in only the browser that signed up; in another one the member signs in now.
    return response or redirect("home" if request.user.is_authenticated else "account_login")


def _own_address(request: HttpRequest) -> EmailAddress | None:
    """Return the address of the registration made in this browser."""
    user_id = request.session.get(REGISTRATION)
    return selectors.address_of(user_id) if user_id else None


def _show_sent(
    request: HttpRequest, address: EmailAddress | None, form: NewAddressForm, status: int = 200
) -> HttpResponse:
    context: dict[str, object] = {"address": address, "form": form}
    if address is not None:
        until = services.next_email_at(address.user_id)
        seconds = max(0, _seconds_until(until)) if until else 0
        context |= {"wait_s": seconds, "wait": as_clock(seconds)}
    return render(request, "account/verification_sent.html", context, status=status)


def _show_dead_link(request: HttpRequest, link: Link, key: str) -> HttpResponse:
    context = {"status": link.status, "address": link.address, "key": key}
    return render(request, "account/email_confirm_dead.html", context, status=GONE)


def _seconds_until(moment: datetime) -> int:
    return math.ceil((moment - timezone.now()).total_seconds())


def _wait_text(until: datetime) -> str:
    seconds = max(1, _seconds_until(until))
    if seconds < 60:
        text = ngettext(
            "You can ask for another email in %(count)d second.",
            "You can ask for another email in %(count)d seconds.",
            seconds,
        )
        return text % {"count": seconds}
    minutes = -(-seconds // 60)
    text = ngettext(
        "You can ask for another email in %(count)d minute.",
        "You can ask for another email in %(count)d minutes.",
        minutes,
    )
    return text % {"count": minutes}
