"""The page on which a member accepts the terms after a change."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.law import services
from accounts.law.forms import AcceptanceForm
from accounts.law.versions import versions_after
from accounts.shared.current_user import current_user
from accounts.shared.own_urls import own_url


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def accept(request: HttpRequest) -> HttpResponse:
    """Show what changed since the last acceptance; record a new one and redirect."""
    user = current_user(request)
    back = own_url(request, request.POST.get("next") or request.GET.get("next", ""))
    form = AcceptanceForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        services.accept(user.pk, form.cleaned_data["accepts"], timezone.now())
        messages.success(request, _("Thank you. You can continue now."))
        return redirect(back or reverse("home"))
    accepted = services.last_accepted(user.pk)
    context = {
        "form": form,
        "back": back,
        "accepted": accepted,
        "asks": services.must_accept(user.pk),
        "versions": versions_after(accepted),
    }
    return render(request, "account/law.html", context, status=422 if form.errors else 200)
