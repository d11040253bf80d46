"""From sign-up to the first sign-in: the letter, its link, another letter, another address."""

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

from accounts import activation_links, registrations, throttling
from accounts.activation_links import Link, Worth
from accounts.durations import as_clock
from accounts.forms.signup import NewAddressForm
from accounts.services import registration
from accounts.sign_up_hooks import REGISTRATION

UNPROCESSABLE = 422
GONE = 410
SENT = "account_email_verification_sent"


@never_cache
@require_safe
def sent(request: HttpRequest) -> HttpResponse:
    """Where the letter went. Whoever has not signed up in this browser sees no address."""
    if request.user.is_authenticated:
        return redirect("home")
    return _show_sent(request, _own_address(request), NewAddressForm())


@never_cache
@require_POST
def resend(request: HttpRequest) -> HttpResponse:
    """Another letter: for this browser's registration, or for that of an expired link."""
    if not throttling.may(request, "resend"):
        return throttling.refuse(request, "resend")
    address = _own_address(request)
    if "key" in request.POST:
        link = activation_links.read(request.POST["key"])
        address = link.address if link.worth is Worth.EXPIRED else None
    if address is None:
        return redirect(SENT)
    try:
        registration.write_again(request, address.user_id, timezone.now())
        text = gettext("Another letter is on its way to %(email)s.") % {"email": address.email}
        messages.success(request, text)
    except registration.TooSoon as refusal:
        messages.warning(request, _wait_text(refusal.until))
    except registration.NotWaiting:
        pass
    return redirect(SENT)


@never_cache
@require_POST
def change_email(request: HttpRequest) -> HttpResponse:
    """Send the letter to another mailbox; the link in the first one is dead."""
    if not throttling.may(request, "resend"):
        return throttling.refuse(request, "resend")
    address = _own_address(request)
    if address is None:
        return redirect(SENT)
    form = NewAddressForm(request.POST)
    if not form.is_valid():
        return _show_sent(request, address, form, status=UNPROCESSABLE)
    email = form.cleaned_data["email"]
    try:
        registration.change_address(request, address.user_id, email, timezone.now())
    except registration.TooManyChanges:
        form.add_error("email", gettext("The address was changed too often. Please sign up anew."))
        return _show_sent(request, address, form, status=UNPROCESSABLE)
    except registration.NotWaiting:
        pass
    return redirect(SENT)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    """Where the letter's link leads. A button, since mail programs follow links by themselves."""
    link = activation_links.read(key)
    if link.worth is not Worth.READY or link.address is None:
        return _show_dead_link(request, link, key)
    if request.method != "POST":
        return render(request, "account/email_confirm.html", {"address": link.address})
    try:
        confirmation = EmailConfirmationHMAC(link.address)
        address, response = verify_email_and_resume(request, confirmation)
    except IntegrityError:  # another account got the mailbox in the same moment
        address, response = None, None
    if address is None:
        return _show_dead_link(request, activation_links.read(key), key)
    request.session.pop(REGISTRATION, None)
    # Signed in already where this browser signed up; anywhere else the password is asked for.
    return response or redirect("home" if request.user.is_authenticated else "account_login")


def _own_address(request: HttpRequest) -> EmailAddress | None:
    """The address that the registration made or opened in this browser waits for."""
    user_id = request.session.get(REGISTRATION)
    return registrations.address_of(user_id) if user_id else None


def _show_sent(
    request: HttpRequest, address: EmailAddress | None, form: NewAddressForm, status: int = 200
) -> HttpResponse:
    context: dict[str, object] = {"address": address, "form": form}
    if address is not None:
        until = registration.next_letter_at(address.user_id)
        seconds = max(0, _seconds_until(until)) if until else 0
        context |= {"wait_s": seconds, "wait": as_clock(seconds)}
    return render(request, "account/verification_sent.html", context, status=status)


def _show_dead_link(request: HttpRequest, link: Link, key: str) -> HttpResponse:
    context = {"worth": link.worth, "address": link.address, "key": key}
    return render(request, "account/email_confirm_dead.html", context, status=GONE)


def _seconds_until(moment: datetime) -> int:
    return math.ceil((moment - timezone.now()).total_seconds())


def _wait_text(until: datetime) -> str:
    seconds = max(1, _seconds_until(until))
    if seconds < 60:
        text = ngettext(
            "You can ask for another letter in %(count)d second.",
            "You can ask for another letter in %(count)d seconds.",
            seconds,
        )
        return text % {"count": seconds}
    minutes = -(-seconds // 60)
    text = ngettext(
        "You can ask for another letter in %(count)d minute.",
        "You can ask for another letter in %(count)d minutes.",
        minutes,
    )
    return text % {"count": minutes}
