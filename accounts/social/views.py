"""Sign-in through Facebook; 404 until its keys are set."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.socialaccount import views
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.facebook.views import oauth2_callback, oauth2_login
from allauth.utils import get_request_param
from django.conf import settings
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from accounts.shared import reauthentication
from accounts.shared.allauth_pages import FormPage, Page

View = Callable[..., HttpResponse]
PENDING = "socialaccount_sociallogin"


def only_with_keys(view: View) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.SOCIALACCOUNT_PROVIDERS:
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


class SignUp(FormPage, views.SignupView):
    """Choose the login; a concurrent choice of the same login is an error on the form."""

    def form_valid(self, form: Any) -> HttpResponse:
        pending = self.request.session.get(PENDING)
        try:
            response: HttpResponse = super().form_valid(form)
        except IntegrityError:
            self.request.session[PENDING] = pending
            form.add_error("username", gettext("Already taken."))
            return self.form_invalid(form)
        return response


class Connections(FormPage, views.ConnectionsView):
    """Connect and disconnect; the last way into an account stays."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not reauthentication.is_recent(request):
            return reauthentication.ask(request.path)
        response: HttpResponse = super().post(request, *args, **kwargs)
        return response


def begin(request: HttpRequest) -> HttpResponse:
    """Lead to Facebook; to connect it, only a member who proved a moment ago who they are."""
    is_sign_in = get_request_param(request, "process", AuthProcess.LOGIN) == AuthProcess.LOGIN
    if request.user.is_authenticated and not is_sign_in and not reauthentication.is_recent(request):
        return reauthentication.ask(reverse("socialaccount_connections"))
    response: HttpResponse = oauth2_login(request)
    return response


class Cancelled(Page, views.LoginCancelledView):
    pass


class Failed(Page, views.LoginErrorView):
    pass


sign_up = only_with_keys(SignUp.as_view())
connections = only_with_keys(Connections.as_view())
cancelled = only_with_keys(Cancelled.as_view())
error = only_with_keys(Failed.as_view())
facebook_login = only_with_keys(begin)
facebook_callback = only_with_keys(oauth2_callback)
