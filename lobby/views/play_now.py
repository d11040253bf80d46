"""Play now: choose, agree to the terms of a stake, wait under a bar on every page, cancel."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.shared import rate_limits
from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused, marked
from games.access import player_of
from games.models import Match
from games.models.actor import Actor
from games.models.kind import kinds_where
from games.rulebook.summary import describe, likely_minutes
from games.selectors import actor_of, running_matches
from games.stakes.escrow import stakable_credits
from games.stakes.terms import StakeTerms
from lobby import labels, selectors
from lobby.models import Search
from lobby.requirements_text import conditions
from lobby.services import searching, stopping
from lobby.services.announcing import Announcement
from lobby.views.friendly import GUEST_NAME
from lobby.views.friendly import LIMIT as FRIENDLY_LIMIT
from lobby.views.play_now_form import LAST_CHOICES, PlayNowForm, asked, defaults
from lobby.views.seeks import CONFIRMED, LIMIT, collision, objection_to

SHOWN = selectors.SHOWN_SEARCH  # session key: the public id of the search that this browser shows


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest) -> HttpResponse:
    """Show the choices and start a search; for credits, show the terms first.

    With `quick` in the request, the last choices replace the form's.
    """
    person = actor_of(request.user, request.session)
    search = selectors.shown_search(person, request.session.get(SHOWN))
    if search is not None and search.found is not None:
        return redirect("games:match", search.found.public_id)
    is_guest = not request.user.is_authenticated
    remembered = defaults(request.session.get(LAST_CHOICES, {}))
    name = {"guest_name": request.session.get(GUEST_NAME, "")}
    if request.method != "POST":
        if search is not None:
            return _show_search(request, search)
        initial = {**remembered, **asked(request.GET), **name}
        form = PlayNowForm(initial=initial, is_guest=is_guest)
        return _show(request, form)
    is_quick = "quick" in request.POST
    form = PlayNowForm({**remembered, **name} if is_quick else request.POST, is_guest=is_guest)
    if search is not None:
        return _lead_back(request, search, form)
    if not form.is_valid():
        if is_quick:  # a guest without a name
            return redirect("lobby:play_now")
        return marked(_show(request, form, status=422), "invalid")
    if "change" in request.POST:
        return _show(request, form)
    if form.stake_credits and request.POST.get("confirmed") != CONFIRMED:
        request.session[LAST_CHOICES] = form.choices  # for the return from the age page
        return render(request, "lobby/play_now/terms.html", _terms(request, form))
    return _start(request, form)


@never_cache
@require_safe
def bar(request: HttpRequest) -> HttpResponse:
    """Render the bar of a waiting person; once an opponent is found, redirect to the table.

    A member at a tournament's table stays there: the alert on every page leads to the new table.
    """
    person = actor_of(request.user, request.session)
    search = selectors.shown_search(person, request.GET.get("search"))
    if search is None:
        return render(request, "lobby/play_now/_bar.html", {"play_now": {}})
    if search.found is not None:
        here = request.headers.get("HX-Current-URL", "")
        is_there = search.found.public_id in here
        if not (is_there or _plays_against_the_clock(person, here)):
            table = redirect("games:match", search.found.public_id)
            return HttpResponseClientRedirect(table.url)
        return render(request, "lobby/play_now/_bar.html", {"play_now": {}})
    now = CLOCK.now()
    searching.touch(search, now)
    context = {"play_now": selectors.bar_of(search, now)}
    return render(request, "lobby/play_now/_bar.html", context)


def _plays_against_the_clock(person: Actor, url: str) -> bool:
    """Return whether the URL is the table of a match in play that does not wait for the person."""
    kinds = kinds_where(lambda kind: not kind.waits_for_player)
    running = running_matches(person).filter(kind__in=kinds)
    return any(id in url for id in running.values_list("public_id", flat=True))


@require_POST
def cancel(request: HttpRequest) -> HttpResponse:
    person = actor_of(request.user, request.session)
    try:
        stopping.cancel(person, CLOCK.now())
    except Refused as refusal:  # an opponent was found: the page redirects to the table
        return marked(redirect("lobby:play_now"), refusal.code)
    messages.success(request, labels.search_canceled())
    return redirect("lobby:play_now")


def _start(request: HttpRequest, form: PlayNowForm) -> HttpResponse:
    if form.stake_credits:
        current_user(request)  # a guest's form has no stake
        if not rate_limits.allow(request, LIMIT):
            return rate_limits.refuse(request, LIMIT)
    elif limit := rate_limits.count_start(request, FRIENDLY_LIMIT):
        return rate_limits.refuse_playing(request, limit)
    request.session[LAST_CHOICES] = form.choices
    choice = form.choice
    if choice.guest_name:
        request.session[GUEST_NAME] = choice.guest_name
    try:
        found = searching.start(player_of(request), choice, CLOCK.now())
    except Refused as refusal:
        return _refuse(request, form, refusal)
    if isinstance(found, Match):
        return redirect("games:match", found.public_id)
    request.session[SHOWN] = found.public_id
    return redirect("lobby:play_now")


def _refuse(request: HttpRequest, form: PlayNowForm, refusal: Refused) -> HttpResponse:
    """Refuse to start; a second press of the button leads to what the first one began."""
    person = actor_of(request.user, request.session)
    match = searching.just_begun(person, form.choice, CLOCK.now())
    if match is not None:
        return redirect("games:match", match.public_id)
    search = selectors.shown_search(person)
    if refusal.code == "searching" and search is not None:
        return _lead_back(request, search, form)
    messages.error(request, labels.of_error(refusal))
    return marked(_show(request, form, status=409), refusal.code)


def _show(request: HttpRequest, form: PlayNowForm, status: int = 200) -> HttpResponse:
    now = CLOCK.now()
    context = {
        "form": form,
        "waiting": selectors.waiting_count(now),
        "announced": selectors.open_seek_of(current_user(request))
        if request.user.is_authenticated
        else None,
    }
    return render(request, "lobby/play_now/form.html", context, status=status)


def _lead_back(request: HttpRequest, search: Search, form: PlayNowForm) -> HttpResponse:
    """Redirect to the search if the form asks for the same one; else refuse and show it."""
    if form.is_valid() and searching.is_same(search, form.choice):
        request.session[SHOWN] = search.public_id  # of two presses at once the second may lack it
        return redirect("lobby:play_now")
    refusal = Refused("searching")
    messages.error(request, labels.of_error(refusal))
    return marked(_show_search(request, search, status=409), refusal.code)


def _show_search(request: HttpRequest, search: Search, status: int = 200) -> HttpResponse:
    return render(request, "lobby/play_now/form.html", {"search": search}, status=status)


def _terms(request: HttpRequest, form: PlayNowForm) -> dict[str, Any]:
    choice, member = form.choice, current_user(request)
    wanted = Announcement(choice.rules, choice.stake_credits)
    return {
        "form": form,
        "rules": choice.rules,
        "lines": [*describe(choice.rules), *conditions(wanted)],
        "minutes": likely_minutes(choice.rules),
        "collides_at": collision(member, choice.rules, CLOCK.now()),
        "stake_terms": StakeTerms.of(choice.stake_credits),
        "objection": objection_to(member, choice.stake_credits, request.path),
        "missing": max(0, choice.stake_credits - stakable_credits(member.pk)),
    }
