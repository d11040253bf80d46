"""The page of the games that a member wishes for."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused, marked
from lobby import labels
from lobby.models import WishedGame
from lobby.services import wishing
from lobby.wish_form import WishForm


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def wishes(request: HttpRequest) -> HttpResponse:
    """List, add, renew and delete wishes; the buttons `renew` and `delete` have a public id."""
    owner, now = current_user(request), CLOCK.now()
    if request.method != "POST":
        return _show(request, WishForm(), "")
    if "delete" in request.POST:
        wishing.delete(owner, request.POST["delete"])
        messages.success(request, _("We will no longer tell you about such games."))
        return redirect("lobby:wishes")
    if "renew" in request.POST:
        try:
            wishing.renew(owner, request.POST["renew"], now)
        except WishedGame.DoesNotExist as error:
            raise Http404 from error
        messages.success(request, _("We will tell you for another 30 days."))
        return redirect("lobby:wishes")
    form = WishForm(request.POST)
    if not form.is_valid():
        return _show(request, form, "invalid")
    try:
        wishing.wish(owner, form.wanted, now)
    except Refused as refusal:
        form.add_error(None, labels.of_error(refusal))
        return _show(request, form, refusal.code)
    messages.success(request, _("We will tell you when such a game appears."))
    return redirect("lobby:wishes")


def _show(request: HttpRequest, form: WishForm, code: str) -> HttpResponse:
    owner, now = current_user(request), CLOCK.now()
    context = {
        "wishes": WishedGame.objects.filter(owner=owner),
        "form": form,
        "now": now,
        "most": wishing.MOST,
    }
    page = render(request, "lobby/room/wishes.html", context, status=422 if code else 200)
    return marked(page, code) if code else page
