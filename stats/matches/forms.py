"""Filters of statistics and of the list of matches; an unknown choice counts as the first one."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from accounts.shared.plain_text import as_login
from accounts.signup.forms import OTHERS_LOGIN
from games.bots.opponents import OPPONENTS
from games.engine.rules import Variant
from stats.matches.filters import MatchFilter, since_of
from stats.models import PlayedMatch

ALL = ""


def _opponents() -> list[tuple[str, Any]]:
    """Return the choices of opponents, with the computer's levels in the active language."""
    levels = [(bot.value, bot.title) for bot in OPPONENTS]
    return [(ALL, pgettext_lazy("opponents", "All")), *PlayedMatch.Against.choices, *levels]


class StatisticsForm(forms.Form):
    """Choose the matches over which statistics are computed."""

    variant = forms.ChoiceField(
        label=_("Game"),
        required=False,
        choices=[
            (ALL, pgettext_lazy("game", "Both")),
            (Variant.SHORT.value, _("Short backgammon")),
            (Variant.LONG.value, _("Long nardy")),
        ],
    )
    against = forms.ChoiceField(label=_("Against"), required=False, choices=_opponents)
    period = forms.ChoiceField(
        label=_("Period"),
        required=False,
        choices=[
            (ALL, _("All time")),
            ("month", _("Last 30 days")),
            ("quarter", _("Last 3 months")),
            ("year", _("Last 365 days")),
        ],
    )

    @property
    def query(self) -> dict[str, str]:
        """Return the choices for the URL of a list."""
        return {name: value for name, value in self._chosen.items() if value}

    def filter_of(self, person: User, *, is_oneself: bool, now: datetime) -> MatchFilter:
        chosen = dict(self._chosen)
        since = since_of(chosen.pop("period", ALL), now)
        return MatchFilter(person.pk, not is_oneself, since=since, **self._fields(chosen))

    @property
    def _chosen(self) -> dict[str, str]:
        self.is_valid()
        return self.cleaned_data

    def _fields(self, chosen: dict[str, str]) -> dict[str, Any]:
        return chosen


class MatchesForm(StatisticsForm):
    """Choose the matches to list; `opponent` is a login, found regardless of case."""

    category = forms.ChoiceField(
        label=pgettext_lazy("matches", "Kind"),
        required=False,
        choices=[(ALL, pgettext_lazy("matches", "All")), *PlayedMatch.Category.choices],
    )
    result = forms.ChoiceField(
        label=pgettext_lazy("matches", "Result"),
        required=False,
        choices=[(ALL, pgettext_lazy("matches", "All")), *PlayedMatch.Result.choices],
    )
    opponent = forms.CharField(
        label=pgettext_lazy("matches", "Opponent’s login"),
        required=False,
        max_length=32,
        widget=forms.TextInput(attrs=OTHERS_LOGIN),
    )

    field_order = ("category", "variant", "against", "opponent", "result", "period")

    def _fields(self, chosen: dict[str, str]) -> dict[str, Any]:
        login = chosen.pop("opponent", "")
        if not login:
            return chosen
        found = User.objects.filter(username__iexact=as_login(login), closed_at__isnull=True)
        ids = found.values_list("pk", flat=True)
        return {**chosen, "opponent_id": ids.first() or 0}  # 0 is the id of no member
