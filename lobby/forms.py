"""Forms to announce a game and to filter the lists."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.selectors import friends_of
from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused
from accounts.signup.forms import OTHERS_LOGIN
from games.engine.rules import Variant
from games.forms import BOUNDS, RulesForm, turn_limit_choices
from games.stakes.limits import stake_limit
from games.stakes.terms import MAX_STAKE, MIN_STAKE
from lobby import labels
from lobby.invitation_form import find_by_login, unknown_login
from lobby.models import Preset, Seek
from lobby.selectors import challenge_refusal
from lobby.services.announcing import Announcement
from wallet.forms import CreditsField


def _stake_help(available: int) -> str:
    if available < MIN_STAKE:
        return ""  # the page says so above the form
    if available > MAX_STAKE:
        text = gettext("From %(least)d to %(most)d credits.")
        return text % {"least": MIN_STAKE, "most": MAX_STAKE}
    text = ngettext(
        "From %(least)d to %(most)d credit, all you have available.",
        "From %(least)d to %(most)d credits, all you have available.",
        available,
    )
    return text % {"least": MIN_STAKE, "most": available}


class AnnounceForm(RulesForm):
    """The rules, the stake and the access. `available` (credits) bounds the stake."""

    least_stake = MIN_STAKE  # for the page

    seconds = forms.TypedChoiceField(
        label=_("Time per turn"),
        help_text=_("After that your reserve runs: one minute per point, at least two minutes."),
        choices=turn_limit_choices,
        coerce=int,
        initial=30,
    )
    stake = CreditsField(
        label=_("Stake in credits"),
        min_value=MIN_STAKE,
        max_value=MAX_STAKE,
        error_messages=BOUNDS,
        initial=100,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    access = forms.ChoiceField(
        label=_("Who may join"),
        choices=Seek.Access.choices,
        widget=forms.RadioSelect,
        initial=Seek.Access.OPEN,
    )
    opponent = forms.CharField(
        label=_("Your opponent’s login"),
        max_length=10,
        widget=forms.TextInput(attrs=OTHERS_LOGIN),
    )
    least_rating = forms.IntegerField(
        label=_("Minimum rating"), min_value=0, max_value=9999, error_messages=BOUNDS
    )
    most_rating = forms.IntegerField(
        label=_("Maximum rating"), min_value=0, max_value=9999, error_messages=BOUNDS
    )
    is_public = forms.BooleanField(
        label=_("Others can watch"),
        help_text=_("Spectators see the board and chat among themselves."),
        initial=True,
    )

    hides_stake = forms.BooleanField(
        label=_("Hide the stake from others"),
        help_text=_("Once the game begins, only you and your opponent see it."),
    )

    is_renewed = forms.BooleanField(
        label=_("Keep it open while I am here"),
        help_text=_("Every five minutes the wait is extended automatically, with the same stake."),
        initial=False,
    )

    def __init__(self, data: Any = None, *, owner: User, available: int, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.owner = owner
        self.available = available
        self.missing = 0  # credits that the owner lacks for the chosen stake
        stake = self.fields["stake"]
        stake.help_text = _stake_help(available)
        stake.initial = max(MIN_STAKE, min(stake.initial, available))
        self.limit = stake_limit(owner.pk)
        if self.limit is not None and self.limit < available:
            self._bound_stake(self.limit)

    def _bound_stake(self, limit: int) -> None:
        stake = self.fields["stake"]
        stake.initial = min(stake.initial, limit)
        given = self.initial.get("stake", stake.initial)
        self.initial = {**self.initial, "stake": min(given, limit)}
        bounds = ngettext(
            "From %(least)d to %(most)d credit.", "From %(least)d to %(most)d credits.", limit
        ) % {"least": MIN_STAKE, "most": limit}
        stake.help_text = f"{bounds} {labels.stake_limit(limit)}"

    def clean_stake(self) -> int:
        stake: int = self.cleaned_data["stake"] or self.fields["stake"].initial
        if stake > self.available:
            self.missing = stake - self.available
            message = ngettext(
                "You are %(missing)d credit short of this stake.",
                "You are %(missing)d credits short of this stake.",
                self.missing,
            )
            raise forms.ValidationError(message % {"missing": self.missing}, code="shortfall")
        if self.limit is not None and stake > self.limit:
            raise forms.ValidationError(labels.stake_limit(self.limit), code="stake_limit")
        return stake

    def clean(self) -> dict[str, Any]:
        self._drop_unused()
        cleaned = super().clean()
        least, most = cleaned.get("least_rating"), cleaned.get("most_rating")
        if least is not None and most is not None and least > most:
            self.add_error("most_rating", gettext("This is below the minimum."))
        self.invited = self._find_invited(cleaned)
        if cleaned.get("access") == Seek.Access.FRIENDS and not friends_of(self.owner).exists():
            self.add_error("access", gettext("You have no friends on the site yet: add one first."))
        return cleaned

    def _drop_unused(self) -> None:
        """Empty the rating range of a game that is not open to all: the page hides it then."""
        if self.cleaned_data.get("access") in (None, "", Seek.Access.OPEN):
            return
        for name in ("least_rating", "most_rating"):
            self.errors.pop(name, None)
            self.cleaned_data[name] = None

    def _find_invited(self, cleaned: dict[str, Any]) -> User | None:
        if cleaned.get("access") != Seek.Access.PERSON:
            return None
        if "opponent" in self.errors:
            return None
        login = cleaned.get("opponent") or ""
        found = find_by_login(login)
        if found is None:
            self.add_error("opponent", unknown_login(login))
        elif refusal := challenge_refusal(self.owner, found, CLOCK.now()):
            self.add_error("opponent", labels.of_error(Refused(refusal)))
        else:
            return found
        return None

    @property
    def may_be_saved(self) -> bool:
        """Return True if all is valid except perhaps the opponent, whom presets leave out."""
        return not set(self.errors) - {"opponent"}

    @property
    def choices(self) -> dict[str, Any]:
        """Return the choices to keep for a later game: all except the opponent."""
        return {name: value for name, value in self.cleaned_data.items() if name != "opponent"}

    @property
    def announcement(self) -> Announcement:
        chosen = self.cleaned_data
        return Announcement(
            rules=self.rules,
            stake_credits=chosen["stake"],
            access=chosen["access"],
            invited_id=self.invited.pk if self.invited else None,
            least_rating=chosen["least_rating"],
            most_rating=chosen["most_rating"],
            is_public=chosen["is_public"],
            hides_stake=chosen["hides_stake"],
            is_renewed=chosen["is_renewed"],
        )


class PresetNameForm(forms.Form):
    """The name of a preset; the page of the announcing form shows it as one more field."""

    preset_name = forms.CharField(label=_("Name"), max_length=Preset.NAME_LENGTH)

    def __init__(self, *args: Any, of: str = "", **kwargs: Any) -> None:
        """Make the form; `of` is the id of the page's form that sends the field."""
        super().__init__(*args, **kwargs)
        if of:
            self.fields["preset_name"].widget.attrs["form"] = of


SPEEDS = {
    "fast": {"rules__delay_ms__lte": 20_000},
    "medium": {"rules__delay_ms__gt": 20_000, "rules__delay_ms__lte": 45_000},
    "slow": {"rules__delay_ms__gt": 45_000},
}
ORDERS = {
    "": ("-created_at", "-id"),
    "high": ("-stake_credits", "-created_at", "-id"),
    "low": ("stake_credits", "-created_at", "-id"),
}


class FilterForm(forms.Form):
    """Filter and order of the lists. A value that cannot be read filters nothing."""

    variant = forms.ChoiceField(
        label=_("Game"),
        required=False,
        choices=[
            ("", _("Both games")),
            (Variant.SHORT.value, _("Short backgammon")),
            (Variant.LONG.value, _("Long nardy")),
        ],
    )
    speed = forms.ChoiceField(
        label=_("Speed"),
        required=False,
        choices=[
            ("", _("Any speed")),
            ("fast", _("Fast: up to 20 seconds a turn")),
            ("medium", _("Medium: up to 45 seconds a turn")),
            ("slow", _("Slow: more than 45 seconds a turn")),
        ],
    )
    least_stake = CreditsField(
        label=_("Minimum stake"),
        required=False,
        min_value=MIN_STAKE,
        max_value=MAX_STAKE,
        error_messages=BOUNDS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    most_stake = CreditsField(
        label=_("Maximum stake"),
        required=False,
        min_value=MIN_STAKE,
        max_value=MAX_STAKE,
        error_messages=BOUNDS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    joinable = forms.BooleanField(label=_("Only games I can join"), required=False)
    order = forms.ChoiceField(
        label=pgettext_lazy("of a list", "Sort"),
        required=False,
        choices=[
            ("", _("Newest first")),
            ("high", _("Highest stake first")),
            ("low", _("Lowest stake first")),
        ],
    )

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.is_chosen = any(name in data for name in self.fields)
        self.is_valid()
        self.chosen = {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def query(self) -> str:
        """Return the choices as a query string; never empty, or the page would use the cookie."""
        return urlencode({"order": "", **self.chosen})

    @property
    def conditions(self) -> dict[str, Any]:
        """Return lookups for seeks and matches, which both have variant, stake and rules."""
        asked = {
            "variant": self.chosen.get("variant"),
            "stake_credits__gte": self.chosen.get("least_stake"),
            "stake_credits__lte": self.chosen.get("most_stake"),
            **SPEEDS.get(self.chosen.get("speed", ""), {}),
        }
        return {name: value for name, value in asked.items() if value}

    @property
    def narrows(self) -> bool:
        """Return whether the choices leave games out; an order alone does not."""
        return bool(self.conditions or self.chosen.get("joinable"))

    @property
    def order_by(self) -> tuple[str, ...]:
        return ORDERS[self.chosen.get("order", "")]
