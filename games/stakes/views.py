"""The reminder during long play, for pages that fetch it, and the member's answer to it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.own_urls import own_url
from games.stakes.play_time import reminder_due
from wallet.limits import services


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def reminder(request: HttpRequest) -> HttpResponse:
    """Render the reminder, empty while none is due; a POST confirms that the member plays on."""
    user_id, now = current_user(request).pk, CLOCK.now()
    if request.method == "POST":
        services.answer_reminder(user_id, now)
        if "HX-Request" not in request.headers:
            return redirect(own_url(request, request.POST.get("next", ""), "wallet:limits"))
    context = {"reminder": reminder_due(user_id, now), "here": request.GET.get("next", "")}
    return render(request, "games/stakes/_reminder.html", context)
