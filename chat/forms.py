"""The form of an appeal."""

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class AppealForm(forms.Form):
    appeal = forms.CharField(
        label=pgettext_lazy("chat", "Your appeal"),
        help_text=_("Say what we should look at again, in up to 500 characters."),
        error_messages={"required": _("Write what we should look at again.")},
        max_length=500,
        widget=forms.Textarea({"rows": 4, "maxlength": 500}),
    )
