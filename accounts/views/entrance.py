"""Sign in, sign out, set a new password."""

from allauth.account import views
from django.http import Http404, HttpRequest, HttpResponse

login = views.login
logout = views.logout
inactive = views.account_inactive
password_reset = views.password_reset
password_reset_done = views.password_reset_done
password_reset_from_key = views.password_reset_from_key
password_reset_from_key_done = views.password_reset_from_key_done


def change_password(request: HttpRequest) -> HttpResponse:
    raise Http404
