"""The form of "Play now": few choices, so that two people meet soon."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.engine.rules import Rules, Variant
from games.stakes.terms import LADDER
from lobby.invitation_form import clean_name, name_field
from lobby.services.searching import Choice

LAST_CHOICES = "play_now"  # session key
FRIENDLY, STAKE = "friendly", "stake"
LENGTHS = (1, 3, 5)
# The time per turn is the same for all, so that all can be paired.
SECONDS = 30
# In credits; a larger stake can only be announced.
STAKES = sorted(stake for stake in LADDER if stake <= 500)


def _lengths() -> list[tuple[int, str]]:
    return [(n, ngettext("%(n)d point", "%(n)d points", n) % {"n": n}) for n in LENGTHS]


def _stakes() -> list[tuple[int, str]]:
    return [(n, ngettext("%(n)d credit", "%(n)d credits", n) % {"n": n}) for n in STAKES]


class PlayNowForm(forms.Form):
    """The game and its stake; a guest plays friendly matches only and gives a name."""

    variant = forms.ChoiceField(
        label=_("Game"),
        choices=[
            (Variant.SHORT.value, _("Short backgammon")),
            (Variant.LONG.value, _("Long nardy")),
        ],
        widget=forms.RadioSelect,
        initial=Variant.SHORT.value,
    )
    length = forms.TypedChoiceField(
        label=_("Match length"),
        choices=_lengths,
        coerce=int,
        widget=forms.RadioSelect,
        initial=LENGTHS[0],
    )
    mode = forms.ChoiceField(
        label=_("Play for"),
        choices=[(FRIENDLY, _("Fun: no stake, no rating")), (STAKE, _("Credits, with rating"))],
        widget=forms.RadioSelect,
        initial=FRIENDLY,
    )
    stake = forms.TypedChoiceField(
        label=_("Stake, if you play for credits"),
        choices=_stakes,
        coerce=int,
        required=False,
        initial=STAKES[1],
    )

    def __init__(self, data: Any = None, *, is_guest: bool, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        if is_guest:
            del self.fields["mode"], self.fields["stake"]
            self.fields["guest_name"] = name_field()

    def clean_guest_name(self) -> str:
        return clean_name(self.cleaned_data["guest_name"])

    @property
    def stake_credits(self) -> int:
        """Return the stake, 0 for a friendly match."""
        chosen = self.cleaned_data
        if chosen.get("mode") != STAKE:
            return 0
        return int(chosen["stake"] or self.fields["stake"].initial)

    @property
    def choice(self) -> Choice:
        chosen = self.cleaned_data
        rules = Rules.of(chosen["variant"], length=chosen["length"], delay_ms=1000 * SECONDS)
        return Choice(rules, self.stake_credits, chosen.get("guest_name", ""))

    @property
    def choices(self) -> dict[str, Any]:
        """Return the choices to keep for the next search."""
        return {name: value for name, value in self.cleaned_data.items() if name != "guest_name"}


def defaults(choices: dict[str, Any]) -> dict[str, Any]:
    """Return the last choices as form data; fields that were never chosen have their defaults."""
    initial = {name: field.initial for name, field in PlayNowForm.base_fields.items()}
    return initial | {name: value for name, value in choices.items() if name in initial}


def terms_of_a_press(choices: dict[str, Any]) -> dict[str, Any]:
    """Return the terms of a search with the last choices; a friendly one has the stake 0."""
    chosen = defaults(choices)
    stake = (chosen["stake"] or STAKES[1]) if chosen["mode"] == STAKE else 0
    return {"variant": chosen["variant"], "length": chosen["length"], "stake_credits": stake}


def asked(query: Mapping[str, str]) -> dict[str, Any]:
    """Return the choices named by the link "Play now" in a wish's alert; {} if they are invalid."""
    variant, length = query.get("variant", ""), query.get("length", "")
    if variant not in list(Variant) or length not in map(str, LENGTHS):
        return {}
    return {"variant": variant, "length": int(length), "mode": FRIENDLY}
