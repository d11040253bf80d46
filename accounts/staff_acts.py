"""What staff does to rows of the admin: a page asks for the reason first, the log keeps it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.widgets import AdminTextInputWidget
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.gate import writing
from accounts.models import User
from accounts.owner import owner_of

Text = str | Promise

if TYPE_CHECKING:
    Base = ModelAdmin[Any]
else:
    Base = object


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        help_text=_("For the log; the member does not see it."),
        widget=AdminTextInputWidget,
    )


class ToldReasonForm(ReasonForm):
    """Where the member is told why."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("For the log, and for the member, who reads it.")


def _reaches_all(request: HttpRequest, row: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Act:
    """What is done to each row, and how it is said.

    `do` gets the row, who does it, the answers of `form` and the time. It calls a service, and
    says whether that changed anything. Of the rows it `reaches` only some, where it does not reach
    all; `refusal` is said when it reaches none. `log` is the line of the log, with the names of
    the form's fields in braces.
    """

    name: str
    permission: str
    do: Callable[[Any, User, dict[str, Any], datetime], bool]
    button: Text
    title: Text
    warning: Text
    log: str
    form: type[ReasonForm] = ReasonForm
    reaches: Callable[[HttpRequest, Any], bool] = _reaches_all
    refusal: Text = ""
    label: Callable[[Any], str] = str


class WithActs(Base):
    """Mixed in before an admin: its `acts` are actions of the list and buttons of each page."""

    acts: tuple[Act, ...] = ()
    change_form_template = "admin/acting.html"

    def acts_of(self, request: HttpRequest) -> list[Act]:
        assert isinstance(request.user, User)
        return [act for act in self.acts if request.user.has_perm(act.permission)]

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        acts = {act.name: (_answering(act), act.name, act.button) for act in self.acts_of(request)}
        return {**super().get_actions(request), **acts}

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context |= {"acts": self.acts_of(request), "checkbox": ACTION_CHECKBOX_NAME}
        return super().render_change_form(request, context, *args, **kwargs)


def _answering(act: Act) -> Callable[..., HttpResponse | None]:
    def answer(
        model_admin: WithActs, request: HttpRequest, chosen: QuerySet[Any]
    ) -> HttpResponse | None:
        """The page that asks, or after it what the act did."""
        rows = [row for row in chosen if act.reaches(request, row)]
        if not rows:
            messages.warning(request, str(act.refusal))
            return None
        form = act.form(request.POST if "confirmed" in request.POST else None)
        if not form.is_valid():
            return _ask(model_admin, request, rows, act, form)
        _carry_out(model_admin, request, rows, act, form.cleaned_data)
        return None

    return answer


def _ask(
    model_admin: WithActs, request: HttpRequest, rows: list[Any], act: Act, form: ReasonForm
) -> HttpResponse:
    context: dict[str, Any] = {
        **model_admin.admin_site.each_context(request),
        "title": act.title,
        "act": act,
        "rows": [(row.pk, act.label(row)) for row in rows],
        "form": form,
        "opts": model_admin.opts,
        "checkbox": ACTION_CHECKBOX_NAME,
    }
    status = 422 if form.errors else 200
    return TemplateResponse(request, "admin/act.html", context, status=status)


def _carry_out(
    model_admin: WithActs, request: HttpRequest, rows: list[Any], act: Act, said: dict[str, Any]
) -> None:
    """Each act and its line in the log: both or neither."""
    now, staff, done = timezone.now(), owner_of(request), []
    for row in rows:
        with writing():
            if act.do(row, staff, said, now):
                model_admin.log_change(request, row, act.log.format(**said))
                done.append(act.label(row))
    names = ", ".join(done)
    text = gettext("Done: %(names)s.") % {"names": names} if done else gettext("Nothing to do.")
    messages.success(request, text)
