"""Pages of games: set-up of a training match, the table, exports, practice."""

from typing import Any
from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import exporting, practice, selectors
from games.actors import Actor
from games.bots.strength import MEASURED
from games.coach.reason_texts import reason_texts
from games.engine.rules import Variant
from games.engine.sides import Side
from games.forms import TrainingForm
from games.models import Match, Seat
from games.services import matches

LAST_CHOICES = "training"  # session key


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def training(request: HttpRequest) -> HttpResponse:
    """Set up a match against the computer; the last choices are remembered."""
    if request.method == "POST":
        form = TrainingForm(request.POST)
        if form.is_valid():
            return _create(request, form)
    else:
        form = TrainingForm(initial=_initial(request))
    actor = selectors.actor_of(request.user, request.session)
    context = {
        "form": form,
        "measured": MEASURED,
        "running": selectors.running_matches(actor)[:50],
        "finished": selectors.finished_matches(actor)[:5],
    }
    return render(
        request, "games/training/training.html", context, status=422 if form.errors else 200
    )


def _create(request: HttpRequest, form: TrainingForm) -> HttpResponse:
    match = matches.create_training(
        _player(request),
        form.rules,
        form.chosen_side,
        form.cleaned_data["level"],
        timezone.now(),
        form.cleaned_data["pace"],
    )
    request.session[LAST_CHOICES] = form.cleaned_data
    return redirect("games:match", match.public_id)


def _player(request: HttpRequest) -> Actor:
    """Who plays: the member, or the guest that this browser is.

    A guest begins to exist with his first match.
    """
    player = selectors.actor_of(request.user, request.session)
    if player == Actor():
        player = Actor(guest=uuid4())
        request.session["guest"] = str(player.guest)
    return player


def _initial(request: HttpRequest) -> dict[str, Any]:
    """The last choices; a game named in the address goes before them."""
    initial = dict(request.session.get(LAST_CHOICES, {}))
    if request.GET.get("variant") in set(Variant):
        initial["variant"] = request.GET["variant"]
    return initial


@never_cache
@require_safe
def match(request: HttpRequest, public_id: str) -> HttpResponse:
    """The table; of a finished match, the table as it was left."""
    found, viewpoint = find(request, public_id)
    side = viewpoint.side.value if viewpoint.side else None
    if request.session.session_key is None:
        request.session.create()  # a visitor watches: the socket wants to know whose it is
    boot = {
        "id": public_id,
        "ws": f"/ws/match/{public_id}/",
        "variant": found.variant,
        "length": found.match_rules.length,
        "lang": get_language(),
        "side": side,
        "urls": {
            name: reverse(f"games:{name}", args=[public_id])
            for name in ("match", "review", "export_json", "export_mat", "export_text")
        }
        | {"after": _after(found), "table_choices": reverse("people:table_choices")}
        | ({"rating": reverse("stats:match", args=[public_id])} if found.policy.is_rated else {}),
        "coach": {"reasons": reason_texts()} if found.policy.is_coached else None,
        "leaving_resigns": found.policy.leaving_resigns,
        **account(request),
    }
    context = {"match": found, "boot": boot, "seats": _seats(found, viewpoint.side)}
    return render(request, "games/table/table.html", context)


def _seats(match: Match, side: Side | None) -> dict[str, Seat]:
    """Whose strips are below and above the board: a spectator sits on White's side."""
    near = side or Side.WHITE
    seats = {seat.engine_side: seat for seat in match.seats.all()}
    return {"own": seats[near], "enemy": seats[near.other]}


def _after(match: Match) -> str:
    """Where a player goes from the table: to where such matches are found."""
    return reverse("games:training") if match.policy.has_bot else reverse("lobby:lobby")


def account(request: HttpRequest) -> dict[str, Any]:
    """The member whose choices the page obeys; a guest's are in his browser."""
    user = request.user
    if not user.is_authenticated or not user.is_member:
        return {"member": None, "choices": None}
    choices = user.preferences.table_choices()
    return {"member": user.public_id, "choices": choices, "csrf": get_token(request)}


@cache_control(max_age=3600)
@require_safe
def practice_lesson(request: HttpRequest, name: str) -> HttpResponse:
    """A situation to try one's choices in, for the small board of the profile."""
    if name not in practice.LESSONS:
        raise Http404
    return JsonResponse(practice.lesson_view(name))


@require_safe
def export_json(request: HttpRequest, public_id: str) -> HttpResponse:
    found = _find_file(request, public_id)
    options = {"ensure_ascii": False, "indent": None}
    response = JsonResponse(exporting.export_of(found), json_dumps_params=options)
    return _as_file(response, public_id, "json")


@require_safe
def export_mat(request: HttpRequest, public_id: str) -> HttpResponse:
    """The match as GNU Backgammon and others read it; short only."""
    return _text_file(request, public_id, Variant.SHORT, "mat")


@require_safe
def export_text(request: HttpRequest, public_id: str) -> HttpResponse:
    """The match in our text format; long only."""
    return _text_file(request, public_id, Variant.LONG, "txt")


def _text_file(request: HttpRequest, public_id: str, variant: Variant, suffix: str) -> HttpResponse:
    found = _find_file(request, public_id)
    if found.variant != variant.value:
        raise Http404
    text = exporting.text_of(found)
    return _as_file(HttpResponse(text, content_type="text/plain; charset=utf-8"), public_id, suffix)


def _as_file(response: HttpResponse, public_id: str, suffix: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="5stars-{public_id}.{suffix}"'
    return response


def find(request: HttpRequest, public_id: str) -> tuple[Match, selectors.Viewpoint]:
    """The match, and what the visitor is at it; 404 when it is not for him."""
    actor = selectors.actor_of(request.user, request.session)
    viewpoint = selectors.find_viewpoint(public_id, actor)
    found = selectors.find_match(public_id)
    if viewpoint is None or found is None:
        raise Http404
    return found, viewpoint


def _find_file(request: HttpRequest, public_id: str) -> Match:
    found, viewpoint = find(request, public_id)
    if not is_open(found, viewpoint):
        raise Http404
    return found


def is_open(match: Match, viewpoint: selectors.Viewpoint) -> bool:
    """Whether the whole log is for the reader: of a match that runs, it is for the players."""
    return match.is_finished or viewpoint.side is not None
