"""The set-up form of a training match."""

import secrets
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.bots.opponents import LEVELS, OPPONENTS, Opponent
from games.engine.sides import Side
from games.forms import NO_LIMIT, RulesForm, turn_time_choices
from games.models.bot_pace import Pace

RANDOM = "random"


class TrainingForm(RulesForm):
    """The choices of a match against a bot, beside its rules."""

    level = forms.ChoiceField(
        label=_("Opponent"), choices=LEVELS, widget=forms.RadioSelect, initial="casual"
    )
    pace = forms.ChoiceField(
        label=_("Thinking time"),
        help_text=_(
            "How long the opponent takes. “Like a person” takes longer where the choice is hard."
        ),
        choices=Pace,
        widget=forms.RadioSelect,
        initial=Pace.QUICK.value,
    )
    side = forms.ChoiceField(
        label=_("Your color"),
        choices=[
            (Side.WHITE.value, pgettext_lazy("color of checkers", "White")),
            (Side.BLACK.value, pgettext_lazy("color of checkers", "Black")),
            (RANDOM, pgettext_lazy("color of checkers", "Random")),
        ],
        widget=forms.RadioSelect,
        initial=Side.WHITE.value,
    )
    seconds = forms.TypedChoiceField(
        label=_("Time per turn"),
        help_text=_("After that your reserve runs: one minute per point, at least two minutes."),
        choices=turn_time_choices,
        coerce=int,
        initial=NO_LIMIT,
    )

    def opponents(self) -> list[tuple[Any, Opponent]]:
        """Return the radio button of each opponent with the opponent."""
        return list(zip(self["level"], OPPONENTS, strict=True))

    def folded_fields(self) -> list[BoundField]:
        """Return the fields shown only on request: all but variant, length and opponent."""
        return [field for field in self if field.name not in ("variant", "length", "level")]

    def folded_changes(self) -> list[BoundField]:
        """Return those of `folded_fields` whose value is not the default."""
        return [
            field
            for field in self.folded_fields()
            if str(field.value()) != str(field.field.initial)
        ]

    def has_folded_errors(self) -> bool:
        return any(field.errors for field in self.folded_fields())

    @property
    def chosen_side(self) -> Side:
        """The player's side; "random" is drawn again at each access."""
        side = self.cleaned_data["side"]
        return drawn_side() if side == RANDOM else Side(side)


def drawn_side() -> Side:
    """Return a random side, drawn again at each call."""
    return secrets.choice(list(Side))
