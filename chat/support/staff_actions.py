"""Staff actions on requests to support."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib.admin.widgets import AdminTextareaWidget, AdminTextInputWidget
from django.core.exceptions import ValidationError
from django.db.models import Case, QuerySet, When
from django.http import Http404, HttpRequest, QueryDict
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.staff.actions import Answers, PreviewedAction, ReasonForm, StaffAction
from chat.forms import TextField
from chat.models import AnswerPreset, Ticket, TicketMessage
from chat.support import handling, selectors
from chat.support.forms import once_of

PERMISSION = "chat.change_ticket"
MAX_ANSWER = 4000  # characters
NEWER = _("A new message has arrived since you opened this page. Read it first.")


class WithoutReason(ReasonForm):
    reason = None  # type: ignore[assignment]  # so a form drops the field of its base


class AssignForm(WithoutReason):
    to = forms.ModelChoiceField(
        label=_("To whom"),
        queryset=User.objects.none(),
        required=False,
        empty_label=pgettext_lazy("to whom", "Nobody"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["to"]
        assert isinstance(field, forms.ModelChoiceField)
        able = User.objects.with_perm("chat.change_ticket").filter(is_staff=True, is_active=True)
        field.queryset = able.order_by("username")


class CloseForm(ReasonForm):
    """A reason. `newest` is the newest message of all requests when staff chose these."""

    newest = forms.IntegerField(
        widget=forms.HiddenInput, required=False, initial=selectors.newest_message
    )


class MergeForm(WithoutReason):
    into = forms.CharField(
        label=_("Number of the other request"),
        max_length=12,
        help_text=_("The messages of both become one request, and the sender is redirected to it."),
        widget=AdminTextInputWidget,
    )


class PresetField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.language}: {obj.name}"


class AnswerForm(forms.Form):
    """A typed answer, or a ready one, which is put into the text field if that is empty.

    `messages` are the request's messages now. `shown` is the number of messages on the page that
    sent the form. The page lacks later messages, and those of a request that was merged into this
    one meanwhile.
    """

    messages: Collection[TicketMessage] = ()
    has_newer = False

    preset = PresetField(
        label=_("Ready answer"),
        queryset=AnswerPreset.objects.all(),
        required=False,
        help_text=_("It is put into the text, if that is empty: you see it before it is sent."),
    )
    text = TextField(
        label=_("Answer"),
        required=False,
        max_length=MAX_ANSWER,
        widget=AdminTextareaWidget({"rows": 12}),
    )
    closes = forms.BooleanField(label=_("Close the request with this answer"), required=False)
    once = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    shown = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if "once" in given:
            given["once"] = once_of(given)
        is_sent = given.get("once") in {each.once for each in self.messages}
        self.has_newer = not is_sent and given.get("shown") not in (None, len(self.messages))
        given |= {"is_unseen": self.has_newer}
        # The page shows these values again, to be confirmed or changed.
        typed = self.data.dict() if isinstance(self.data, QueryDict) else self.data
        self.data = {**typed, "shown": len(self.messages)}
        preset = given.get("preset")
        if not given.get("text") and "text" not in self.errors:
            if preset is None:
                raise ValidationError(_("Write an answer, or choose a ready one."))
            given |= {"text": preset.text, "is_unseen": True}
        self.data = {**self.data, "text": given.get("text", ""), "preset": ""}
        return given


def _assign(ticket: Ticket, staff: User, answers: Answers, now: datetime) -> bool:
    if answers["to"] is not None and answers["to"].pk == ticket.user_id:
        raise ValidationError(_("A request cannot be assigned to its sender."))
    return handling.assign(ticket, answers["to"])


def _take(ticket: Ticket, staff: User, answers: Answers, now: datetime) -> bool:
    return handling.assign(ticket, staff)


def _close(ticket: Ticket, staff: User, answers: Answers, now: datetime) -> bool:
    try:
        return handling.close(ticket, newest=answers["newest"])
    except Refused as refusal:
        raise ValidationError(NEWER) from refusal


def _reopen(ticket: Ticket, staff: User, answers: Answers, now: datetime) -> bool:
    return handling.reopen(ticket)


def _merge(ticket: Ticket, staff: User, answers: Answers, now: datetime) -> bool:
    try:
        return handling.merge(ticket, answers["into"].strip())
    except Refused as refusal:
        raise ValidationError(_MERGE_REFUSALS[refusal.code]) from refusal


_MERGE_REFUSALS = {
    "unknown": _("There is no other request with this number."),
    "other_sender": _("The other request is from somebody else."),
    "merged": _("One of the two has already been merged into another request."),
}


def _sender(ticket: Ticket) -> list[int | None]:
    return [ticket.user_id]


def _is_open(request: HttpRequest, ticket: Ticket) -> bool:
    return ticket.state != Ticket.State.CLOSED


def _is_ended(request: HttpRequest, ticket: Ticket) -> bool:
    return ticket.state != Ticket.State.WAITING and ticket.merged_into_id is None


def _answerable() -> QuerySet[Ticket]:
    return Ticket.objects.select_related("user").prefetch_related("messages__staff")


def _joined(ticket: Ticket) -> Ticket:
    """Return the request itself or, if it was merged, the one that it joined."""
    into = ticket.merged_into_id
    return ticket if into is None else get_object_or_404(_answerable(), pk=into)


def _preview(ticket: Ticket, answers: Answers | None) -> list[Any]:
    """Return the answer as its reader will see it."""
    return [answers["text"]] if answers else []


def _answer(ticket: Ticket, staff: User, answers: Answers, now: datetime) -> None:
    if staff.pk == ticket.user_id:
        raise ValidationError(_("Another member of the staff has to answer your own request."))
    text, once, closes = answers["text"], answers["once"], answers["closes"]
    seen = len(ticket.messages.all())  # fetched for the form, before the request is locked
    try:
        handling.answer(ticket, staff, text, once, now, closes=closes, seen=seen)
    except Refused as refusal:
        if refusal.code == "gone":
            raise Http404 from refusal
        ticket.refresh_from_db()  # with its messages, so that the form shows the new one
        raise ValidationError(NEWER) from refusal


def _fit_to_request(form: Any, ticket: Ticket) -> None:
    """Offer ready answers in the sender's language first; give the form the shown messages."""
    form.messages = ticket.messages.all()
    form.fields["shown"].initial = len(form.messages)
    rank = Case(When(language=ticket.language, then=0), default=1)
    form.fields["preset"].queryset = AnswerPreset.objects.order_by(rank, "language", "name")


def _is_unseen(answers: Answers) -> bool:
    """Return whether there is a ready answer or a newer message that the writer has not seen."""
    return bool(answers["is_unseen"])


def _answer_title(ticket: Ticket) -> str:
    return gettext("Answer %(request)s") % {"request": ticket}


ANSWER = PreviewedAction(
    "answer",
    PERMISSION,
    _answerable,
    AnswerForm,
    preview=_preview,
    apply=_answer,
    title=_answer_title,
    success=_("Your answer is sent."),
    template="admin/chat/answer.html",
    follow=_joined,
    prepare=_fit_to_request,
    needs_preview=_is_unseen,
)
TICKET_ACTIONS = (
    StaffAction(
        "take",
        PERMISSION,
        _take,
        button=_("Take it"),
        title=_("Take these requests?"),
        warning=_("They are yours from now on; others see it in the list."),
        log="Taken",
        form=WithoutReason,
        concerns=_sender,
    ),
    StaffAction(
        "assign",
        PERMISSION,
        _assign,
        button=_("Assign"),
        title=_("Assign these requests?"),
        warning=_("The list shows who answers a request."),
        log="Assigned to {to}",
        form=AssignForm,
        concerns=_sender,
    ),
    StaffAction(
        "merge",
        PERMISSION,
        _merge,
        button=_("Merge"),
        title=_("Merge these requests?"),
        warning=_("Only requests of one sender can be merged. This cannot be undone."),
        log="Merged into {into}",
        form=MergeForm,
        concerns=_sender,
    ),
    StaffAction(
        "close",
        PERMISSION,
        _close,
        button=_("Close the request"),
        title=_("Close these requests?"),
        warning=_(
            "No answer is sent. The sender sees that the request is closed, and can write again."
        ),
        log="Closed: {reason}",
        form=CloseForm,
        applies_to=_is_open,
        refusal=_("They are closed already."),
        concerns=_sender,
    ),
    StaffAction(
        "reopen",
        PERMISSION,
        _reopen,
        button=_("Reopen"),
        title=_("Reopen these requests?"),
        warning=_("They wait for an answer again."),
        log="Reopened",
        form=WithoutReason,
        applies_to=_is_ended,
        refusal=_("They are open already."),
        concerns=_sender,
    ),
)
