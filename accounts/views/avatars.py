"""To be filled in."""

from django.http import Http404, HttpRequest, HttpResponse


def upload(request: HttpRequest, public_id: str = "") -> HttpResponse:
    raise Http404


def remove(request: HttpRequest, public_id: str = "") -> HttpResponse:
    raise Http404


def show(request: HttpRequest, name: str) -> HttpResponse:
    raise Http404
