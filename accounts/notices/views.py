"""The page of notices: devices, emails, and the link that ends emails."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.broadcast import session_group
from accounts.models import NoticeKind
from accounts.notices import choices, emails, vapid
from accounts.notices.choices import Browser
from accounts.sessions.devices import describe
from accounts.shared import rate_limits
from accounts.shared.current_user import current_user
from accounts.shared.refusals import Refused

# Key of ACCOUNT_RATE_LIMITS.
LIMIT = "push_subscribe"


@never_cache
@require_safe
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    user = current_user(request)
    here = session_group(request.session.session_key or "")
    devices = [
        {
            "id": device.public_id,
            "name": describe(device.user_agent),
            "kinds": device.kinds,
            "since": device.created_at,
            "is_this": device.session == here,
        }
        for device in choices.devices_of(user.pk)
    ]
    context = {
        "kinds": NoticeKind.choices,
        "devices": sorted(devices, key=lambda device: not device["is_this"]),
        "emails": choices.wished_emails(user.pk),
        "is_push_on": vapid.is_push_on(),
        "push_key": vapid.public_key(),
        "is_subscribed": any(device["is_this"] for device in devices),
    }
    return render(request, "profile/notices.html", context)


@never_cache
@require_POST
@login_required
def subscribe(request: HttpRequest) -> HttpResponse:
    """Store the browser's subscription for the kinds named in `kind`, for all if it is empty."""
    user = current_user(request)
    if not rate_limits.allow(request, LIMIT):
        return JsonResponse({"code": "too_many_requests"}, status=429)
    given = request.POST
    browser = Browser(
        endpoint=given.get("endpoint", ""),
        p256dh=given.get("p256dh", ""),
        auth=given.get("auth", ""),
        user_agent=request.headers.get("User-Agent", ""),
    )
    kinds = given.get("kind", "").split() or NoticeKind.values
    key = request.session.session_key or ""
    try:
        choices.subscribe(user.pk, key, browser, kinds, timezone.now())
    except Refused as refusal:
        return JsonResponse(refusal.to_dict(), status=422)
    return JsonResponse({}, status=201)


@never_cache
@require_POST
@login_required
def device(request: HttpRequest) -> HttpResponse:
    """Save the kinds of the member's `device`, or `remove` it; answer 404 for another member's."""
    user_id, public_id = current_user(request).pk, request.POST.get("device", "")
    if "remove" in request.POST:
        is_done, text = choices.remove(user_id, public_id), gettext("That device is removed.")
    else:
        is_done = choices.choose(user_id, public_id, request.POST.getlist("kinds"))
        text = gettext("Your choice is saved.")
    if not is_done:
        raise Http404
    messages.success(request, text)
    return redirect("people:notices")


@never_cache
@require_POST
@login_required
def choose_emails(request: HttpRequest) -> HttpResponse:
    if choices.choose_emails(current_user(request).pk, request.POST.getlist("kinds")):
        messages.success(request, gettext("Your choice is saved."))
    return redirect("people:notices")


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_emails(request: HttpRequest, token: str) -> HttpResponse:
    """Unsubscribe from all emails of notices by the link in one of them, signed in or not.

    The POST needs no cookie, because mail programs send it (RFC 8058). Opening the link changes
    nothing, because mail scanners open it too.
    """
    user = emails.find_user(token)
    if user is None:
        raise Http404
    is_done = request.method == "POST"
    if is_done:
        choices.choose_emails(user.pk, [])
    return render(request, "account/stop_emails.html", {"is_done": is_done})
