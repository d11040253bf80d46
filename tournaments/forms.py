"""Forms of a tournament's terms: those of the admin, and a member's proposal."""

from dataclasses import fields
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused
from accounts.times.validators import need_inner_year
from games.engine.rules import Rules
from games.forms import BOUNDS, OFF, ON, RulesForm, turn_limit_choices
from tournaments.models import (
    MAX_ENTRANTS,
    MAX_ROUND_ROBIN,
    NAME_LENGTH,
    Schedule,
    Terms,
    Tournament,
)
from tournaments.services import announcing
from tournaments.services.announcing import ROUND_ROBINS, Plan
from wallet.forms import CreditsField

RULES = (
    "variant", "length", "seconds", "reserve_shrinks", "profile", "mars", "koks", "parity",
    "cube", "crawford", "block", "hit",
)  # fmt: skip
TERMS = (
    "name", "format", "fee_credits", "prize_credits", "house_percent", "min_entrants",
    "max_entrants", "extend_minutes", "computer_entrants",
)  # fmt: skip


class MatchForm(RulesForm):
    """The rules of every match of a tournament; a clock is required."""

    seconds = forms.TypedChoiceField(
        label=_("Time per turn"), choices=turn_limit_choices, coerce=int, initial=30
    )
    reserve_shrinks = forms.BooleanField(
        label=_("The reserve shrinks with the score"),
        help_text=_(
            "Each point scored by either player lowers the reserve limit for both by half a "
            "minute, down to two minutes. Only in matches to 3 points or more."
        ),
        required=False,
        initial=False,
    )


class TermsForm(MatchForm, forms.ModelForm):  # type: ignore[type-arg]
    """The rules and the terms; `plan` has both once the form is valid."""

    plan: Plan

    class Meta:
        model = Terms
        fields: tuple[str, ...] = ("variant", *TERMS)
        field_classes = {"fee_credits": CreditsField, "prize_credits": CreditsField}

    def __init__(self, data: Any = None, files: Any = None, **kwargs: Any) -> None:
        instance = kwargs.get("instance")
        if instance is not None and instance.rules:
            known = _initial_of(instance.match_rules)
            kwargs["initial"] = {**known, **(kwargs.get("initial") or {})}
        super().__init__(data, files=files, **kwargs)
        for name in {"name", *self._needed} & self.fields.keys():  # a read-only page has no fields
            self.fields[name].required = True

    _needed: tuple[str, ...] = ()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if self.errors:
            return cleaned
        values = {each.name: cleaned[each.name] for each in fields(Plan) if each.name != "rules"}
        self.plan = Plan(**values, rules=self.rules)
        try:
            announcing.check(self.plan)
        except Refused as error:
            if error.code == "round_robin":
                self.add_error("max_entrants", forms.ValidationError(_too_many(), code=error.code))
                return cleaned
            text = _(
                "These terms contradict each other. Check the number of entrants; an entry fee "
                "needs a prize, and with a fixed prize there is no site fee."
            )
            raise forms.ValidationError(text, code=error.code) from error
        self.instance.rules = self.rules.to_dict()
        return cleaned


def _too_many() -> str:
    text = gettext(
        "A round robin has at most %(most)d players: everyone meets everyone. Choose a knockout "
        "or a Swiss tournament for more."
    )
    return text % {"most": MAX_ROUND_ROBIN}


class TournamentForm(TermsForm):
    _needed = ("starts_at",)

    class Meta(TermsForm.Meta):
        model = Tournament
        fields = ("variant", *TERMS, "starts_at")

    def clean_starts_at(self) -> Any:
        starts_at = self.cleaned_data["starts_at"]
        if starts_at <= CLOCK.now():
            raise forms.ValidationError(_("Choose a moment in the future."), code="too_late")
        return starts_at


class ProposalForm(MatchForm):
    """A member's proposal: free entry, no prize; `plan` has the terms once the form is valid."""

    name = forms.CharField(label=_("Name of the tournament"), max_length=NAME_LENGTH)
    format = forms.ChoiceField(
        label=_("Format"), choices=Terms.Format.choices, initial=Terms.Format.KNOCKOUT
    )
    starts_at = forms.DateTimeField(
        label=_("Starts at"),
        help_text=_("In your time zone: at least 2 hours from now, at most 30 days."),
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        validators=[need_inner_year],
    )
    min_entrants = forms.IntegerField(
        label=_("Minimum players"), min_value=2, max_value=MAX_ENTRANTS, error_messages=BOUNDS,
        initial=4,
    )  # fmt: skip
    max_entrants = forms.IntegerField(
        label=_("Maximum players"), min_value=2, max_value=MAX_ENTRANTS, error_messages=BOUNDS,
        initial=32,
    )  # fmt: skip

    plan: Plan

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        for name in ("name", "starts_at"):
            self.fields[name].required = True

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if self.errors:
            return cleaned
        names = ("name", "format", "min_entrants", "max_entrants")
        self.plan = Plan(**{name: cleaned[name] for name in names}, rules=self.rules)
        if cleaned["min_entrants"] > cleaned["max_entrants"]:
            text = _("“Maximum players” cannot be lower than “Minimum players”.")
            self.add_error("max_entrants", forms.ValidationError(text, code="size"))
        elif self.plan.format in ROUND_ROBINS and self.plan.max_entrants > MAX_ROUND_ROBIN:
            self.add_error("max_entrants", forms.ValidationError(_too_many(), code="round_robin"))
        return cleaned


class ScheduleForm(TermsForm):
    time_zone = forms.ChoiceField(
        label=_("time zone"),
        choices=lambda: [(name, name) for name in sorted(available_timezones())],
        initial="Europe/Moscow",
    )
    _needed = ("local_time", "announce_before")

    class Meta(TermsForm.Meta):
        model = Schedule
        fields = (
            "variant", *TERMS, "repeats", "weekday", "local_time", "time_zone", "announce_before",
        )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        is_weekly = cleaned.get("repeats") == Schedule.Repeats.WEEKLY
        if is_weekly is not (cleaned.get("weekday") is not None):
            text = _("Choose a day for a weekly schedule, and none for a daily one.")
            self.add_error("weekday", forms.ValidationError(text, code="weekday"))
        return cleaned


def _initial_of(rules: Rules) -> dict[str, Any]:
    values = {name: getattr(rules, name) for name in RULES if name != "seconds"}
    values |= {name: ON if values[name] else OFF for name in ("koks", "cube")}
    return values | {"seconds": (rules.delay_ms or 0) // 1000}
