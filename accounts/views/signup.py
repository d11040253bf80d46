"""Sign-up: the form, and its hints while it is filled in."""

from allauth.account import views
from django.http import Http404, HttpRequest, HttpResponse

signup = views.signup


def check(request: HttpRequest) -> HttpResponse:
    raise Http404
