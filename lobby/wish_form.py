"""The form of a wish for a game."""

from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.engine.rules import Variant
from games.forms import BOUNDS
from games.stakes.terms import MAX_STAKE, MIN_STAKE
from lobby.services.wishing import Wanted
from wallet.forms import CreditsField

_HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]


def _stake_field(label: Any) -> CreditsField:
    return CreditsField(
        label=label,
        required=False,
        min_value=MIN_STAKE,
        max_value=MAX_STAKE,
        error_messages=BOUNDS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


class WishForm(forms.Form):
    """The game, the range of stakes and the time of day of a wish."""

    variant = forms.ChoiceField(
        label=_("Game"),
        required=False,
        choices=[
            ("", _("Both games")),
            (Variant.SHORT.value, _("Short backgammon")),
            (Variant.LONG.value, _("Long nardy")),
        ],
    )
    is_friendly = forms.TypedChoiceField(
        label=pgettext_lazy("of a game", "Play for"),
        choices=[(False, _("For credits")), (True, pgettext_lazy("match", "Friendly"))],
        coerce=lambda value: value == "True",
        widget=forms.RadioSelect,
        initial=False,
    )
    least_stake = _stake_field(_("Minimum stake"))
    most_stake = _stake_field(_("Maximum stake"))
    from_hour = forms.TypedChoiceField(
        label=pgettext_lazy("time of day", "From"), choices=_HOURS, coerce=int, initial=0
    )
    until_hour = forms.TypedChoiceField(
        label=pgettext_lazy("time of day", "Until"), choices=_HOURS, coerce=int, initial=0
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("is_friendly"):
            for name in ("least_stake", "most_stake"):
                self.errors.pop(name, None)
                cleaned[name] = None
        least, most = cleaned.get("least_stake"), cleaned.get("most_stake")
        if least is not None and most is not None and least > most:
            self.add_error("most_stake", gettext("This is below the minimum."))
        return cleaned

    @property
    def wanted(self) -> Wanted:
        chosen = self.cleaned_data
        return Wanted(
            chosen["variant"],
            chosen["is_friendly"],
            chosen["least_stake"],
            chosen["most_stake"],
            chosen["from_hour"],
            chosen["until_hour"],
        )
