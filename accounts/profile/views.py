"""The member's own profile: one page, one Save."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import selectors
from accounts.profile import picture_checks, services
from accounts.profile.forms import ProfileForm, TableForm
from accounts.profile.themes import remember_theme
from accounts.shared.current_user import current_user
from accounts.shared.refusals import Refused


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest) -> HttpResponse:
    user = current_user(request)
    data = request.POST if request.method == "POST" else None
    form = ProfileForm(data, profile=user.profile, preferences=user.preferences)
    table_form = TableForm(data, preferences=user.preferences)
    if data is not None and form.is_valid() and table_form.is_valid():
        return _save(request, form, table_form)
    return show_page(request, form, table_form)


def show_page(
    request: HttpRequest, form: ProfileForm, table_form: TableForm, **more: Any
) -> HttpResponse:
    """Render the profile page; status 422 when anything was refused."""
    user = current_user(request)
    context = {
        "form": form,
        "table_form": table_form,
        "profile": selectors.profile_of(user.pk),
        "email": masked(user.email),
        "removed_picture": picture_checks.find_unseen(user.pk),
        "blocked": selectors.blocked_by(user.pk),
        **more,
    }
    is_refused = form.errors or table_form.errors or more.get("upload_error")
    return render(request, "profile/profile.html", context, status=422 if is_refused else 200)


def _save(request: HttpRequest, form: ProfileForm, table_form: TableForm) -> HttpResponse:
    chosen = form.preference_fields | table_form.changed
    response = HttpResponseRedirect(reverse("people:profile"), status=303)
    try:
        services.save(current_user(request).pk, form.profile_fields, chosen, form.keeps_picture)
    except Refused:  # closed meanwhile, and so signed out: the page leads to the sign-in
        return response
    if "language" in chosen:
        # config/middleware.py stores the language in its cookie.
        request.members_language = chosen["language"]  # type: ignore[attr-defined]
    with override(chosen.get("language", get_language())):
        messages.success(request, gettext("Your profile is saved."))
    if "theme" in chosen:
        remember_theme(request, response, chosen["theme"])
    return response


def masked(email: str) -> str:
    """Mask an email address so that its owner recognizes it and an onlooker cannot read it."""
    name, at, domain = email.partition("@")
    return f"{name[:1]}•••{at}{domain}" if at else ""
