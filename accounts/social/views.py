"""Sign-in through other sites; a site without keys answers 404."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.socialaccount import views
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.facebook import views as facebook
from allauth.socialaccount.providers.google import views as google
from allauth.socialaccount.providers.vk import views as vk
from allauth.socialaccount.providers.yandex import views as yandex
from allauth.utils import get_request_param
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext

from accounts.shared import reauthentication
from accounts.shared.allauth_pages import FormPage, Page
from accounts.shared.own_urls import with_return
from accounts.social import apple, sites, telegram

View = Callable[..., HttpResponse]
PENDING = "socialaccount_sociallogin"  # allauth's session key: the sign-up that waits for a login
# For each site, the view that leads to it and the view that receives its answer.
STEPS: dict[str, tuple[View, View]] = {
    "apple": (apple.login, apple.answer),
    "facebook": (facebook.oauth2_login, facebook.oauth2_callback),
    "google": (google.oauth2_login, google.oauth2_callback),
    "telegram": (telegram.login, telegram.answer),
    "vk": (vk.oauth2_login, vk.oauth2_callback),
    "yandex": (yandex.oauth2_login, yandex.oauth2_callback),
}


def only_with_keys(view: View, code: str = "") -> View:
    """Answer 404 if the site of this code (or, without a code, every site) has no keys."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not (sites.is_on(code) if code else settings.SOCIALACCOUNT_PROVIDERS):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


class SignUp(FormPage, views.SignupView):
    """Choose the login; a concurrent choice of the same login is an error on the form.

    A person who has meanwhile signed up on another device is led to the sign-in: this form would
    refuse every login.
    """

    def form_valid(self, form: Any) -> HttpResponse:
        pending = self.request.session.get(PENDING)
        try:
            response: HttpResponse = super().form_valid(form)
        except IntegrityError:
            account = form.sociallogin.account
            if SocialAccount.objects.filter(provider=account.provider, uid=account.uid).exists():
                return _lead_to_sign_in(self.request, form.sociallogin)
            self.request.session[PENDING] = pending
            form.add_error("username", gettext("Already taken."))
            return self.form_invalid(form)
        return response


def _lead_to_sign_in(request: HttpRequest, sociallogin: SocialLogin) -> HttpResponse:
    """Redirect to the sign-in, which leads to where the person wanted to go, and say why."""
    text = gettext("You have already signed up with %(site)s. Sign in with it now.")
    messages.info(request, text % {"site": sites.name_of(sociallogin.account.provider)})
    address, back = reverse("account_login"), sociallogin.get_redirect_url(request)
    return redirect(with_return(address, back) if back else address)


class Connections(FormPage, views.ConnectionsView):
    """Connect and disconnect sites; the last way of signing in stays."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not reauthentication.is_recent(request):
            return reauthentication.ask(request.path)
        response: HttpResponse = super().post(request, *args, **kwargs)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        connected = {account.provider for account in context["form"].accounts}
        context["others"] = [site for site in sites.sites_on() if site.code not in connected]
        return context


def begin(code: str) -> View:
    """Return the view that leads to a site; to connect it, members prove again who they are."""
    lead = STEPS[code][0]

    def view(request: HttpRequest) -> HttpResponse:
        is_sign_in = get_request_param(request, "process", AuthProcess.LOGIN) == AuthProcess.LOGIN
        is_member = request.user.is_authenticated
        if is_member and not is_sign_in and not reauthentication.is_recent(request):
            return reauthentication.ask(reverse("socialaccount_connections"))
        return lead(request)

    return only_with_keys(view, code)


def answer(code: str) -> View:
    """Return the view that a site sends people back to."""
    return only_with_keys(STEPS[code][1], code)


class Cancelled(Page, views.LoginCancelledView):
    pass


class Failed(Page, views.LoginErrorView):
    pass


sign_up = only_with_keys(SignUp.as_view())
connections = only_with_keys(Connections.as_view())
cancelled = only_with_keys(Cancelled.as_view())
error = only_with_keys(Failed.as_view())
