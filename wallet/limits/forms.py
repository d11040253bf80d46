"""The forms of a member's own limits and breaks."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from accounts.shared.reauthentication import OwnPasswordForm
from wallet.forms import CreditsField
from wallet.limits.overview import LimitLine
from wallet.limits.rules import REMINDERS, SESSIONS, Kind

MOST = 1_000_000_000  # credits: the highest limit
REMINDER_LABEL = gettext_lazy("Remind me of the time after")


class LimitsForm(forms.Form):
    """All limits and the reminder; an empty field means no limit."""

    def __init__(self, data: Any, *, lines: Mapping[Kind, LimitLine], reminder: int) -> None:
        initial = {kind.value: line.wished for kind, line in lines.items()}
        super().__init__(data, initial={**initial, "reminder": reminder})
        for kind in lines:
            self.fields[kind.value] = _session() if kind is Kind.SESSION else _amount(kind)
        self.fields["reminder"] = _reminder()
        for name, field in self.fields.items():
            # The page sends back the value that it showed, with which `changed_data` compares.
            field.show_hidden_initial = data is None or f"initial-{name}" in data

    @property
    def wanted(self) -> dict[Kind, int | None]:
        """Return the limits of a valid form that the member has changed on the page.

        Another tab may have changed the others since the page was shown.
        """
        chosen, changed = self.cleaned_data, self.changed_data
        return {kind: chosen[kind.value] for kind in Kind if kind.value in changed}

    @property
    def wanted_reminder(self) -> int | None:
        """Return the minutes of a valid form; None if the member has not changed them."""
        minutes: int = self.cleaned_data["reminder"]
        return minutes if "reminder" in self.changed_data else None


class BreakForm(OwnPasswordForm):
    """A break, confirmed by a box and, if the member has one, by the password."""

    understood = forms.BooleanField(
        label=gettext_lazy("I understand that nobody can end this early, not even our team."),
        error_messages={"required": gettext_lazy("Please confirm that you have read this.")},
    )

    def __init__(self, data: Any, *, user: User) -> None:
        super().__init__(data, user=user)
        self.order_fields(["understood", "password"])
        if not user.has_usable_password():
            del self.fields["password"]


def minutes_text(minutes: int) -> str:
    text = ngettext("%(minutes)d minute", "%(minutes)d minutes", minutes)
    return text % {"minutes": minutes}


def _amount(kind: Kind) -> CreditsField:
    return CreditsField(
        label=kind.label,
        required=False,
        min_value=0,
        max_value=MOST,
        widget=forms.NumberInput({"inputmode": "numeric", "placeholder": _("no limit")}),
    )


def _session() -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        label=Kind.SESSION.label,
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", _("no limit")), *_minutes(SESSIONS)],
    )


def _reminder() -> forms.TypedChoiceField:
    choices = [*_minutes(REMINDERS), (0, _("never"))]
    return forms.TypedChoiceField(label=REMINDER_LABEL, coerce=int, choices=choices)


def _minutes(numbers: Sequence[int]) -> list[tuple[int, str]]:
    return [(number, minutes_text(number)) for number in numbers]
