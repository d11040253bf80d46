"""Staff actions in the admin: ask for a reason, confirm, write, log.

A `StaffAction` changes any number of rows of a list after one confirmation page. A
`PreviewedAction` changes one row on a page of its own, which shows the consequences first.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.widgets import AdminTextInputWidget
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.shared.current_user import current_user
from accounts.shared.staff import reasons
from accounts.shared.transactions import write_transaction

Text = str | Promise
Answers = dict[str, Any]
Apply = Callable[[Any, User, Answers, datetime], bool]
UserIds = Collection[int | None]

if TYPE_CHECKING:
    Base = ModelAdmin[Any]
else:
    Base = object


class ReasonForm(forms.Form):
    """The reason of a decision: a ready reason of its `occasion`, or the words of the staff."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=reasons.LONGEST,
        help_text=_("For the log only; the member does not see it."),
        widget=AdminTextInputWidget,
    )

    def __init__(self, *args: Any, occasion: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        found = reasons.choices(occasion) if occasion else []
        if found:
            ready = forms.ChoiceField(
                label=_("Ready reason"),
                choices=[("", _("My own words")), *found],
                required=False,
                help_text=_(
                    "It is written in the languages of the members concerned, as far as they fit."
                ),
            )
            self.fields = {"ready": ready, **self.fields}
            self.fields["reason"].required = False

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if "ready" in self.fields and not given.get("ready") and not given.get("reason"):
            self.add_error("reason", _("Choose a ready reason, or write your own."))
        return given


class PublicReasonForm(ReasonForm):
    """A reason that the member reads too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("For the log and for the member, who can read it.")


def _applies_to_all(request: HttpRequest, row: Any) -> bool:
    return True


def _concerns_nobody(row: Any) -> UserIds:
    return ()


def _never(answers: Answers) -> bool:
    return False


def _itself(row: Any) -> Any:
    return row


@dataclass(frozen=True, slots=True)
class StaffAction:
    """A change that staff make to the chosen rows of a list.

    `apply` calls a service and returns whether it changed anything. Rows for which `applies_to`
    is false are skipped; `refusal` is shown when none remains. `apply` may raise ValidationError:
    its text is shown, and nothing of that row has changed. `log` is the admin's log line, a format
    string over the fields of `form`.

    `concerns` returns the ids of the users whom the decision favors or harms. Staff, including
    superusers, cannot decide about themselves: another member of the staff must. `readers` returns
    the ids of those in whose languages a ready reason is written, by default those of `concerns`.
    """

    name: str
    permission: str
    apply: Apply
    button: Text
    title: Text
    warning: Text
    log: str
    form: type[ReasonForm] = ReasonForm
    applies_to: Callable[[HttpRequest, Any], bool] = _applies_to_all
    refusal: Text = ""
    label: Callable[[Any], str] = str
    concerns: Callable[[Any], UserIds] = _concerns_nobody
    readers: Callable[[Any], UserIds] | None = None
    occasion: str = ""


@dataclass(frozen=True, slots=True)
class PreviewedAction:
    """A change that staff make to one row, at the admin URL `<id>/<name>/`.

    `preview` takes the row and the valid answers, None before there are any, and returns the
    consequences, which `template` shows. `check` takes the row and the consequences and raises
    ValidationError for what would be refused, so that staff need not confirm in vain. `apply`
    raises it too; its service writes the log line. `prepare` takes the form and the row and fits
    the form to the row. `follow` takes the row of the URL and returns the row to change. The
    template may offer the button `confirmed` in the first form too, which skips the preview;
    `needs_preview` returns whether these answers need the preview all the same.
    """

    name: str
    permission: str
    rows: Callable[[], QuerySet[Any]]
    form: type[forms.Form]
    preview: Callable[[Any, Answers | None], list[Any]]
    apply: Callable[[Any, User, Answers, datetime], Any]
    title: Callable[[Any], str]
    success: Text
    template: str
    check: Callable[[Any, list[Any]], None] | None = None
    prepare: Callable[[Any, Any], None] | None = None
    needs_preview: Callable[[Answers], bool] = _never
    follow: Callable[[Any], Any] = _itself


class StaffActionsMixin(Base):
    """Offer `staff_actions` in the list and on each row's page, and `previewed_actions` by URL.

    List it before ModelAdmin in the bases. Staff see only the actions that their permissions allow,
    and on the page of a row only those that apply to it.
    """

    staff_actions: tuple[StaffAction, ...] = ()
    previewed_actions: tuple[PreviewedAction, ...] = ()
    change_form_template = "admin/staff_actions_form.html"

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        own = {
            action.name: (_list_action(action), action.name, action.button)
            for action in self._allowed_staff_actions(request)
        }
        return {**super().get_actions(request), **own}

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Refuse a staff action without its permission; Django would just show the list again."""
        asked = request.POST.getlist("action")
        for action in self.staff_actions:
            if action.name in asked and not request.user.has_perm(action.permission):
                raise PermissionDenied
        return super().changelist_view(request, extra_context)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Handle a POST inside `write_transaction`, as services do.

        Django begins a transaction of its own before it calls `save_model`. On SQLite that
        transaction would hold the write lock while a service inside it waits for its turn in
        `write_transaction`. The service whose turn it is would wait for the write lock: a deadlock.
        """
        if request.method != "POST":
            return super().changeform_view(request, *args, **kwargs)
        with write_transaction():
            return super().changeform_view(request, *args, **kwargs)

    def get_urls(self) -> list[URLPattern]:
        own = [
            path(
                f"<int:object_id>/{action.name}/",
                self.admin_site.admin_view(partial(_show_previewed, self, action)),
                name=f"{self.opts.app_label}_{self.opts.model_name}_{action.name}",
            )
            for action in self.previewed_actions
        ]
        return [*own, *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        row = context.get("original")
        context |= {
            "staff_actions": [
                action
                for action in self._allowed_staff_actions(request)
                if row is None or action.applies_to(request, row)
            ],
            "previewed_actions": [
                action.name
                for action in self.previewed_actions
                if request.user.has_perm(action.permission)
            ],
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return super().render_change_form(request, context, *args, **kwargs)

    def _allowed_staff_actions(self, request: HttpRequest) -> list[StaffAction]:
        return [action for action in self.staff_actions if request.user.has_perm(action.permission)]


def _list_action(action: StaffAction) -> Callable[..., HttpResponse | None]:
    def answer(
        model_admin: StaffActionsMixin, request: HttpRequest, chosen: QuerySet[Any]
    ) -> HttpResponse | None:
        """Return the confirmation page, or None after the action was carried out or refused."""
        rows = [row for row in chosen if action.applies_to(request, row)]
        if not rows:
            # An action that applies to all rows has no refusal: here all its rows were deleted.
            messages.warning(request, str(action.refusal) or gettext("Nothing to change."))
            return None
        rows = _without_own(request, rows, action)
        if not rows:
            return None
        data = request.POST if "confirmed" in request.POST else None
        form = action.form(data, occasion=action.occasion)
        if not form.is_valid():
            return _ask(model_admin, request, rows, action, form)
        _carry_out(model_admin, request, rows, action, form.cleaned_data)
        return None

    return answer


def _without_own(request: HttpRequest, rows: list[Any], action: StaffAction) -> list[Any]:
    """Return the rows that do not concern the member of the staff; name the others on the page."""
    own = [row for row in rows if request.user.pk in action.concerns(row)]
    if own:
        names = ", ".join(map(action.label, own))
        text = gettext(
            "%(names)s: you are involved yourself. Another member of the staff has to decide."
        )
        messages.warning(request, text % {"names": names})
    return [row for row in rows if row not in own]


def _ask(
    model_admin: StaffActionsMixin,
    request: HttpRequest,
    rows: list[Any],
    action: StaffAction,
    form: ReasonForm,
) -> HttpResponse:
    context: dict[str, Any] = {
        **model_admin.admin_site.each_context(request),
        "title": action.title,
        "action": action,
        "rows": [(row.pk, action.label(row)) for row in rows],
        "form": form,
        "opts": model_admin.opts,
        "checkbox": ACTION_CHECKBOX_NAME,
    }
    status = 422 if form.errors else 200
    return TemplateResponse(request, "admin/confirm_staff_action.html", context, status=status)


def _carry_out(
    model_admin: StaffActionsMixin,
    request: HttpRequest,
    rows: list[Any],
    action: StaffAction,
    answers: Answers,
) -> None:
    """Change each row and write its log line in one transaction per row."""
    now, staff = timezone.now(), current_user(request)
    done, refused = [], False
    for row in rows:
        given = _with_reason(action, row, answers)
        try:
            with write_transaction():
                if action.apply(row, staff, given, now):
                    model_admin.log_change(request, row, action.log.format(**given))
                    done.append(action.label(row))
        except ValidationError as refusal:
            refused = True
            messages.error(request, f"{action.label(row)}: {' '.join(refusal.messages)}")
    if done:
        messages.success(request, gettext("Done: %(names)s.") % {"names": ", ".join(done)})
    elif not refused:
        messages.success(request, gettext("Nothing to change."))


def _with_reason(action: StaffAction, row: Any, answers: Answers) -> Answers:
    """Put the chosen ready reason in the place of the reason, unless staff wrote their own."""
    if not answers.get("ready") or answers["reason"]:
        return answers
    readers = (action.readers or action.concerns)(row)
    text = reasons.text_for(action.occasion, answers["ready"], readers)
    return {**answers, "reason": text}


def _show_previewed(
    model_admin: StaffActionsMixin, action: PreviewedAction, request: HttpRequest, object_id: int
) -> HttpResponse:
    """Show the form, then the consequences, then carry the confirmed action out."""
    if not request.user.has_perm(action.permission):
        raise PermissionDenied
    row = action.follow(get_object_or_404(action.rows(), pk=object_id))
    form = action.form(request.POST or None)
    if action.prepare is not None:
        action.prepare(form, row)
    consequences = action.preview(row, form.cleaned_data if form.is_valid() else None)
    if form.is_valid() and "edit" not in request.POST:
        try:
            if "confirmed" in request.POST and not action.needs_preview(form.cleaned_data):
                with write_transaction():
                    action.apply(row, current_user(request), form.cleaned_data, timezone.now())
                messages.success(request, str(action.success))
                opts = model_admin.opts
                return redirect(f"admin:{opts.app_label}_{opts.model_name}_change", row.pk)
            if action.check is not None:
                action.check(row, consequences)
        except ValidationError as refusal:
            form.add_error(None, refusal)
    context: dict[str, Any] = {
        **model_admin.admin_site.each_context(request),
        "title": action.title(row),
        "opts": model_admin.opts,
        "target": row,
        "form": form,
        "changes": consequences,
        "asks": form.is_valid() and "edit" not in request.POST,
    }
    status = 422 if form.errors else 200
    return TemplateResponse(request, action.template, context, status=status)
