"""Barring in the admin: a page asks for the reason first, the log keeps it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.widgets import AdminTextInputWidget
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services import members


@dataclass(frozen=True, slots=True)
class Step:
    """What is done to each account, and how it is said."""

    name: str
    do: Callable[[int], bool]
    title: str | Promise
    warning: str | Promise
    log: str


BAR = Step(
    "bar",
    members.bar,
    _("Bar these accounts?"),
    _("Nobody can sign in to them any more; who is signed in is signed out at once."),
    "Barred: {reason}",
)
UNBAR = Step(
    "unbar",
    members.unbar,
    _("Let these accounts in again?"),
    _("Their members can sign in again, with the password they had."),
    "Let in again: {reason}",
)


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        help_text=_("For the log; the member does not see it."),
        widget=AdminTextInputWidget,
    )


def answer(
    model_admin: "admin.ModelAdmin[User]", request: HttpRequest, chosen: QuerySet[User], step: Step
) -> HttpResponse | None:
    """The page that asks, or after it what the action did."""
    form = ReasonForm(request.POST if "confirmed" in request.POST else None)
    users = [user for user in chosen if _may(request, user)]
    if not users:
        text = gettext("Not yours to do: your own account, other staff, closed accounts.")
        messages.warning(request, text)
        return None
    if not form.is_valid():
        return _ask(model_admin, request, users, step, form)
    _carry_out(model_admin, request, users, step, form.cleaned_data["reason"])
    return None


def _may(request: HttpRequest, user: User) -> bool:
    """Not oneself, not what is closed; staff only by a superuser."""
    if user.closed_at or user.pk == request.user.pk:
        return False
    return bool(request.user.is_superuser) or not (user.is_staff or user.is_superuser)


def _ask(
    model_admin: "admin.ModelAdmin[User]",
    request: HttpRequest,
    users: list[User],
    step: Step,
    form: ReasonForm,
) -> HttpResponse:
    context: dict[str, Any] = {
        **model_admin.admin_site.each_context(request),
        "title": step.title,
        "step": step,
        "users": users,
        "form": form,
        "opts": model_admin.opts,
        "checkbox": ACTION_CHECKBOX_NAME,
    }
    status = 422 if form.errors else 200
    return TemplateResponse(request, "admin/accounts/user/barring.html", context, status=status)


def _carry_out(
    model_admin: "admin.ModelAdmin[User]",
    request: HttpRequest,
    users: list[User],
    step: Step,
    reason: str,
) -> None:
    done = [user for user in users if step.do(user.pk)]
    for user in done:
        model_admin.log_change(request, user, step.log.format(reason=reason))
    names = ", ".join(user.get_username() for user in done)
    text = gettext("Done: %(names)s.") % {"names": names} if done else gettext("Nothing to do.")
    messages.success(request, text)
