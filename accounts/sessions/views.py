"""List devices and sign them out."""

from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.sessions import services
from accounts.sessions.devices import devices_of
from accounts.sessions.middleware import note_session
from accounts.sessions.unfinished import unfinished_of
from accounts.shared.current_user import current_user

LONGEST_NUMBER = 18  # digits of a session's id: a longer number may not fit a database integer


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sessions(request: HttpRequest) -> HttpResponse:
    """List devices; POST signs out one (`end`) or several (`scope`: `others` or `everywhere`)."""
    if request.method == "POST":
        return _end(request)
    note_session(request)  # so that the list includes this device
    this_key = request.session.session_key or ""
    devices = devices_of(current_user(request).pk, this_key, timezone.now())
    return render(request, "account/sessions.html", {"devices": devices})


def _end(request: HttpRequest) -> HttpResponse:
    user_id, this = current_user(request).pk, request.session.session_key
    if request.POST.get("scope") == "everywhere":
        unfinished = unfinished_of(request)
        if unfinished and "confirmed" not in request.POST:
            context = {"unfinished": unfinished, "scope": "everywhere"}
            return render(request, "account/logout.html", context)
        services.end_all(user_id)
        logout(request)
        messages.success(request, gettext("You are signed out on all devices."))
        return redirect("account_login")
    if request.POST.get("scope") == "others":
        services.end_all(user_id, except_key=this)
        messages.success(request, gettext("All other devices are signed out."))
        return redirect("account_sessions")
    return _end_one(request)


def _end_one(request: HttpRequest) -> HttpResponse:
    """End the session whose number is in `end`; answer 404 if `end` is not a number.

    If the user has no such session, answer as if it was ended now: after a double press, the first
    request has ended it.
    """
    number = request.POST.get("end", "")
    if not number.isdecimal() or len(number) > LONGEST_NUMBER:
        raise Http404
    mine = UserSession.objects.filter(user_id=request.user.pk, pk=number)
    key = mine.values_list("session_key", flat=True).first()
    if key == request.session.session_key:
        logout(request)
        return redirect("account_login")
    if key is not None:
        services.end(key)
    messages.success(request, gettext("That device is signed out."))
    return redirect("account_sessions")
