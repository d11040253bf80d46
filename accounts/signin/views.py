"""Sign in, sign out, set a new password."""

from typing import Any

from allauth.account import views
from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.internal.flows.password_reset import request_password_reset
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.sessions.unfinished import unfinished_of
from accounts.shared import rate_limits
from accounts.shared.allauth_pages import GONE, FormPage, Page
from accounts.shared.transactions import write_transaction
from accounts.signin import attempts, passwords
from accounts.signin.allauth_adapter import BANNED
from accounts.signin.known_devices import device_of

LIMIT = "sign_in"  # key of ACCOUNT_RATE_LIMITS


class SignIn(FormPage, views.LoginView):
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Limit attempts for a network; a known device has limits of its own."""
        is_known = device_of(request, request.POST.get("login", "")) is not None
        if not is_known and not rate_limits.allow(request, LIMIT):
            return rate_limits.refuse(request, LIMIT)
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response


class AskReset(FormPage, views.PasswordResetView):
    """Answer the same whether the account exists or not; only the email differs."""

    def form_valid(self, form: Any) -> HttpResponse:
        limits = attempts.of_reset(self.request, form.cleaned_data["email"])
        try:
            rate_limits.count(self.request, limits)
        except rate_limits.TooMany as error:
            return rate_limits.refuse(self.request, error.limit.action, error.limit.key)
        with write_transaction():
            form.save(self.request)
        return HttpResponseRedirect(self.get_success_url())


class NewPassword(FormPage, views.PasswordResetFromKeyView):
    """The page behind the reset link."""

    def form_valid(self, form: Any) -> HttpResponse:
        user = self.reset_user
        passwords.renew(user, form.cleaned_data["password1"], timezone.now())
        get_adapter().forget_failures(self.request, user)
        if self.request.user == user:
            update_session_auth_hash(self.request, user)  # this browser stays signed in
        return HttpResponseRedirect(self.get_success_url())

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        if context.get("token_fail"):
            kwargs["status"] = GONE
        response: HttpResponse = super().render_to_response(context, **kwargs)
        return response


class SignOut(Page, views.LogoutView):
    """Ask once more if activities continue without the member."""

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        context = self.get_context_data()
        if context["unfinished"] and "confirmed" not in self.request.POST:
            return self.render_to_response(context)
        response: HttpResponse = super().post(*args, **kwargs)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "unfinished": unfinished_of(self.request)}


class Banned(Page, views.AccountInactiveView):
    """Show the decisions about a banned account once, to an owner who just proved who they are."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        banned_id = self.request.session.pop(BANNED, None)
        return {**super().get_context_data(**kwargs), "banned_id": banned_id}


class ResetAsked(Page, views.PasswordResetDoneView):
    pass


class PasswordIsNew(Page, views.PasswordResetFromKeyDoneView):
    pass


login = SignIn.as_view()
logout = SignOut.as_view()
inactive = never_cache(Banned.as_view())
password_reset = AskReset.as_view()
password_reset_done = ResetAsked.as_view()
password_reset_from_key = NewPassword.as_view()
password_reset_from_key_done = PasswordIsNew.as_view()


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change_password(request: HttpRequest) -> HttpResponse:
    """Email a reset link to the member: an open browser alone must not change the password."""
    user = request.user
    email = EmailAddress.objects.filter(user_id=user.pk, verified=True, primary=True).first()
    if request.method != "POST" or email is None:
        return render(request, "account/password_change.html", {"email": email})
    if not rate_limits.allow(request, "change_password"):
        return rate_limits.refuse(request, "change_password")
    with write_transaction():
        request_password_reset(request, email.email, [user], default_token_generator)
    text = gettext("We sent an email to %(email)s. Its link is valid for one hour and works once.")
    messages.success(request, text % {"email": email.email})
    return redirect("account_change_password")
