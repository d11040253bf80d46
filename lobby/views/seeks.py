"""Pages of one announced game: announce, wait, join, cancel, decline."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.models import User
from accounts.people import presence
from accounts.selectors import either_blocks, find_member
from accounts.shared import rate_limits
from accounts.shared.current_user import current_user, viewer_of
from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused, marked
from games.engine.rules import Rules
from games.rulebook.summary import describe, likely_minutes
from games.selectors import next_commitment
from games.stakes import escrow
from games.stakes.escrow import NoCredits, stakable_credits
from games.stakes.limits import stake_limit
from games.stakes.terms import StakeTerms, smaller_stake
from lobby import labels, quick_games, selectors
from lobby.forms import AnnounceForm
from lobby.models import Seek
from lobby.requirements_text import conditions
from lobby.services import announcing, ending, joining
from lobby.services.expiry import LIFETIME
from lobby.views import declining, presets
from wallet.limits.errors import OwnLimit
from wallet.limits.texts import Objection, objection_of
from wallet.selectors import funds_of

LIMIT = "announce"  # key of ACCOUNT_RATE_LIMITS
CONFIRMED = "1"  # the only value of `confirmed` that announces or joins
AGREEMENT = "agreement"  # id of the part of a page that shows the terms


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def announce(request: HttpRequest, initial: dict[str, Any] | None = None) -> HttpResponse:
    """Announce a game in two steps: choose, then confirm. Remember the last choices."""
    owner = current_user(request)
    funds = funds_of(owner.pk)
    waiting = selectors.open_seek_of(owner)
    if request.method != "POST":
        given = {
            **request.session.get(presets.LAST_CHOICES, {}),
            **quick_games.asked_choices(request.GET),
            **presets.choices_of(request, owner),
            **_asked(request),
            **(initial or {}),
        }
        form = AnnounceForm(initial=given, owner=owner, available=funds.available)
        context = presets.form_context(owner, form)
        if waiting is not None:
            context |= {"waiting": waiting, "refusal": labels.of_error(Refused("announced"))}
        else:
            # This path keeps the challenged person and the query, so that the choices are still
            # there when the member comes back from confirming their age.
            here = request.get_full_path()
            context["objection"] = objection_to(owner, form.least_stake, here)
        return render(request, "lobby/announce.html", context)
    # The stake of the waiting game is held, but is released before another can be announced.
    held = waiting.stake_credits if waiting else 0
    form = AnnounceForm(request.POST, owner=owner, available=funds.available + held)
    if presets.SAVE in request.POST:
        return presets.save_from_form(request, owner, form)
    if waiting is not None:  # the button was pressed twice, or in two windows
        return _lead_back(request, waiting, form)
    if not form.is_valid():
        return show_errors(request, form)
    if "change" in request.POST:
        return render(request, "lobby/announce.html", presets.form_context(owner, form))
    if request.POST.get("confirmed") != CONFIRMED:
        request.session[presets.LAST_CHOICES] = form.choices  # for the return from the age page
        return render(request, "lobby/confirm.html", agreement(form))
    return _announce(request, owner, form)


def show_errors(request: HttpRequest, form: AnnounceForm) -> HttpResponse:
    """Show an invalid form. If credits are missing, keep the choices for the way back."""
    context = presets.form_context(form.owner, form)
    if form.missing:
        context["back"] = presets.keep_choices(request, form)
    return render(request, "lobby/announce.html", context, status=422)


def _lead_back(request: HttpRequest, waiting: Seek, form: AnnounceForm) -> HttpResponse:
    """Redirect to the waiting game if the form asks for the same one; else refuse and show both."""
    if not rate_limits.allow(request, LIMIT):
        return rate_limits.refuse(request, LIMIT)
    if form.is_valid() and announcing.is_same(waiting, form.announcement):
        return redirect("lobby:seek", waiting.public_id)
    refusal = labels.of_error(Refused("announced"))
    context = presets.form_context(waiting.owner, form, waiting=waiting, refusal=refusal)
    page = render(request, "lobby/announce.html", context, status=409)
    return marked(page, "announced")


def _asked(request: HttpRequest) -> dict[str, Any]:
    """Read the stake that a link suggests; MAX_STAKE has seven digits."""
    stake = request.GET.get("stake", "")
    return {"stake": int(stake)} if stake.isdecimal() and len(stake) < 8 else {}


def agreement(form: AnnounceForm) -> dict[str, Any]:
    return {
        "form": form,
        "wanted": form.announcement,
        "invited": form.invited,
        "lines": [*describe(form.rules), *conditions(form.announcement)],
        "minutes": likely_minutes(form.rules),
        "collides_at": collision(form.owner, form.rules, CLOCK.now()),
        "stake_terms": StakeTerms.of(form.announcement.stake_credits),
        "objection": objection_to(
            form.owner, form.announcement.stake_credits, presets.way_back(form)
        ),
    }


def objection_to(member: User, stake_credits: int, back: str) -> Objection | None:
    """Return the member's own limit that forbids a stake, in words."""
    return objection_of(escrow.objection(member.pk, stake_credits, CLOCK.now()), back)


def collision(member: User, rules: Rules, now: datetime) -> datetime | None:
    """Return the start of a commitment likely to begin before a game announced now is over."""
    coming = next_commitment(member.pk, now)
    if coming is None:
        return None
    waits = LIFETIME  # the longest time until someone joins, unless the game is renewed
    over_at = now + waits + timedelta(minutes=likely_minutes(rules))
    return coming.starts_at if coming.starts_at < over_at else None


def _announce(request: HttpRequest, owner: User, form: AnnounceForm) -> HttpResponse:
    if not rate_limits.allow(request, LIMIT):  # each announcement refreshes everybody's list
        return rate_limits.refuse(request, LIMIT)
    try:
        made = announcing.announce(owner, form.announcement, CLOCK.now())
    except NoCredits as error:  # spent in another window since the form was checked
        left = form.announcement.stake_credits - error.shortfall
        form = AnnounceForm(request.POST, owner=owner, available=left)
        form.full_clean()
        return marked(show_errors(request, form), error.code)
    except Refused as error:
        waiting = selectors.open_seek_of(owner) if error.code == "announced" else None
        if waiting is not None:  # another window announced a game meanwhile
            return _lead_back(request, waiting, form)
        messages.error(request, labels.of_error(error))
        return marked(redirect("lobby:lobby"), error.code)
    request.session[presets.LAST_CHOICES] = form.choices
    return redirect("lobby:seek", made.public_id)


@never_cache
@require_safe
@login_required
def challenge(request: HttpRequest, public_id: str) -> HttpResponse:
    """Open the announcement form with this person as the opponent."""
    person, owner = find_member(public_id), current_user(request)
    if person is None:
        raise Http404
    refusal = selectors.challenge_refusal(owner, person, CLOCK.now())
    if refusal is not None:
        messages.error(request, labels.of_error(Refused(refusal)))
        return marked(redirect("people:player", public_id), refusal)
    initial = {"access": Seek.Access.PERSON, "opponent": person.username}
    return announce(request, initial)


@never_cache
@require_safe
def seek(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show one announced game: to its owner the waiting room, to others the terms."""
    viewer, now = viewer_of(request), CLOCK.now()
    is_part = "HX-Request" in request.headers
    found = _find(public_id, viewer)
    is_owner = viewer is not None and found.owner_id == viewer.pk
    if viewer is not None and is_owner:  # the waiting room polls, also where sockets are blocked
        presence.touch(viewer.pk, now)
    if found.match and viewer and found.match.seats.filter(user=viewer).exists():
        table = redirect("games:match", found.match.public_id)
        # htmx cannot put the table's page into a part: the browser has to load it.
        return HttpResponseClientRedirect(table.url) if is_part else table
    credits = stakable_credits(viewer.pk) if viewer else 0
    limit = stake_limit(viewer.pk) if viewer else None
    # After `expires_at` the owner's page still waits: the worker will soon close or renew the game.
    is_open = found.state == Seek.State.OPEN and (is_owner or found.expires_at > now)
    in_dialog = is_part and request.headers.get("HX-Target") == AGREEMENT
    context = {
        "seek": found,
        "is_owner": is_owner,
        "is_open": is_open,
        "in_dialog": in_dialog,
        "address": request.build_absolute_uri(reverse("lobby:seek", args=[public_id])),
        "left_s": max(0, int((found.expires_at - now).total_seconds())),
        "lines": [*describe(found.match_rules), *conditions(found)],
        "minutes": likely_minutes(found.match_rules),
        "collides_at": collision(viewer, found.match_rules, now) if viewer else None,
        # The players read the stake at the table; others must not learn a hidden one.
        "stake_terms": None
        if found.match and found.hides_stake
        else StakeTerms(found.stake_credits, found.rake_credits),
        "objection": objection_to(viewer, found.stake_credits, request.path)
        if viewer and is_open and not is_owner
        else None,
        "missing": max(0, found.stake_credits - credits) if viewer else 0,
        "above_limit": limit is not None
        and found.stake_credits > limit
        and labels.stake_limit(limit),
        "smaller": smaller_stake(credits if limit is None else min(credits, limit)),
    }
    part = "waiting" if is_owner and not in_dialog else AGREEMENT
    template = f"lobby/_{part}.html" if is_part else "lobby/seek.html"
    return render(request, template, context)


@require_POST
@login_required
def join(request: HttpRequest, public_id: str) -> HttpResponse:
    """Join the game and redirect to its table; without `confirmed`, to its terms."""
    has_agreed = request.POST.get("confirmed") == CONFIRMED
    try:
        match = joining.join(public_id, current_user(request), CLOCK.now(), has_agreed=has_agreed)
    except Refused as refusal:
        if isinstance(refusal, (NoCredits, OwnLimit)) or refusal.code == "terms":
            # The game's page explains the shortfall or the limit, and shows the terms.
            return marked(redirect("lobby:seek", public_id), refusal.code)
        messages.error(request, labels.of_error(refusal))
        return marked(redirect("lobby:lobby"), refusal.code)
    return redirect("games:match", match.public_id)


@require_POST
@login_required
def cancel(request: HttpRequest, public_id: str) -> HttpResponse:
    owner = current_user(request)
    try:
        ending.cancel(public_id, owner, CLOCK.now())
    except Refused as refusal:
        is_own = Seek.objects.filter(public_id=public_id, owner=owner).exists()
        if is_own:  # if somebody joined it, its page redirects to the table
            return marked(redirect("lobby:seek", public_id), refusal.code)
        messages.error(request, labels.of_error(refusal))
        return marked(redirect("lobby:lobby"), refusal.code)
    messages.success(request, labels.canceled())
    return redirect("lobby:lobby")


@require_POST
@login_required
def decline(request: HttpRequest, public_id: str) -> HttpResponse:
    return declining.answer(request, public_id, ending.decline, labels.declined())


def _find(public_id: str, viewer: User | None) -> Seek:
    """Return the game; raise Http404 if the viewer may not see it."""
    found = Seek.objects.select_related("owner__profile", "match").filter(public_id=public_id)
    seek = selectors.with_ratings(found).first()
    if seek is None or not selectors.may_see(seek, viewer):
        raise Http404
    is_waiting = seek.state == Seek.State.OPEN
    if is_waiting and viewer is not None and either_blocks(seek.owner_id, viewer.pk):
        raise Http404
    return seek
