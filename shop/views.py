"""The page of gifts, and the public page of all credits."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.durations import as_clock
from accounts.shared.own_urls import own_url, with_return
from accounts.shared.refusals import Refused, marked
from shop import selectors
from shop.models import LedgerCount
from shop.services import gifts
from wallet import texts
from wallet.limits import checks
from wallet.limits import texts as limit_texts
from wallet.limits.errors import OwnLimit
from wallet.selectors import funds_of


@never_cache
@login_required
@require_safe
def show_gifts(request: HttpRequest) -> HttpResponse:
    user = current_user(request)
    funds, now = funds_of(user.pk), CLOCK.now()
    context = {
        "objection": limit_texts.objection_of(
            checks.objection(checks.need_gift_allowed, user.pk, now)
        ),
        "offer": selectors.offer_of(user, funds, now),
        "funds": funds,
        # The page from which the member came because they had too few credits.
        "back": own_url(request, request.GET.get("next", "")),
        "streak": settings.GIFT_STREAK_CREDITS,
    }
    return render(request, "shop/gifts.html", context)


@require_safe
def show_totals(request: HttpRequest) -> HttpResponse:
    return render(request, "shop/totals.html", {"totals": LedgerCount.objects.first()})


@require_POST
@login_required
def take_gift(request: HttpRequest) -> HttpResponse:
    """Give the gift and redirect to `next`, or show on the page of gifts why there is none."""
    here, back = reverse("shop:gifts"), own_url(request, request.POST.get("next", ""))
    try:
        given = gifts.take(current_user(request), CLOCK.now())
    except Refused as refusal:
        messages.error(request, _refusal(refusal))
        return marked(redirect(with_return(here, back) if back else here), refusal.code)
    text = ngettext("You received %(credits)d credit.", "You received %(credits)d credits.", given)
    messages.success(request, text % {"credits": given})
    return redirect(back or here)


def _refusal(refusal: Refused) -> str:
    if isinstance(refusal, OwnLimit):
        return limit_texts.of(refusal)
    if refusal.code == "gift_wait":
        wait = as_clock(refusal.details["wait_s"])
        text = _("You have already taken this gift. The next one is ready in %(wait)s.")
        return text % {"wait": wait}
    enough = _("Gifts are for members with fewer than %(below)d credits.")
    return {
        "not_member": _("Activate your account first: the link is in our email."),
        "gift_off": _("There are no gifts at the moment."),
        "credits_frozen": texts.frozen(),
        "gift_unproved": _("Confirm your email first."),
        "gift_enough": enough % {"below": settings.GIFT_BELOW},
    }[refusal.code]
