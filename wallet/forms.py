"""Forms of credits: the statement's filter, a correction, a reversal."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from wallet import causes
from wallet.statement import Wanted


class StatementFilter(forms.Form):
    """Which movements to show. It is a GET form: an address says it, and may be kept."""

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
            self.add_error("until", _("This day is before the first one."))
        return cleaned

    @property
    def is_used(self) -> bool:
        return any(self.cleaned_data.values())

    @property
    def wanted(self) -> Wanted:
        """Of a valid form. A day is one of the site's time zone, its last included."""
        cleaned = self.cleaned_data
        since, until = cleaned["since"], cleaned["until"]
        return Wanted(
            group=self._groups.get(cleaned["cause"]),
            comes_in={"in": True, "out": False}.get(cleaned["direction"]),
            since=_aware(since, time.min) if since else None,
            until=_aware(until, time.max) if until else None,
        )


def _aware(day: date, moment: time) -> datetime:
    return timezone.make_aware(datetime.combine(day, moment))
