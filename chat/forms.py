"""The forms of an appeal and of a report about a member, and their field for long texts."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from chat.models import PlayerReport


class TextField(forms.CharField):
    """A text in which each line break counts as one character, as in the browser."""

    def to_python(self, value: Any) -> Any:
        return (super().to_python(value) or "").replace("\r\n", "\n")


class AppealForm(forms.Form):
    appeal = TextField(
        label=pgettext_lazy("chat", "Your appeal"),
        help_text=_("Say what we should look at again, in up to 500 characters."),
        error_messages={"required": _("Write what we should look at again.")},
        max_length=500,
        widget=forms.Textarea({"rows": 4, "maxlength": 500}),
    )


class PlayerReportForm(forms.Form):
    cause = forms.ChoiceField(
        label=_("What is it about?"),
        choices=[("", _("Choose")), *PlayerReport.Cause.choices],
        error_messages={"required": _("Choose what it is about.")},
    )
    text = TextField(
        label=_("Details"),
        help_text=_("What happened, and where? Optional, up to 500 characters."),
        required=False,
        max_length=500,
        widget=forms.Textarea({"rows": 4, "maxlength": 500}),
    )
