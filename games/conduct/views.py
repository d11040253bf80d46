"""A member's own page of their strikes and suspensions."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.shared.current_user import current_user
from games.conduct import penalties, record
from games.models import Strike


@never_cache
@require_safe
@login_required
def show(request: HttpRequest) -> HttpResponse:
    """Show the member's strikes and what each kind weighs."""
    now = timezone.now()
    # Weights in percent: a strike of weight 1 is 100.
    weights = [(kind.label, round(100 * weight)) for kind, weight in Strike.WEIGHTS.items()]
    context = {
        "now": now,
        "report": record.report_of(current_user(request).pk, now),
        "weights": weights,
        "suspensions": [
            (round(100 * least), length) for least, length in reversed(penalties.SUSPENSIONS)
        ],
    }
    return render(request, "games/conduct/page.html", context)
