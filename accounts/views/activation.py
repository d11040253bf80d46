"""From sign-up to the first sign-in: the letter, its link, another letter, another address."""

from allauth.account import views
from django.http import Http404, HttpRequest, HttpResponse

sent = views.email_verification_sent
confirm = views.confirm_email


def resend(request: HttpRequest) -> HttpResponse:
    raise Http404


def change_email(request: HttpRequest) -> HttpResponse:
    raise Http404
