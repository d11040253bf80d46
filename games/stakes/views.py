"""The button that brings a member back to the minimum stake."""

from math import ceil

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from accounts.shared.current_user import current_user
from accounts.shared.own_urls import own_url
from accounts.shared.refusals import Refused, marked
from games.stakes import refill
from games.stakes.terms import MIN_STAKE


@require_POST
@login_required
def take_refill(request: HttpRequest) -> HttpResponse:
    """Give the refill and lead back to the page that needed it, or say why there is none."""
    try:
        given = refill.give(current_user(request), timezone.now())
    except Refused as refusal:
        messages.error(request, _refusal(refusal))
        return marked(redirect("wallet:statement"), refusal.code)
    text = ngettext("You received %(credits)d credit.", "You received %(credits)d credits.", given)
    messages.success(request, text % {"credits": given})
    return redirect(own_url(request, request.POST.get("next", ""), "wallet:statement"))


def _refusal(refusal: Refused) -> str:
    if refusal.code == "refill_today":
        hours = ceil(refusal.details["wait_s"] / 3600)
        text = ngettext(
            "You can do this again in %(hours)d hour.",
            "You can do this again in %(hours)d hours.",
            hours,
        )
        return text % {"hours": hours}
    enough = _("You have enough credits for the minimum stake of %(least)d.")
    return {
        "not_member": _("Activate your account first: the link is in our email."),
        "busy": _("Finish your match first: your stake is in it."),
        "refill_reserved": _("Some of your credits are reserved. They come back first."),
        "refill_enough": enough % {"least": MIN_STAKE},
        "refill_off": _("There are no free credits at the moment."),
        "refill_unproved": _("Confirm your email first."),
    }[refusal.code]
