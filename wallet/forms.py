"""Forms of the wallet: the statement's filter, a correction, a reversal."""

import re
from datetime import UTC, date, datetime, time
from typing import Any
from uuid import uuid4

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from wallet import causes
from wallet.models import Transfer
from wallet.money import MAX_CREDITS
from wallet.statement import MovementFilter


class CreditsField(forms.IntegerField):
    """Whole credits; refuses "1.000", which Django reads as 1 and many people write for 1000."""

    re_decimal = re.compile("(?!)")  # Django cuts off the part that matches: nothing


class StatementForm(forms.Form):
    """The statement's filter, sent by GET so that its URL can be bookmarked."""

    cause = forms.ChoiceField(label=pgettext_lazy("credits", "Cause"), required=False)
    direction = forms.ChoiceField(
        label=pgettext_lazy("credits", "Direction"),
        required=False,
        choices=[
            ("", pgettext_lazy("credits", "In and out")),
            ("in", pgettext_lazy("credits", "In")),
            ("out", pgettext_lazy("credits", "Out")),
        ],
    )
    since = forms.DateField(
        label=pgettext_lazy("date", "From"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    until = forms.DateField(
        label=pgettext_lazy("date", "To"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._groups = {group.code: group for group in causes.groups()}
        cause = self.fields["cause"]
        assert isinstance(cause, forms.ChoiceField)
        everything = ("", pgettext_lazy("credits", "All causes"))
        cause.choices = [everything, *((code, group.title) for code, group in self._groups.items())]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", _("This day is earlier than the start day."))
        return cleaned

    @property
    def is_used(self) -> bool:
        """Return whether a valid form filters anything."""
        return any(self.cleaned_data.values())

    @property
    def movement_filter(self) -> MovementFilter:
        """Convert a valid form; days are in the reader's time zone and the last one is included."""
        cleaned = self.cleaned_data
        since, until = cleaned["since"], cleaned["until"]
        return MovementFilter(
            group=self._groups.get(cleaned["cause"]),
            is_incoming={"in": True, "out": False}.get(cleaned["direction"]),
            since=_aware(since, time.min) if since else None,
            until=_aware(until, time.max) if until else None,
        )


def _aware(day: date, moment: time) -> datetime | None:
    """Return the moment in UTC; None (no bound) if UTC puts it outside the years 1 to 9999."""
    try:
        return timezone.make_aware(datetime.combine(day, moment)).astimezone(UTC)
    except OverflowError:
        return None


def _reason_field() -> forms.CharField:
    return forms.CharField(
        label=_("Reason"),
        help_text=_("Members whose credits change can read this in their statement."),
        max_length=Transfer._meta.get_field("reason").max_length,
        widget=forms.Textarea({"rows": 3}),
    )


class CorrectionForm(forms.Form):
    """The amount and reason of a correction; `key` makes sending the form twice idempotent."""

    credits = CreditsField(
        label=pgettext_lazy("correction", "Credits"),
        help_text=_("A positive number adds, a negative one takes away."),
        min_value=-MAX_CREDITS,
        max_value=MAX_CREDITS,
    )
    reason = _reason_field()
    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def clean_credits(self) -> int:
        amount: int = self.cleaned_data["credits"]
        if amount == 0:
            raise forms.ValidationError(_("Nothing would change."))
        return amount


class ReversalForm(forms.Form):
    reason = _reason_field()
