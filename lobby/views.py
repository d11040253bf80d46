"""Pages of announced games: the list, announcing, one game, joining, taking back."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.selectors import find_member
from games.describing import describe, likely_minutes
from lobby import selectors, words
from lobby.forms import AnnounceForm, FilterForm
from lobby.models import Seek
from lobby.outlook import Outlook
from lobby.services import seeks
from lobby.services.refusals import Refused
from wallet.money import InsufficientFunds
from wallet.selectors import funds_of

LAST_CHOICES = "announced"  # session key
LONGEST_LIST = 100


@never_cache
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Announced and running games; one's own first."""
    return render(request, "lobby/lobby.html", _lists(request))


@never_cache
@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    """The lists alone, for a page that keeps them fresh."""
    return render(request, "lobby/_lists.html", _lists(request))


@never_cache
@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """The way back to one's running game or waiting room, for a page that was told of news."""
    return render(request, "lobby/_live.html")


def _lists(request: HttpRequest) -> dict[str, Any]:
    viewer, now = _viewer(request), timezone.now()
    form = FilterForm(request.GET)
    form.is_valid()
    joinable = set()
    if viewer:
        joinable = set(selectors.joinable_seeks(viewer, now).values_list("pk", flat=True))
    return {
        "filter": form,
        "now": now,
        "seeks": _filtered(selectors.open_seeks(viewer, now), form, joinable)[:LONGEST_LIST],
        "joinable": joinable,
        "own_seek": selectors.open_seek_of(viewer) if viewer else None,
        "own_match": selectors.live_match_of(viewer) if viewer else None,
        "running": selectors.running_matches(viewer)[:LONGEST_LIST],
        "pause": selectors.pause_of(viewer.pk, now) if viewer else None,
    }


def _filtered(found: QuerySet[Seek], form: FilterForm, joinable: set[int]) -> QuerySet[Seek]:
    chosen = form.cleaned_data
    if chosen.get("variant"):
        found = found.filter(variant=chosen["variant"])
    if chosen.get("most_stake"):
        found = found.filter(stake_credits__lte=chosen["most_stake"])
    if chosen.get("joinable"):
        found = found.filter(pk__in=joinable)
    return found


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def announce(request: HttpRequest, initial: dict[str, Any] | None = None) -> HttpResponse:
    """Choose, look at what is agreed to, announce. The last choices are remembered."""
    owner = _member(request)
    funds = funds_of(owner.pk)
    if request.method != "POST":
        given = {**request.session.get(LAST_CHOICES, {}), **(initial or {})}
        form = AnnounceForm(initial=given, owner=owner, available=funds.available)
        return render(request, "lobby/announce.html", {"form": form})
    form = AnnounceForm(request.POST, owner=owner, available=funds.available)
    if not form.is_valid():
        return render(request, "lobby/announce.html", {"form": form}, status=422)
    if "confirmed" not in request.POST or "change" in request.POST:
        template = "announce" if "change" in request.POST else "confirm"
        return render(request, f"lobby/{template}.html", _agreement(form))
    return _announce(request, owner, form)


def _agreement(form: AnnounceForm) -> dict[str, Any]:
    return {
        "form": form,
        "wanted": form.announcement,
        "invited": form.invited,
        "lines": describe(form.rules),
        "minutes": likely_minutes(form.rules),
        "outlook": Outlook.of(form.announcement.stake_credits),
    }


def _announce(request: HttpRequest, owner: User, form: AnnounceForm) -> HttpResponse:
    try:
        made = seeks.announce(owner, form.announcement, timezone.now())
    except (Refused, InsufficientFunds) as error:
        messages.error(request, words.of_error(error))
        return redirect("lobby:lobby")
    chosen = {name: value for name, value in form.cleaned_data.items() if name != "opponent"}
    request.session[LAST_CHOICES] = chosen
    return redirect("lobby:seek", made.public_id)


@never_cache
@require_safe
@login_required
def challenge(request: HttpRequest, public_id: str) -> HttpResponse:
    """Announce a game for the person whose profile one comes from."""
    person = find_member(public_id)
    if person is None or person == request.user:
        raise Http404
    initial = {"access": Seek.Access.PERSON, "opponent": person.username}
    return announce(request, initial)


@never_cache
@require_safe
def seek(request: HttpRequest, public_id: str) -> HttpResponse:
    """One announced game: its owner waits here, others read everything and join."""
    viewer, now = _viewer(request), timezone.now()
    found = _find(public_id, viewer)
    is_owner = viewer is not None and found.owner_id == viewer.pk
    if found.match and viewer and found.match.seats.filter(user=viewer).exists():
        return redirect("games:match", found.match.public_id)
    context = {
        "seek": found,
        "is_owner": is_owner,
        "is_open": found.state == Seek.State.OPEN and found.expires_at > now,
        "left_s": max(0, int((found.expires_at - now).total_seconds())),
        "lines": describe(found.match_rules),
        "minutes": likely_minutes(found.match_rules),
        "outlook": Outlook(found.stake_credits, found.rake_credits),
        "missing": _missing(found, viewer, now),
    }
    template = "lobby/_waiting.html" if request.headers.get("HX-Request") else "lobby/seek.html"
    return render(request, template, context)


def _missing(found: Seek, viewer: User | None, now: datetime) -> int:
    """How many credits the viewer lacks for the stake; 0 for his own and for guests."""
    if viewer is None or found.owner_id == viewer.pk:
        return 0
    own = selectors.open_seek_of(viewer)
    purse = funds_of(viewer.pk).available + (own.stake_credits if own else 0)
    return max(0, found.stake_credits - purse)


@require_POST
@login_required
def join(request: HttpRequest, public_id: str) -> HttpResponse:
    """Join: the match begins, and its table opens."""
    try:
        match = seeks.join(public_id, _member(request), timezone.now())
    except InsufficientFunds:
        return redirect("lobby:seek", public_id)  # which says what is missing and where to get it
    except Refused as refusal:
        messages.error(request, words.of_error(refusal))
        return redirect("lobby:lobby")
    return redirect("games:match", match.public_id)


@require_POST
@login_required
def cancel(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take one's own announcement back."""
    try:
        seeks.cancel(public_id, _member(request), timezone.now())
    except Refused:
        return redirect("lobby:seek", public_id)  # joined meanwhile: leads to the table
    messages.success(request, words.canceled())
    return redirect("lobby:lobby")


def _find(public_id: str, viewer: User | None) -> Seek:
    """A game that the viewer may know of: an invitation is its two people's affair."""
    found = Seek.objects.select_related("owner__profile", "match").filter(public_id=public_id)
    seek = selectors.with_ratings(found).first()
    if seek is None:
        raise Http404
    its_people = (seek.owner_id, seek.invited_id)
    if seek.access == Seek.Access.PERSON and (viewer is None or viewer.pk not in its_people):
        raise Http404
    return seek


def _viewer(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _member(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
