"""The shop's lists of looks, the page of one look, and what a member owns."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.profile.looks import DEFAULTS
from accounts.selectors import preferences_of
from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.own_urls import own_url
from accounts.shared.refusals import Refused, marked
from shop.goods import buying, sample_board, selectors, texts, wearing
from shop.goods.fitting import Fitting
from shop.goods.selectors import Look
from shop.models import Good
from wallet.limits import checks
from wallet.limits import texts as limit_texts
from wallet.selectors import funds_of


@never_cache
@require_safe
def show_boards(request: HttpRequest) -> HttpResponse:
    return _show_window(request, "board")


@never_cache
@require_safe
def show_checkers(request: HttpRequest) -> HttpResponse:
    return _show_window(request, "checkers")


@never_cache
@login_required
@require_safe
def show_owned(request: HttpRequest) -> HttpResponse:
    owned = selectors.owned_by(current_user(request).pk)
    return render(request, "shop/owned.html", _board_context(request) | {"owned": owned})


@never_cache
@require_safe
def show_good(request: HttpRequest, kind: str, code: str) -> HttpResponse:
    """Show a look on the page's board, together with a look of the other kind (`?with=`)."""
    user_id, now = _user_id(request), CLOCK.now()
    look = selectors.find_look(kind, code, user_id, now)
    if look is None:
        get_object_or_404(Good, kind=kind, code=code)
        return _show_what_is_sold(request, kind)
    board = _board_context(request)
    others = selectors.looks_to_combine(Fitting.other_kind(kind), user_id, now)
    fitting = Fitting(look, others, request.GET.get("with", ""), board["worn"])
    context = (
        board
        | _purchase(request, look, now)
        | {
            "look": look,
            "fitting": fitting,
            "is_worn": board["worn"][kind] == code,
            "asks": "confirm" in request.GET,
            # The page that the member came from, such as a game.
            "back": own_url(request, request.GET.get("next", "")),
        }
    )
    return render(request, "shop/good.html", context)


@require_POST
@login_required
def buy_good(request: HttpRequest, kind: str, code: str) -> HttpResponse:
    """Buy a good at the price that the form shows, and redirect to its page."""
    good = get_object_or_404(Good, kind=kind, code=code)
    sent = request.POST.get("price", "")
    price = int(sent) if sent.isdecimal() and len(sent) < 10 else 0
    try:
        buying.buy(current_user(request), good, price, CLOCK.now())
    except Refused as refusal:
        if refusal.code == "not_on_sale":
            return marked(_show_what_is_sold(request, kind), refusal.code)
        show = messages.info if refusal.code == "good_owned" else messages.error
        show(request, texts.of_refusal(refusal))
        return marked(redirect("shop:good", kind, code), refusal.code)
    messages.success(
        request,
        _("It is yours: %(title)s. To play with it, press “Use it” below.") % {"title": good.title},
    )
    return redirect("shop:good", kind, code)


@require_POST
@login_required
def wear_look(request: HttpRequest, kind: str, code: str) -> HttpResponse:
    """Wear a look and redirect to the page from which the form was sent."""
    user, now = current_user(request), CLOCK.now()
    look = selectors.find_look(kind, code, user.pk, now)
    try:
        if look is None:
            raise Refused("not_owned")
        wearing.wear(user, kind, code)
    except Refused as refusal:
        if refusal.code == "not_owned":
            raise Http404 from refusal
        messages.error(request, texts.of_refusal(refusal))
        return marked(redirect("shop:good", kind, code), refusal.code)
    text = _("Now in use at every table and on every device: %(title)s.")
    messages.success(request, text % {"title": look.title})
    return redirect(own_url(request, request.POST.get("next", "")) or look.url)


def _show_window(request: HttpRequest, kind: str) -> HttpResponse:
    on_sale = selectors.on_sale(kind, _user_id(request), CLOCK.now())
    free = selectors.free_looks(kind)
    context = {"kind": kind, "on_sale": on_sale, "free": free}
    return render(request, "shop/window.html", _board_context(request) | context)


def _show_what_is_sold(request: HttpRequest, kind: str) -> HttpResponse:
    """Redirect a visitor from a good that was taken off sale to the other goods of its kind."""
    messages.info(request, texts.of_refusal(Refused("not_on_sale")))
    address = reverse("shop:shop" if kind == "board" else "shop:checkers")
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return redirect(address)


def _board_context(request: HttpRequest) -> dict[str, Any]:
    """Return the context of every page with a board: the position, and the looks in use."""
    user = request.user
    worn = DEFAULTS
    if isinstance(user, User):
        chosen = preferences_of(user)
        worn = {kind: getattr(chosen, kind) for kind in DEFAULTS}
    return {"worn": worn, "position": sample_board.counts()}


def _purchase(request: HttpRequest, look: Look, now: datetime) -> dict[str, Any]:
    """Return the credits left after the purchase, or the reason why the member cannot buy."""
    if look.good is None or look.owned or not request.user.is_authenticated:
        return {"can_pay": False}
    user_id, price = request.user.pk, look.good.price_credits
    after = funds_of(user_id).available - price
    limit = checks.objection(checks.check_purchase, user_id, price, now)
    return {
        "can_pay": after >= 0,
        "after": after,
        "missing": -after,
        "objection": limit_texts.objection_of(limit, request.path),
    }


def _user_id(request: HttpRequest) -> int | None:
    return request.user.pk if request.user.is_authenticated else None
