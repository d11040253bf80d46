"""The rules of a match as a form, which gives a `Rules` value."""

from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.engine.errors import InvalidRules
from games.engine.rules import MAX_LENGTH, BlockRule, HitRule, Profile, Rules, Variant
from games.rulebook.summary import RULE_SETS

USUAL, ON, OFF = "usual", "on", "off"
NO_LIMIT = 0
SECONDS = (10, 15, 20, 30, 45, 60, 90)

# Shorter than Django's messages for a number that is out of range.
BOUNDS = {
    "min_value": _("The minimum is %(limit_value)s."),
    "max_value": _("The maximum is %(limit_value)s."),
}

# The engine's error code -> the field and the message, for each error that this form can cause.
_RULE_ERRORS = {
    "koks_without_mars": (
        "koks",
        _("Koks counts only where mars does. Switch mars on, or koks off."),
    ),
    "cube_in_one_point_match": (
        "cube",
        _("A match to 1 point has no cube. Play to 2 or more."),
    ),
    "reserve_cannot_shrink": (
        "reserve_shrinks",
        _("In a match to 1 or 2 points the reserve cannot shrink. Play to 3 or more."),
    ),
}


_SWITCH = [
    (USUAL, pgettext_lazy("rule", "Default")),
    (ON, pgettext_lazy("rule", "On")),
    (OFF, pgettext_lazy("rule", "Off")),
]


def turn_time_choices() -> list[tuple[int, str]]:
    """Return the choices of time per turn.

    Each form calls this function again, since a lazy plural would be evaluated once, in English.
    """
    texts = [
        (number, ngettext("%(seconds)d second", "%(seconds)d seconds", number))
        for number in SECONDS
    ]
    return [
        (NO_LIMIT, gettext("No limit")),
        *[(number, text % {"seconds": number}) for number, text in texts],
    ]


def turn_limit_choices() -> list[tuple[int, str]]:
    """Return the choices of time per turn of a match that has a clock."""
    return [choice for choice in turn_time_choices() if choice[0] != NO_LIMIT]


class RulesForm(forms.Form):
    """The rules of a match; a subclass adds `seconds`, the time per turn.

    A subclass may also add `reserve_shrinks`. A missing field gets its initial value; a missing
    checkbox counts as unchecked.
    """

    variant = forms.ChoiceField(
        label=_("Game"),
        choices=[
            (Variant.SHORT.value, _("Short backgammon")),
            (Variant.LONG.value, _("Long nardy")),
        ],
        widget=forms.RadioSelect,
        initial=Variant.SHORT.value,
    )
    length = forms.IntegerField(
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        label=_("Points to win"),
        help_text=_("The match goes on until one side has this many points: 1 to 25."),
        min_value=1,
        max_value=MAX_LENGTH,
        error_messages=BOUNDS,
        initial=3,
    )
    mars = forms.BooleanField(
        label=_("Mars counts double"),
        help_text=_(
            "Win before the other has borne off a single checker, and you score 2 instead of 1."
        ),
        required=False,
        initial=True,
    )
    koks = forms.ChoiceField(
        label=_("Koks counts triple"),
        help_text=_(
            "A mars with a checker still on the bar or in its first quarter scores 3: for "
            "example, if two checkers never left the start. On by default in short backgammon, "
            "off in long nardy. The Federation rules have it on in long nardy too, for a checker "
            "in the winner’s home instead."
        ),
        choices=_SWITCH,
        initial=USUAL,
    )
    parity = forms.BooleanField(
        label=_("Parity: equal turns, so a draw is possible"),
        help_text=_(
            "If the player who moved first bears off first, the other gets one more turn. If "
            "they finish too, each scores 1."
        ),
        required=False,
        initial=False,
    )
    cube = forms.ChoiceField(
        label=_("Doubling cube"),
        help_text=_(
            "Before rolling you may double what the game is worth; your opponent takes or drops. "
            "On by default in short backgammon from 3 points, off in long nardy."
        ),
        choices=_SWITCH,
        initial=USUAL,
    )
    crawford = forms.BooleanField(
        label=_("Crawford rule"),
        help_text=_(
            "When a player is one point away from winning the match, one game is "
            "played without the cube."
        ),
        required=False,
        initial=True,
    )
    profile = forms.ChoiceField(
        label=_("Rule set"),
        choices=[(profile.value, sentence) for profile, sentence in RULE_SETS.items()],
        initial=Profile.CLASSIC.value,
    )
    block = forms.ChoiceField(
        label=_("When the block of six is checked"),
        choices=[
            (BlockRule.EVERY_MOVE.value, _("After every single move")),
            (BlockRule.END_OF_TURN.value, _("At the end of the turn")),
        ],
        initial=BlockRule.EVERY_MOVE.value,
    )
    hit = forms.ChoiceField(
        label=_("After a hit"),
        choices=[
            (HitRule.FREE.value, _("The checker may move on freely")),
            (
                HitRule.NO_HIT_AND_RUN.value,
                _("It may not move on to a point with its own side’s checkers in that turn"),
            ),
        ],
        initial=HitRule.FREE.value,
    )

    rules: Rules

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        for field in self.fields.values():
            field.required = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name, field in self.fields.items():
            if name in cleaned and cleaned[name] in (None, ""):
                cleaned[name] = field.initial
        if self.errors:
            return cleaned
        try:
            self.rules = Rules.of(**_chosen(cleaned))
        except InvalidRules as error:
            if error.code not in _RULE_ERRORS:
                raise
            name, message = _RULE_ERRORS[error.code]
            self.add_error(name, forms.ValidationError(message, code=error.code))
        return cleaned


def values_of(rules: Rules) -> dict[str, Any]:
    """Return the field values that give these rules; `reserve_shrinks` is left out."""
    usual = Rules.of(rules.variant, rules.profile, length=rules.length)
    values: dict[str, Any] = {
        name: getattr(rules, name).value for name in ("variant", "profile", "block", "hit")
    }
    values |= {name: getattr(rules, name) for name in ("length", "mars", "parity", "crawford")}
    for name in ("koks", "cube"):
        is_on = getattr(rules, name)
        values[name] = USUAL if is_on == getattr(usual, name) else ON if is_on else OFF
    seconds = NO_LIMIT if rules.delay_ms is None else rules.delay_ms // 1000
    return values | {"seconds": seconds}


def _chosen(cleaned: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Rules.of`, without those whose choice is `USUAL`."""
    names = ("variant", "profile", "length", "mars", "parity", "block", "hit")
    chosen = {name: cleaned[name] for name in names}
    chosen |= {name: cleaned[name] == ON for name in ("koks", "cube") if cleaned[name] != USUAL}
    chosen["crawford"] = cleaned["crawford"]
    if cleaned["seconds"] != NO_LIMIT:
        chosen["delay_ms"] = cleaned["seconds"] * 1000
    if cleaned.get("reserve_shrinks"):
        chosen["reserve_shrinks"] = True
    return chosen
