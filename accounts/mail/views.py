"""The outbox: a demonstration without EMAIL_URL sends no emails; its staff read them here."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import OutgoingEmail

MAX_SHOWN = 50  # emails, the newest


@never_cache
@require_safe
def outbox(request: HttpRequest) -> HttpResponse:
    """Answer 404 unless DEMO is on: the links in the emails open other people's accounts."""
    if not settings.DEMO:
        raise Http404
    return _emails(request)


@login_required
def _emails(request: HttpRequest) -> HttpResponse:
    if not request.user.is_staff:
        raise PermissionDenied
    return render(
        request, "account/outbox.html", {"emails": OutgoingEmail.objects.all()[:MAX_SHOWN]}
    )
