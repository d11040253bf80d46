"""Read and write a member's choices at the table."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.profile import table_choices
from accounts.selectors import preferences_of

MAX_BYTES = 2048  # of the body of a request


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def choices(request: HttpRequest) -> HttpResponse:
    """Answer GET with all choices as JSON; POST changes the given choices.

    If one posted name or value is unknown, nothing changes.
    """
    user = request.user
    if not user.is_authenticated or not user.is_member:
        return HttpResponse(status=403)
    if request.method != "POST":
        return JsonResponse(preferences_of(user).table_choices())
    try:
        table_choices.change(user.pk, _sent(request))
    except (ValueError, table_choices.UnknownChoice):
        return HttpResponseBadRequest()
    return HttpResponse(status=204)


def _sent(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON object in the request's body; raise ValueError if it has none."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BYTES or len(request.body) > MAX_BYTES:
        raise ValueError("too long")
    try:
        sent = json.loads(request.body)
    except RecursionError as error:
        raise ValueError("too deep") from error
    if not isinstance(sent, dict):
        raise ValueError("not an object")
    return sent
