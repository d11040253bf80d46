"""The result of a finished public match, to be shared: a page and a picture, for anyone."""

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.access import find
from games.archive.fold_slots import limited, slot
from games.board_svg import Drawing
from games.engine.match.public_view import public_view
from games.engine.rules import Variant
from games.engine.sides import Side
from games.exports import result_picture
from games.models import Match
from games.reviews.playback import seats_of

# Seconds for which the picture is kept, by the site and by programs that fetched it.
KEPT_S = 24 * 3600
# Part of the cache's key: raise it when the picture is drawn in another way.
DRAWN = 1


@require_safe
@limited
def result(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the result and the final position, with Open Graph tags for previews."""
    match = _shared(request, public_id)
    context = {
        "match": match,
        "seats": seats_of(match),
        "drawing": Drawing(public_view(match.state, 0), Variant(match.variant), Side.WHITE),
        "address": request.build_absolute_uri(reverse("games:result", args=[public_id])),
        "picture": request.build_absolute_uri(reverse("games:result_picture", args=[public_id])),
        "width": str(result_picture.SIZE[0]),
        "height": str(result_picture.SIZE[1]),
    }
    return render(request, "games/result/result.html", context)


@require_safe
@limited
def picture(request: HttpRequest, public_id: str) -> HttpResponse:
    match = _shared(request, public_id)
    key = f"games:result:{DRAWN}:{public_id}"
    png = caches["pictures"].get(key)
    if png is None:
        with slot():  # drawing costs as much as a short fold
            png = caches["pictures"].get(key) or result_picture.png_of(match)
        caches["pictures"].set(key, png, KEPT_S)
    response = HttpResponse(png, content_type="image/png")
    response["Cache-Control"] = f"public, max-age={KEPT_S}"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"  # other sites show it in previews
    response["Content-Disposition"] = f'inline; filename="5stars-{public_id}.png"'
    return response


def _shared(request: HttpRequest, public_id: str) -> Match:
    """Return a finished public match; raise Http404 for any other, even to its players."""
    match, _viewpoint = find(request, public_id)
    if not (match.is_public and match.is_finished):
        raise Http404
    return match
