"""A member's own page of how he left his games for credits, and what that leads to."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.owner import current_user
from lobby import conduct, records
from lobby.models import Strike


@never_cache
@require_safe
@login_required
def show(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    weights = [(kind.label, round(100 * weight)) for kind, weight in Strike.WEIGHTS.items()]
    context = {
        "now": now,
        "record": records.record_of(current_user(request).pk, now),
        "weights": weights,
        "pauses": [(round(100 * least), pause) for least, pause in reversed(conduct.PAUSES)],
    }
    return render(request, "lobby/conduct.html", context)
