"""Sign-up: the form and its live hints."""

from typing import Any

from allauth.account.internal.flows.login import perform_login
from allauth.account.models import Login
from allauth.account.views import SignupView
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.shared import rate_limits
from accounts.shared.allauth_pages import FormPage
from accounts.signup.forms import CHECKED, SignUpForm
from accounts.signup.services import LoginTaken


@method_decorator(require_http_methods(["GET", "HEAD", "POST"]), name="dispatch")
class SignUp(FormPage, SignupView):
    """Answer the same whether the email is taken or not; only the email differs."""

    template_name = "account/signup.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not rate_limits.allow_wide(request, "signup"):
            return rate_limits.refuse(request, "signup")
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            response: HttpResponse = super().form_valid(form)
        except LoginTaken:
            del form.conditions  # cached before the login was taken
            form.add_error("username", gettext("Already taken."))
            return self.form_invalid(form)
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        """Answer a form that was sent twice as it was answered the first time."""
        made = form.find_made()
        if made is None:
            return super().form_invalid(form)
        again = Login(user=made, redirect_url=self.get_success_url(), signup=True)
        response: HttpResponse = perform_login(self.request, again)
        return response


signup = SignUp.as_view()


@never_cache
@sensitive_post_parameters("password1")
@require_POST
def check(request: HttpRequest) -> HttpResponse:
    """Render the requirements of the field being filled in.

    By POST: typed values must not appear in a URL. The password is judged again when login or
    email change, because it must not resemble them.
    """
    if not rate_limits.allow(request, "signup_check"):
        return HttpResponse(status=429)
    form = SignUpForm(request.POST)
    name = request.headers.get("HX-Trigger-Name")
    if name not in CHECKED:
        return HttpResponse(status=400)
    also = "password1" if name != "password1" and form["password1"].value() else None
    shown = [field for field in form.checked_fields() if field[0].name in (name, also)]
    missing = [condition for condition in form.conditions[name] if condition.is_met is False]
    context = {"name": name, "fields": shown, "unmet": missing}
    return render(request, "forms/_checked.html", context)
