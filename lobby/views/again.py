"""Offer the terms of a finished match again, to a new opponent."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.shared import rate_limits
from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused, marked
from games.access import find, player_of
from games.forms import values_of
from games.models import Match
from lobby import labels, selectors
from lobby.forms import AnnounceForm
from lobby.models import Seek
from lobby.services import inviting
from lobby.views import friendly, seeks
from wallet.selectors import funds_of


@never_cache
@require_POST
def again(request: HttpRequest, public_id: str) -> HttpResponse:
    """Make a new friendly link, or show the terms of a new game for credits.

    Raises Http404 unless the visitor played the match and its kind has rematches. If the match is
    not over, redirects to its table.
    """
    old, viewpoint = find(request, public_id)
    if viewpoint.side is None or old.policy.rematch_time is None:
        raise Http404
    if not old.is_finished:
        return redirect("games:match", public_id)
    if old.policy.is_staked:
        return _for_credits(request, old)
    return _friendly(request, old, old.seats_by_side[viewpoint.side].guest_name)


def _for_credits(request: HttpRequest, old: Match) -> HttpResponse:
    """Show the terms; the page's button creates the game."""
    owner = current_user(request)
    waiting = selectors.open_seek_of(owner)
    if waiting is not None:
        messages.error(request, labels.of_error(Refused("announced")))
        return marked(redirect("lobby:seek", waiting.public_id), "announced")
    chosen = values_of(old.match_rules) | {
        "stake": old.stake_credits,
        "access": Seek.Access.OPEN,
        "is_public": old.is_public,
        "hides_stake": old.hides_stake,
    }
    data = QueryDict(mutable=True)
    # A form sends nothing for a box that is not ticked.
    data.update({name: str(value) for name, value in chosen.items() if value is not False})
    form = AnnounceForm(data, owner=owner, available=funds_of(owner.pk).available)
    if not form.is_valid():  # for example, the member has too few credits now
        return seeks.show_errors(request, form)
    return render(request, "lobby/confirm.html", seeks.agreement(form))


def _friendly(request: HttpRequest, old: Match, guest_name: str) -> HttpResponse:
    if limit := rate_limits.count_start(request, friendly.LIMIT):
        return rate_limits.refuse_playing(request, limit)
    maker, now = player_of(request), CLOCK.now()
    offer = inviting.Offer(old.match_rules, old.is_public, guest_name)
    try:
        made = inviting.invite(maker, offer, now)
    except Refused as refusal:
        waiting = selectors.open_invitation_of(maker, now)
        if waiting is None or not inviting.is_same(waiting, offer):  # else a second press
            messages.error(request, labels.of_error(refusal))
        where = redirect("lobby:invitation", waiting.public_id) if waiting else None
        return marked(where or redirect("lobby:friend"), refusal.code)
    return redirect("lobby:invitation", made.public_id)
