"""Choices of a leaderboard and of counted dice."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from accounts.profile.countries import names_of_countries
from games.engine.rules import Variant
from stats.leaderboards import By, Choice, countries_there


def _countries(chosen: str) -> list[tuple[str, Any]]:
    """Return the countries that rated members show, and the chosen one."""
    there = countries_there() | {chosen}
    names = [(code, name) for code, name in names_of_countries().items() if code in there]
    return [("", pgettext_lazy("country", "All")), *names]


class LeaderboardForm(forms.Form):
    """The choice of a leaderboard; a value that cannot be read falls back to the first choice."""

    by = forms.ChoiceField(
        label=_("Sort by"),
        choices=[
            (By.RATING.value, _("By rating")),
            (By.WINS.value, _("By wins")),
            (By.WINNINGS.value, _("By net winnings")),
        ],
    )
    variant = forms.ChoiceField(
        label=_("Game"),
        choices=[
            (Variant.SHORT.value, _("Short backgammon")),
            (Variant.LONG.value, _("Long nardy")),
        ],
    )
    period = forms.ChoiceField(
        label=_("Period"),
        choices=[
            ("week", _("Last 7 days")),
            ("month", _("Last 30 days")),
            ("year", _("Last 365 days")),
            ("all", _("All time")),
        ],
    )
    country = forms.ChoiceField(label=_("Country"), required=False)
    among = forms.ChoiceField(
        label=_("Players"),
        required=False,
        choices=[
            ("", pgettext_lazy("players", "All")),
            ("friends", _("My friends")),
        ],
    )

    def __init__(self, data: Any, viewer: User | None = None) -> None:
        self._viewer = viewer
        given = {name: data.get(name, "") for name in self.base_fields}
        first = {"by": By.RATING.value, "variant": Variant.SHORT.value, "period": "week"}
        super().__init__({name: given[name] or first.get(name, "") for name in given})
        self._offer_choices()
        if not self.is_valid():
            bad = set(self.errors)
            kept = {name: value for name, value in self.data.items() if name not in bad}
            super().__init__({**first, "country": "", **kept})
            self._offer_choices()
            self.is_valid()

    def _offer_choices(self) -> None:
        """Offer the countries of rated members, and friends only to a member."""
        field = self.fields["country"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = _countries(self.data["country"])
        if self._viewer is None:
            del self.fields["among"]

    @property
    def choice(self) -> Choice:
        chosen = self.cleaned_data
        by, viewer = By(chosen["by"]), self._viewer
        friends_of = viewer.pk if viewer is not None and chosen["among"] else None
        return Choice(by, chosen["variant"], chosen["period"], chosen["country"], friends_of)


class DiceForm(forms.Form):
    """The matches whose dice are shown; an unknown choice counts as the first one."""

    variant = forms.ChoiceField(
        label=_("Game"),
        required=False,
        choices=[
            ("", pgettext_lazy("game", "Both")),
            (Variant.SHORT.value, _("Short backgammon")),
            (Variant.LONG.value, _("Long nardy")),
        ],
    )
    against = forms.ChoiceField(
        label=_("Against"),
        required=False,
        choices=[
            ("", pgettext_lazy("opponents", "All")),
            ("people", pgettext_lazy("opponents", "People")),
            ("computer", pgettext_lazy("opponents", "The computer")),
        ],
    )

    @property
    def chosen_variant(self) -> str:
        self.is_valid()
        return self.cleaned_data.get("variant", "")

    @property
    def is_against_computer(self) -> bool | None:
        self.is_valid()
        return {"people": False, "computer": True}.get(self.cleaned_data.get("against", ""))
