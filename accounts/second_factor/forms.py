"""The form for a code of the authenticator app, or a recovery code."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

LONGEST_CODE = 40  # characters; people may type a recovery code in groups with spaces
WRONG = _("This code is wrong or has expired. Enter the latest one.")


class CodeForm(forms.Form):
    code = forms.CharField(
        label=_("Code"),
        max_length=LONGEST_CODE,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "one-time-code",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
        error_messages={"required": _("Enter the code.")},
    )

    def __init__(self, data: Any = None, *, hint: Any = "") -> None:
        super().__init__(data)
        self.fields["code"].help_text = hint

    def refuse(self) -> None:
        self.add_error("code", forms.ValidationError(WRONG, code="wrong"))
