"""Pages about dice: a member's own rolls, and the public page about the rolls of all players."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.rate_limits import limited
from stats.dice import selectors
from stats.dice.dice_map import FEWEST
from stats.forms import DiceForm


@never_cache
@require_safe
@login_required
def own_dice(request: HttpRequest) -> HttpResponse:
    form = DiceForm(request.GET)
    both = selectors.dice_of(
        current_user(request).pk, form.chosen_variant, form.is_against_computer
    )
    context = {"form": form, "own": both.first, "opponents": both.second, "fewest": FEWEST}
    return render(request, "stats/dice/dice.html", context)


@require_safe
@limited("list_pages")
def site_dice(request: HttpRequest) -> HttpResponse:
    context = {"site_dice": selectors.dice_of_site(CLOCK.now()), "fewest": FEWEST}
    return render(request, "stats/dice/site_dice.html", context)
