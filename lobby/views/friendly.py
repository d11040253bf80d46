"""Pages of a friendly match by a link or a challenge: make it, wait, accept, decline, cancel."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh

from accounts.people import presence
from accounts.shared import rate_limits
from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused, marked
from games import selectors as games
from games.access import player_of
from games.models.actor import Actor, find_seat
from games.rulebook.summary import describe, likely_minutes
from lobby import labels, quick_games, selectors
from lobby.invitation_form import LOGIN_LENGTH, PERSON, GuestNameForm, InvitationForm
from lobby.models import Invitation
from lobby.requirements_text import conditions
from lobby.services import challenging, inviting
from lobby.views import declining

LIMIT = "friendly"  # key of ACCOUNT_RATE_LIMITS; guests have guest_friendly
# Session keys: the choices of the last invitation, and the name that a guest has chosen.
LAST_CHOICES, GUEST_NAME = "friendly", "guest_name"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def friend(request: HttpRequest) -> HttpResponse:
    """Make a link or a challenge to a friendly match; the session keeps the last choices."""
    is_guest = not request.user.is_authenticated
    if request.method != "POST":
        form = InvitationForm(initial=_initial(request), is_guest=is_guest)
        return render(request, "lobby/friendly/form.html", _form_context(request, form))
    form = InvitationForm(request.POST, is_guest=is_guest)
    if not form.is_valid():
        page = render(request, "lobby/friendly/form.html", _form_context(request, form), status=422)
        return marked(page, "invalid")
    if limit := rate_limits.count_start(request, LIMIT):
        return rate_limits.refuse_playing(request, limit)
    maker = player_of(request)
    try:
        if form.person is not None:
            owner = current_user(request)
            made = challenging.challenge(owner, form.person, form.offer, CLOCK.now())
        else:
            made = inviting.invite(maker, form.offer, CLOCK.now())
    except Refused as refusal:
        waiting = selectors.open_invitation_of(maker, CLOCK.now())
        invited_id = form.person.pk if form.person else None
        if waiting is not None and inviting.is_same(waiting, form.offer, invited_id):
            return redirect("lobby:invitation", waiting.public_id)  # the button was pressed twice
        if refusal.code != "invited":
            form.add_error("opponent", labels.of_error(refusal))
        page = render(request, "lobby/friendly/form.html", _form_context(request, form), status=409)
        return marked(page, refusal.code)
    request.session[LAST_CHOICES] = form.choices
    if is_guest:
        request.session[GUEST_NAME] = form.offer.guest_name
    return redirect("lobby:invitation", made.public_id)


@never_cache
@require_safe
def invitation(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show an invitation: to its maker the link, to others the terms and the button."""
    visitor = games.actor_of(request.user, request.session)
    found = _find(public_id, visitor)
    is_part = "HX-Request" in request.headers
    if found.match and find_seat(found.match.seats.all(), visitor):
        table = redirect("games:match", found.match.public_id)
        # htmx cannot put the table's page into a part: the browser has to load it.
        return HttpResponseClientRedirect(table.url) if is_part else table
    form = GuestNameForm(initial=_initial(request), is_guest=not request.user.is_authenticated)
    context = _context(request, found, visitor, form)
    if is_part and context["is_open"] and not context["is_maker"]:
        # This is the browser of the maker, who has signed out or lost their cookies. The part could
        # only say that the link is over, which would be wrong.
        return HttpResponseClientRefresh()
    if context["is_maker"] and visitor.user_id is not None:
        presence.touch(visitor.user_id, CLOCK.now())
    template = "lobby/friendly/_link.html" if is_part else "lobby/friendly/invitation.html"
    return render(request, template, context)


@require_POST
def accept(request: HttpRequest, public_id: str) -> HttpResponse:
    """Accept the invitation and open its table."""
    found = _find(public_id, games.actor_of(request.user, request.session))
    is_guest = not request.user.is_authenticated
    form = GuestNameForm(request.POST, is_guest=is_guest)
    if not form.is_valid():
        visitor = games.actor_of(request.user, request.session)
        context = _context(request, found, visitor, form)
        return marked(
            render(request, "lobby/friendly/invitation.html", context, status=422), "invalid"
        )
    if limit := rate_limits.count_start(request, LIMIT):
        return rate_limits.refuse_playing(request, limit)
    try:
        match = inviting.accept(public_id, player_of(request), form.name, CLOCK.now())
    except Refused as refusal:
        messages.error(request, labels.of_error(refusal))
        return marked(redirect("lobby:invitation", public_id), refusal.code)
    if is_guest:
        request.session[GUEST_NAME] = form.name
    return redirect("games:match", match.public_id)


@require_POST
def cancel(request: HttpRequest, public_id: str) -> HttpResponse:
    maker = games.actor_of(request.user, request.session)
    try:
        inviting.cancel(public_id, maker, CLOCK.now())
    except Refused as refusal:
        found = Invitation.objects.filter(public_id=public_id).first()
        if found is not None and found.by == maker:
            # Somebody has accepted it: its page redirects to the table.
            return marked(redirect("lobby:invitation", public_id), refusal.code)
        messages.error(request, labels.of_error(refusal))
        return marked(redirect("lobby:friend"), refusal.code)
    is_challenge = Invitation.objects.filter(public_id=public_id, invited__isnull=False).exists()
    text = labels.challenge_canceled() if is_challenge else labels.invitation_canceled()
    messages.success(request, text)
    return redirect("lobby:friend")


@require_POST
@login_required
def decline(request: HttpRequest, public_id: str) -> HttpResponse:
    return declining.answer(request, public_id, inviting.decline, labels.challenge_declined())


def _find(public_id: str, visitor: Actor) -> Invitation:
    """Return the invitation; raise Http404 if the visitor may not see it."""
    rows = Invitation.objects.select_related("maker__profile", "invited__profile", "match")
    found = rows.filter(public_id=public_id).first()
    if found is None or not inviting.is_for(found, visitor):
        raise Http404
    return found


def _context(
    request: HttpRequest, found: Invitation, visitor: Actor, form: GuestNameForm
) -> dict[str, Any]:
    now = CLOCK.now()
    return {
        "invitation": found,
        "form": form,
        "is_maker": found.by == visitor,
        "is_open": inviting.is_open(found, now) and not selectors.is_blocked(found, visitor),
        "address": request.build_absolute_uri(reverse("lobby:invitation", args=[found.public_id])),
        "left_s": max(0, int((found.expires_at - now).total_seconds())),
        "lines": [*describe(found.match_rules), *conditions(found)],
        "minutes": likely_minutes(found.match_rules),
    }


def _form_context(request: HttpRequest, form: InvitationForm) -> dict[str, Any]:
    maker = games.actor_of(request.user, request.session)
    return {"form": form, "waiting": selectors.open_invitation_of(maker, CLOCK.now())}


def _initial(request: HttpRequest) -> dict[str, Any]:
    choices = request.session.get(LAST_CHOICES, {})
    asked = quick_games.asked_choices(request.GET)
    if login := request.GET.get("to", ""):  # a link from a player's card or page
        asked = {**asked, "access": PERSON, "opponent": login[:LOGIN_LENGTH]}
    return {**choices, **asked, "guest_name": request.session.get(GUEST_NAME, "")}
