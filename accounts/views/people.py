"""To be filled in."""

from django.http import Http404, HttpRequest, HttpResponse


def player(request: HttpRequest, public_id: str = "") -> HttpResponse:
    raise Http404


def card(request: HttpRequest, public_id: str = "") -> HttpResponse:
    raise Http404


def block(request: HttpRequest, public_id: str = "") -> HttpResponse:
    raise Http404


def unblock(request: HttpRequest, public_id: str = "") -> HttpResponse:
    raise Http404
