"""To be filled in."""

from django.http import Http404, HttpRequest, HttpResponse


def close(request: HttpRequest, public_id: str = "") -> HttpResponse:
    raise Http404
