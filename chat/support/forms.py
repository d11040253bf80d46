"""The forms of a request and of a further message."""

from typing import Any
from uuid import UUID, uuid4, uuid5

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.signup.login_rules import EMAIL_RULE, normalize_email
from chat.forms import TextField
from chat.support.services import MAX_TEXT


def _text(label: Any, rows: int) -> forms.CharField:
    return TextField(
        label=label,
        max_length=MAX_TEXT,
        error_messages={"required": _("Write your message.")},
        widget=forms.Textarea({"rows": rows, "maxlength": MAX_TEXT}),
    )


def once_of(given: dict[str, Any]) -> UUID:
    """Return an id made from the form's id (`once`) and the text and address written in the form.

    If the response gets lost, the same form may be sent again with another text or address, which
    is another message. A form must declare `once` as its last field, since fields are cleaned in
    order and the id needs the cleaned values of the others.
    """
    written = f"{given.get('email', '')} {given.get('text', '')}"
    return uuid5(given["once"], written)


class ReplyForm(forms.Form):
    """A further message. `once` is random for each form; a form sent twice is one message."""

    text = _text(pgettext_lazy("support", "Your message"), 5)
    once = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def clean_once(self) -> UUID:
        return once_of(self.cleaned_data)


class QuestionForm(forms.Form):
    """A request; somebody without an account gives an address for the answer."""

    email = forms.EmailField(
        label=_("Your email"),
        max_length=254,
        help_text=_("We send the answer there, and a link to your request."),
        error_messages={"required": _("Enter an email address for our answer.")},
        widget=forms.EmailInput({"autocomplete": "email"}),
    )
    text = _text(pgettext_lazy("support", "Your message"), 8)
    attaches = forms.BooleanField(label=_("Send these details too"), required=False, initial=True)
    once = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def __init__(self, *args: Any, is_member: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].help_text = _(
            "What happened, when, and what did you expect? Never send your password."
        )
        if is_member:
            del self.fields["email"]

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        EMAIL_RULE(email)
        return normalize_email(email)

    def clean_once(self) -> UUID:
        return once_of(self.cleaned_data)
