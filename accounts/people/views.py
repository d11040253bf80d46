"""Other players: page, card, block."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts import selectors
from accounts.models import User
from accounts.people import blocks
from accounts.people.blocks import MAX_BLOCKS
from accounts.people.names import shown_name
from accounts.shared.current_user import current_user
from accounts.shared.own_urls import own_url
from accounts.shared.refusals import Refused


@require_safe
def player(request: HttpRequest, public_id: str) -> HttpResponse:
    return _show(request, _find(public_id), "people/player.html")


@require_safe
def card(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the small card over a list; without script, a page."""
    is_partial = request.htmx and not request.htmx.boosted  # type: ignore[attr-defined]
    template = "people/_card.html" if is_partial else "people/card.html"
    return _show(request, _find(public_id), template)


@require_POST
@login_required
def block(request: HttpRequest, public_id: str) -> HttpResponse:
    player = _find_open(public_id)
    try:
        blocks.block(current_user(request).pk, player.pk, timezone.now())
    except Refused as error:
        return _answer(request, player, error=_sentence(error))
    text = gettext("%(player)s is blocked. You will not meet again.")
    return _answer(request, player, text % {"player": player.username})


@require_POST
@login_required
def unblock(request: HttpRequest, public_id: str) -> HttpResponse:
    player = _find(public_id)
    owner = current_user(request)
    blocks.unblock(owner.pk, player.pk)
    if request.htmx and request.htmx.target == "blocked":  # type: ignore[attr-defined]
        return render(request, "profile/_blocked.html", {"blocked": selectors.blocked_by(owner.pk)})
    text = gettext("%(player)s is no longer blocked.")
    return _answer(request, player, text % {"player": shown_name(player)})


def _find(public_id: str) -> User:
    found = selectors.find_member(public_id)
    if found is None:
        raise Http404
    return found


def _find_open(public_id: str) -> User:
    found = _find(public_id)
    if found.closed_at:
        raise Http404
    return found


def _show(
    request: HttpRequest, player: User, template: str, error: str = "", status: int = 200
) -> HttpResponse:
    viewer = request.user if isinstance(request.user, User) else None
    profile = player.profile
    context = {
        "player": player,
        "profile": profile,
        "is_oneself": viewer == player,
        "is_blocked": viewer is not None and selectors.blocks(viewer.pk, player.pk),
        "is_online": profile.shows_online and selectors.is_online(player, timezone.now()),
        "error": error,
    }
    return render(request, template, context, status=status)


def _answer(request: HttpRequest, player: User, text: str = "", error: str = "") -> HttpResponse:
    """Answer with the card if its button was pressed, else with the page of the button."""
    status = 422 if error else 200
    if request.htmx:  # type: ignore[attr-defined]
        return _show(request, player, "people/_card.html", error, status)
    if error:
        return _show(request, player, "people/player.html", error, status)
    messages.success(request, text)
    page = reverse("people:player", args=[player.public_id])
    back = own_url(request, request.POST.get("next", ""), page)
    return HttpResponseRedirect(back, status=303)


def _sentence(error: Refused) -> str:
    if error.code == "oneself":
        return gettext("This is you. You cannot block yourself.")
    return gettext(
        "You have blocked %(number)d players, and that is the limit. Unblock someone on your "
        "profile first."
    ) % {"number": MAX_BLOCKS}
