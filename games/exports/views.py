"""Match files for download."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.access import find, is_open
from games.archive.fold_slots import fold_slot, limited
from games.engine.rules import Variant
from games.exports import match_file
from games.models import Match


@require_safe
@limited
def export_json(request: HttpRequest, public_id: str) -> HttpResponse:
    match = _exportable(request, public_id)
    text = match_file.json_of(match, partial(fold_slot, request))
    return _as_file(HttpResponse(text, content_type="application/json"), public_id, "json")


@require_safe
@limited
def export_mat(request: HttpRequest, public_id: str) -> HttpResponse:
    """Serve the match in the format of GNU Backgammon; short backgammon only."""
    return _text_file(request, public_id, Variant.SHORT, "mat")


@require_safe
@limited
def export_text(request: HttpRequest, public_id: str) -> HttpResponse:
    """Serve the match in the site's own text format; long nardy only."""
    return _text_file(request, public_id, Variant.LONG, "txt")


def _text_file(request: HttpRequest, public_id: str, variant: Variant, suffix: str) -> HttpResponse:
    match = _exportable(request, public_id)
    if match.variant != variant.value:
        raise Http404
    text = match_file.text_of(match, partial(fold_slot, request))
    return _as_file(HttpResponse(text, content_type="text/plain; charset=utf-8"), public_id, suffix)


def _as_file(response: HttpResponse, public_id: str, suffix: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="5stars-{public_id}.{suffix}"'
    return response


def _exportable(request: HttpRequest, public_id: str) -> Match:
    """Return the match; raise Http404 unless the viewer may export it."""
    match, viewpoint = find(request, public_id)
    if not is_open(match, viewpoint):
        raise Http404
    return match
