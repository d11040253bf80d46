"""Members propose tournaments of their own and read the answers of staff."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused, marked
from tournaments.forms import ProposalForm
from tournaments.pages import texts
from tournaments.pages.proposals import WAITING, proposals_of
from tournaments.services import announcing


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def propose(request: HttpRequest) -> HttpResponse:
    """Show the member's proposals and the form of a new one; send a proposal or take one back."""
    member = current_user(request)
    if request.method != "POST":
        return render(request, "tournaments/propose.html", _context(request, ProposalForm()))
    if "take_back" in request.POST:
        return _take_back(request, request.POST["take_back"])
    form = ProposalForm(request.POST)
    if not form.is_valid():
        return render(request, "tournaments/propose.html", _context(request, form), status=422)
    starts_at = form.cleaned_data["starts_at"]
    try:
        announcing.propose(form.plan, starts_at, member, CLOCK.now())
    except Refused as refusal:
        if announcing.is_proposed(form.plan, starts_at, member):  # the button was pressed twice
            return _answer_sent(request)
        form.add_error(None, texts.of_proposal(refusal))
        page = render(request, "tournaments/propose.html", _context(request, form), status=422)
        return marked(page, refusal.code)
    return _answer_sent(request)


def _answer_sent(request: HttpRequest) -> HttpResponse:
    messages.success(request, _("Your proposal is sent. You will find the answer on this page."))
    return redirect("tournaments:propose")


def _take_back(request: HttpRequest, public_id: str) -> HttpResponse:
    if announcing.take_proposal_back(public_id, current_user(request), CLOCK.now()):
        messages.success(request, _("You have withdrawn the proposal."))
    else:
        messages.error(request, _("This proposal has been answered already."))
    return redirect("tournaments:propose")


def _context(request: HttpRequest, form: ProposalForm) -> dict[str, Any]:
    proposals = proposals_of(current_user(request), CLOCK.now())
    is_waiting = any(each.outcome == WAITING for each in proposals)
    return {"form": form, "proposals": proposals, "is_waiting": is_waiting}
