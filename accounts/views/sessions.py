"""To be filled in."""

from django.http import Http404, HttpRequest, HttpResponse


def sessions(request: HttpRequest) -> HttpResponse:
    raise Http404
