"""Add an email to an account that came without one."""

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.shared import rate_limits
from accounts.shared.allauth_pages import GONE, UNPROCESSABLE
from accounts.shared.current_user import current_user
from accounts.shared.rate_limits import TooMany
from accounts.shared.reauthentication import ask, is_recent
from accounts.signup.forms import NewAddressForm
from accounts.social import added_email


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest) -> HttpResponse:
    """Ask for the address; redirect an account that has one."""
    user = current_user(request)
    if user.email:
        return redirect("account_change_password")
    if not is_recent(request):
        typed = urlencode({"email": request.POST.get("email", "")})
        return ask(f"{request.path}?{typed}" if request.method == "POST" else request.path)
    form = NewAddressForm(request.POST or None, initial={"email": request.GET.get("email")})
    if request.method != "POST":
        return render(request, "account/add_email.html", {"form": form})
    if not form.is_valid():
        return render(request, "account/add_email.html", {"form": form}, status=UNPROCESSABLE)
    email = form.cleaned_data["email"]
    try:
        added_email.offer(request, user, email)
    except TooMany as error:
        return rate_limits.refuse(request, error.limit.action, error.limit.key)
    text = gettext("We sent an email to %(email)s. Open its link to confirm the address.")
    messages.success(request, text % {"email": email})
    return redirect("account_add_email")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm by POST only: GET shows a button, since email programs open links by themselves."""
    try:
        if request.method == "POST":
            added_email.confirm(token)
            messages.success(request, gettext("Your email is confirmed."))
            return redirect("account_change_password")
        user, email = added_email.read(token)
    except added_email.DeadLink:
        return render(request, "account/add_email_confirm.html", {"is_dead": True}, status=GONE)
    context = {"owner": user, "email": email}
    return render(request, "account/add_email_confirm.html", context)
