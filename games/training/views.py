"""Pages for training: setting up a match against a bot, and lessons."""

import json
from uuid import UUID, uuid4, uuid5

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.shared import rate_limits
from accounts.shared.database_clock import CLOCK
from games import selectors
from games.access import find, player_of
from games.bots.opponents import LEVELS
from games.bots.strength import MEASURED
from games.services import matches
from games.training import lessons, record
from games.training.choices import LAST_CHOICES, last_choices, quick_choices
from games.training.forms import RANDOM, TrainingForm, drawn_side

PAGE_LENGTH = 20  # matches
LIMIT = "training"  # key of ACCOUNT_RATE_LIMITS, with guest_ before it for guests


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def training(request: HttpRequest) -> HttpResponse:
    """Set up a match against a bot; the session keeps the last choices."""
    if request.method == "POST":
        form = TrainingForm(request.POST)
        if form.is_valid():
            return _create(request, form)
    else:
        form = TrainingForm(initial=last_choices(request.session, request.GET.get("variant")))
    actor = selectors.actor_of(request.user, request.session)
    context = {
        "form": form,
        "once": uuid4(),
        "measured": MEASURED,
        "running": list(selectors.running_matches(actor)[:50]),
        "finished": record.finished_training(actor)[:5],
    }
    return render(
        request, "games/training/training.html", context, status=422 if form.errors else 200
    )


@never_cache
@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """Start a match with the last choices, or the defaults, in the variant that is sent.

    A level that is sent, as after the lessons, replaces the last chosen level.
    """
    variant, level = request.POST.get("variant"), request.POST.get("level")
    form = TrainingForm(quick_choices(request.session, variant, level))
    return _create(request, form) if form.is_valid() else redirect("games:training")


def _create(request: HttpRequest, form: TrainingForm) -> HttpResponse:
    if limit := rate_limits.count_start(request, LIMIT):
        return rate_limits.refuse_playing(request, limit)
    match = matches.create_training(
        player_of(request),
        form.rules,
        form.chosen_side,
        form.cleaned_data["level"],
        CLOCK.now(),
        form.cleaned_data["pace"],
        _once_of(request, form),
    )
    request.session[LAST_CHOICES] = form.cleaned_data
    return redirect("games:match", match.public_id)


def _once_of(request: HttpRequest, form: TrainingForm) -> UUID | None:
    """Return an id of the form and its choices; None for a button without a form.

    A player who goes back in the browser may send the same form with other choices. This asks for
    another match, so the choices are part of the id.
    """
    try:
        choices = json.dumps(form.cleaned_data, sort_keys=True)
        return uuid5(UUID(request.POST.get("once", "")), choices)
    except ValueError:
        return None


@never_cache
@require_safe
def finished(request: HttpRequest) -> HttpResponse:
    """List the visitor's finished training matches and their record against each bot."""
    actor = selectors.actor_of(request.user, request.session)
    pages = Paginator(record.finished_training(actor), PAGE_LENGTH)
    context = {
        "page": pages.get_page(request.GET.get("page")),
        "record": record.record_by_level(actor),
    }
    return render(request, "games/training/finished.html", context)


@never_cache
@require_POST
def again(request: HttpRequest, public_id: str) -> HttpResponse:
    """Start a match with the settings of a finished one: rules, bot, pace and side.

    A player whose last choice of a side was "random" gets a random one again. A match that is
    not over is opened instead; one against a bot that no longer exists leads to the form.
    """
    old, viewpoint = find(request, public_id)
    if viewpoint.side is None or not old.policy.has_bot:
        raise Http404
    if not old.is_finished:
        return redirect("games:match", public_id)
    bot = old.seats_by_side[viewpoint.side.other].bot
    if bot not in dict(LEVELS):
        return redirect("games:training")
    if limit := rate_limits.count_start(request, LIMIT):
        return rate_limits.refuse_playing(request, limit)
    is_random = request.session.get(LAST_CHOICES, {}).get("side") == RANDOM
    match = matches.create_training(
        player_of(request),
        old.match_rules,
        drawn_side() if is_random else viewpoint.side,
        bot,
        CLOCK.now(),
        old.bot_pace,
    )
    return redirect("games:match", match.public_id)


@cache_control(max_age=3600)
@require_safe
def practice_lesson(request: HttpRequest, name: str) -> HttpResponse:
    """Serve a lesson for the small board of the profile."""
    if name not in lessons.LESSONS:
        raise Http404
    return JsonResponse(lessons.lesson_view(name))
