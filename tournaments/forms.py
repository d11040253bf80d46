"""Terms of a tournament as a form of the admin."""

from dataclasses import fields
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused
from games.engine.rules import Rules
from games.forms import NO_LIMIT, OFF, ON, RulesForm, second_choices
from tournaments.models import MAX_ROUND_ROBIN, Schedule, Terms, Tournament
from tournaments.services import announcing
from tournaments.services.announcing import Plan

RULES = (
    "variant", "length", "seconds", "profile", "mars", "koks", "parity", "cube", "crawford",
    "block", "hit",
)  # fmt: skip
TERMS = (
    "name", "format", "fee_credits", "prize_credits", "house_percent", "min_entrants",
    "max_entrants", "extend_minutes", "computer_entrants",
)  # fmt: skip


def _limits() -> list[tuple[int, str]]:
    return [choice for choice in second_choices() if choice[0] != NO_LIMIT]


class TermsForm(RulesForm, forms.ModelForm):  # type: ignore[type-arg]
    """The rules and the terms; `plan` has both once the form is valid."""

    seconds = forms.TypedChoiceField(
        label=_("Time per turn"), choices=_limits, coerce=int, initial=30
    )

    plan: Plan

    class Meta:
        model = Terms
        fields: tuple[str, ...] = ("variant", *TERMS)

    def __init__(self, data: Any = None, files: Any = None, **kwargs: Any) -> None:
        instance = kwargs.get("instance")
        if instance is not None and instance.rules:
            known = _initial_of(instance.match_rules)
            kwargs["initial"] = {**known, **(kwargs.get("initial") or {})}
        super().__init__(data, files=files, **kwargs)
        for name in {"name", *self._needed} & self.fields.keys():  # none on a page to read
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
                "These terms contradict each other: check the entrants, and that a fee has a prize "
                "and a fixed prize no share of the site."
            )
            raise forms.ValidationError(text, code=error.code) from error
        self.instance.rules = self.rules.to_dict()
        return cleaned


def _too_many() -> str:
    text = gettext(
        "A round robin has at most %(most)d players: everyone meets everyone. Choose a knock-out "
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
