"""Other players: page, card, block, note. Friends are in `friend_views`."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts import selectors
from accounts.models import Note, User
from accounts.people import blocks, notes
from accounts.people.blocks import MAX_BLOCKS
from accounts.people.names import shown_name
from accounts.shared.current_user import current_user, viewer_of
from accounts.shared.database_clock import CLOCK
from accounts.shared.own_urls import own_url
from accounts.shared.rate_limits import limited
from accounts.shared.refusals import Refused, marked

LIMIT = "player_pages"  # key of ACCOUNT_RATE_LIMITS


@require_safe
@limited(LIMIT)
def player(request: HttpRequest, public_id: str) -> HttpResponse:
    return _show(request, _find(public_id), "people/player.html")


@require_safe
@limited(LIMIT)
def card(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the small card over a list; without a script, a page."""
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
        return _answer(request, player, error=_block_sentence(error))
    text = gettext(
        "%(player)s is blocked. You will not meet in chats, and you will meet at tables only in "
        "tournaments."
    )
    return _answer(request, player, text % {"player": player.username})


@require_POST
@login_required
def unblock(request: HttpRequest, public_id: str) -> HttpResponse:
    player = _find(public_id)
    owner = current_user(request)
    blocks.unblock(owner.pk, player.pk)
    text = gettext("%(player)s is no longer blocked.") % {"player": shown_name(player)}
    if request.htmx and request.htmx.target == "blocked":  # type: ignore[attr-defined]
        context = {"blocked": selectors.blocked_by(owner.pk), "done": text}
        return render(request, "profile/_blocked.html", context)
    return _answer(request, player, text)


@require_POST
@login_required
def note(request: HttpRequest, public_id: str) -> HttpResponse:
    """Save or delete the member's note on a player."""
    player, text = _find_open(public_id), request.POST.get("text", "")
    try:
        notes.write(current_user(request).pk, player.pk, text, CLOCK.now())
    except Refused as error:
        more = {"note": text, "note_error": _note_sentence(error)}
        return marked(_show(request, player, "people/player.html", status=422, **more), error.code)
    messages.success(
        request,
        gettext("Your note is saved.") if text.strip() else gettext("Your note is deleted."),
    )
    page = reverse("people:player", args=[player.public_id])
    return HttpResponseRedirect(page, status=303)


def _note_sentence(error: Refused) -> str:
    texts = {
        "oneself": gettext("That is you: choose another player."),
        "too_long": gettext("A note can have at most %(most)d characters.") % {"most": Note.LENGTH},
        "too_many": gettext(
            "You already have the maximum number of notes: %(most)d. Delete one first."
        )
        % {"most": notes.MAX_NOTES},
        "closed_account": gettext("This account is closed."),
    }
    return texts[error.code]


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
    request: HttpRequest,
    player: User,
    template: str,
    error: str = "",
    status: int = 200,
    **more: str,
) -> HttpResponse:
    viewer = viewer_of(request)
    profile = player.profile
    blockers = selectors.blockers_between(viewer.pk, player.pk) if viewer else set()
    context = {
        "player": player,
        "profile": profile,
        "is_oneself": viewer == player,
        "is_blocked": viewer is not None and viewer.pk in blockers,
        "is_online": selectors.shows_online_to(viewer, profile, is_apart=bool(blockers))
        and selectors.is_online(player, timezone.now()),
        "friendship": selectors.friendship_with(viewer.pk, player.pk) if viewer else "",
        "note": selectors.note_on(viewer.pk, player.pk) if viewer else "",
        "note_length": Note.LENGTH,
        "error": error,
        **more,
    }
    return render(request, template, context, status=status)


def show_card(request: HttpRequest, player: User, error: str = "") -> HttpResponse:
    return _show(request, player, "people/_card.html", error, 422 if error else 200)


def show_player(request: HttpRequest, player: User, error: str = "") -> HttpResponse:
    return _show(request, player, "people/player.html", error, 422 if error else 200)


def go_back(request: HttpRequest, player: User) -> HttpResponseRedirect:
    """Redirect to the page that the form names as `next`, by default to the player's page."""
    page = reverse("people:player", args=[player.public_id])
    back = own_url(request, request.POST.get("next", ""), page)
    return HttpResponseRedirect(back, status=303)


def _answer(request: HttpRequest, player: User, text: str = "", error: str = "") -> HttpResponse:
    """Answer htmx with the card.

    Without a script: an error renders the player's page, success redirects back.
    """
    if request.htmx:  # type: ignore[attr-defined]
        return show_card(request, player, error)
    if error:
        return show_player(request, player, error)
    messages.success(request, text)
    return go_back(request, player)


def _block_sentence(error: Refused) -> str:
    if error.code == "oneself":
        return gettext("This is you. You cannot block yourself.")
    if error.code == "closed_account":
        return gettext("This account is closed.")
    return gettext(
        "You have blocked %(number)d players, and that is the limit. Unblock someone on your "
        "profile first."
    ) % {"number": MAX_BLOCKS}
