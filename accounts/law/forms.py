"""The box by which people accept the terms."""

from datetime import date
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.law.versions import current_version


class AcceptanceField(forms.CharField):
    """A box whose value is the shown version; `clean` refuses it once a newer one is in force."""

    default_error_messages = {
        "required": _("Please read and accept the terms."),
        "changed": _("The terms have just changed. Please look at them again."),
    }

    @property
    def version(self) -> str:
        return current_version().isoformat()

    def clean(self, value: Any) -> date:
        shown: str = super().clean(value)
        if shown != self.version:
            raise forms.ValidationError(self.error_messages["changed"], code="changed")
        return date.fromisoformat(shown)


class AcceptanceForm(forms.Form):
    accepts = AcceptanceField()


def ask_in(form: forms.Form) -> None:
    """Add the box to a form of sign-up, if the site asks people to accept the terms."""
    if settings.ASK_TO_ACCEPT_TERMS:
        form.fields["accepts"] = AcceptanceField()
