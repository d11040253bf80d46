"""From a match to its tournament: a redirect, and a line beside the match's result."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.shared.current_user import viewer_of
from accounts.shared.rate_limits import limited
from tournaments.pages.outcome import outcome_of
from tournaments.selectors import find_fixture

FAST, MOST = 10, 40


@never_cache
@require_safe
@limited("list_pages")
def of_match(request: HttpRequest, public_id: str) -> HttpResponse:
    """Redirect to the tournament of a match, or to the list if the match is of no tournament."""
    fixture = find_fixture(public_id)
    if fixture is None:
        return redirect("tournaments:tournaments")
    return redirect("tournaments:tournament", fixture.round.tournament.public_id)


@never_cache
@require_safe
@limited("after_match")
def after_match(request: HttpRequest, public_id: str) -> HttpResponse:
    """Render the viewer's standing; the table polls while the tournament is about to end.

    `asked` is the number of polls so far: after FAST polls the table asks less often, after MOST
    not at all.
    """
    fixture = find_fixture(public_id)
    text = request.GET.get("asked", "")
    asked = int(text) if text.isdecimal() and len(text) < 4 else 0
    context = {
        "public_id": public_id,
        "outcome": outcome_of(fixture, viewer_of(request)) if fixture else None,
        "asked": asked + 1,
        "wait_s": 2 if asked < FAST else 30,
        "may_ask": asked < MOST,
    }
    return render(request, "tournaments/_after_match.html", context)
