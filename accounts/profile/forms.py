"""Profile and preferences, edited on one page with one Save."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import timedelta
from operator import itemgetter
from typing import Any

from django import forms
from django.forms.models import fields_for_model
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.text import format_lazy
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import Preferences, Profile, languages
from accounts.profile.countries import country_name, names_of_countries
from accounts.profile.looks import wearable
from accounts.times.zones import KnownZone, countries_of_zones, find_zone, offset_text, shown_zone

# Value of the uploaded picture in the picker; the other values are names of ready-made avatars.
PICTURE = "photo"


def _country_choices() -> list[tuple[str, Any]]:
    return [("", pgettext_lazy("country", "Not set")), *names_of_countries().items()]


def _zone_choices(preferences: Preferences) -> list[tuple[str, Any]]:
    """Offer the device's zone, then places in groups by UTC offset.

    The member's zone is offered even if it is an alias (another name of a listed zone). A chosen
    zone that the installed data do not know is offered too, so that saving keeps it.
    """
    device_zone = "" if preferences.keeps_time_zone else shown_zone()
    label = _("Same as my device")
    now = timezone.now()
    first = format_lazy("{} ({})", label, offset_text(now)) if device_zone else label
    zones = filter(None, map(find_zone, {*countries_of_zones(), preferences.time_zone}))
    by_offset: dict[timedelta, list[tuple[str, str]]] = defaultdict(list)
    for zone in zones:
        by_offset[now.astimezone(zone).utcoffset() or timedelta()].append((str(zone), _place(zone)))
    groups = [sorted(places, key=itemgetter(1)) for _offset, places in sorted(by_offset.items())]
    by_group = [(offset_text(now, find_zone(each[0][0])), each) for each in groups]
    chosen = preferences.time_zone if preferences.keeps_time_zone else ""
    unknown = [(chosen, chosen.replace("_", " "))] if chosen and not find_zone(chosen) else []
    return [("", first), *unknown, *by_group]


def _place(zone: KnownZone) -> str:
    """Return the place and country of a zone; an alias has only its name."""
    name = str(zone)
    country = country_name(countries_of_zones().get(name, ""))
    place = name.rpartition("/")[2] if country else name
    return ", ".join(filter(None, (place.replace("_", " "), country)))


class ShownForm(forms.Form):
    """A form whose page posts back in hidden fields (`shown-<name>`) the values that it showed.

    So a save writes only what the member changed on this page, and does not undo what was changed
    elsewhere while the page was open.
    """

    @property
    def shown(self) -> dict[str, str]:
        """Return the values that the page showed; of a page that posts none, the stored ones."""
        stored = {name: str(self[name].initial) for name in self.fields}
        return {name: self.data.get(f"shown-{name}", value) for name, value in stored.items()}

    @cached_property
    def changed(self) -> dict[str, Any]:
        shown = self.shown
        return {name: each for name, each in self.cleaned_data.items() if str(each) != shown[name]}


class ProfileForm(ShownForm):
    """Public profile, language, time zone and theme."""

    crest = forms.ChoiceField(
        label=_("Background color"), choices=Profile.Crest, widget=forms.RadioSelect
    )
    avatar = forms.ChoiceField(label=_("Avatar"), widget=forms.RadioSelect)
    country = forms.ChoiceField(
        label=_("Country"),
        choices=_country_choices,
        required=False,
        help_text=_("The flag is shown next to your login, unless you hide it under Privacy."),
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=languages,
        widget=forms.RadioSelect,
        help_text=_("Our emails to you use this language too."),
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        help_text=_("Our pages and emails show times in this zone."),
    )
    theme = forms.ChoiceField(
        label=_("Color theme"),
        choices=Preferences.Theme,
        widget=forms.RadioSelect,
        required=False,
    )
    skips_known_terms = forms.BooleanField(
        label=_("Join a game at once if I know its terms"),
        required=False,
        help_text=_(
            "In the list of games, the button then joins without showing the terms, but only if "
            "you have already played on exactly these: rules, time, stake, fee and who can watch."
        ),
    )
    has_calm_header = forms.BooleanField(
        label=_("Calm header"),
        required=False,
        help_text=_(
            "The header shows no credits, no gift and no counts. They stay in the menu and on "
            "their pages."
        ),
    )
    reviews_when_idle = forms.BooleanField(
        label=_("Review my matches automatically"),
        required=False,
        help_text=_(
            "While the computer has nothing else to do, it reviews your latest matches, up to "
            "ten a day. You then see your luck and skill by month without asking for each "
            "review."
        ),
    )
    shows_country = forms.BooleanField(label=_("My country and its flag"), required=False)
    shows_online = forms.BooleanField(
        label=_("My online status"),
        required=False,
        help_text=_(
            "If you hide it, only our team and your opponent at the table see it. A game you"
            " create is still listed while you are here, and so is any match you play that"
            " others can watch."
        ),
    )
    shows_record = forms.BooleanField(label=_("My matches and statistics"), required=False)
    shows_winnings = forms.BooleanField(
        label=_("My net winnings on the leaderboard"),
        required=False,
        help_text=_("Always hidden while your matches and statistics are hidden."),
    )

    PROFILE_FIELDS = (
        "crest", "country", "shows_country", "shows_online", "shows_record", "shows_winnings",
    )  # fmt: skip
    PREFERENCE_FIELDS = (
        "language", "theme", "skips_known_terms", "has_calm_header", "reviews_when_idle",
    )  # fmt: skip

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        profile: Profile,
        preferences: Preferences,
    ) -> None:
        super().__init__(data, initial=_initial(profile, preferences))
        avatars: list[tuple[str, Any]] = list(Profile.Avatar.choices)
        if profile.avatar_file:
            avatars.insert(0, (PICTURE, pgettext_lazy("avatar", "My picture")))
        self.fields["avatar"].choices = avatars  # type: ignore[attr-defined]
        self.fields["time_zone"].choices = _zone_choices(preferences)  # type: ignore[attr-defined]

    @property
    def keeps_picture(self) -> bool:
        return self.changed.get("avatar", PICTURE) == PICTURE

    @property
    def profile_fields(self) -> dict[str, Any]:
        """Return the profile's changed fields; of avatars only a ready-made one is a field."""
        names = self.PROFILE_FIELDS if self.keeps_picture else (*self.PROFILE_FIELDS, "avatar")
        return {name: each for name, each in self.changed.items() if name in names}

    @property
    def preference_fields(self) -> dict[str, Any]:
        """Return the changed preferences; the zone follows the device unless one is chosen."""
        changed = self.changed
        fields = {name: each for name, each in changed.items() if name in self.PREFERENCE_FIELDS}
        if "time_zone" not in changed:
            return fields
        zone = changed["time_zone"]
        fields |= {"time_zone": zone} if zone else {}
        return fields | {"keeps_time_zone": bool(zone)}


def _initial(profile: Profile, preferences: Preferences) -> dict[str, Any]:
    return {name: getattr(profile, name) for name in ProfileForm.PROFILE_FIELDS} | {
        "avatar": PICTURE if profile.avatar_file else profile.avatar,
        "language": preferences.language or get_language() or "",
        "theme": preferences.theme,
        "time_zone": preferences.time_zone if preferences.keeps_time_zone else "",
        "skips_known_terms": preferences.skips_known_terms,
        "has_calm_header": preferences.has_calm_header,
        "reviews_when_idle": preferences.reviews_when_idle,
    }


TABLE_LABELS = {
    "board": _("Board"),
    "checkers": _("Checkers"),
    "checker_color": _("My checkers"),
    "dice": _("Dice"),
    "tap": _("Tapping a checker"),
    "double_click": _("Double-clicking a checker"),
    "bear_off": _("Bearing off"),
    "end_of_turn": _("End of the turn"),
    "speed": _("Animation"),
    "entropy": _("What I add to the dice"),
    "volume": pgettext_lazy("of sounds", "Volume"),
    "auto_bear_off": _("Bear off automatically when it makes no difference"),
    "warn_blunders": _("Warn me before a blunder"),
    "numbers": _("Point numbers"),
    "their_numbers": _("Opponent’s moves in their own numbers"),
    "pips": _("Pip counts"),
    "avatars": _("Player pictures"),
    "sound_checkers": pgettext_lazy("sound", "Checkers"),
    "sound_dice": pgettext_lazy("sound", "Dice"),
    "sound_turn": pgettext_lazy("sound", "Your turn"),
    "sound_time": pgettext_lazy("sound", "Time is running out"),
    "vibration": _("Vibrate on my turn and when time is short"),
    "letter_keys": _("Letter keys work on the whole page"),
    "mirror_short": _("Short backgammon: my home on the left"),
    "mirror_long": _("Long nardy: my home on the left"),
}


class TableForm(ShownForm):
    """The fields of `Preferences.TABLE_FIELDS`.

    A choice missing from the data keeps its value; a missing checkbox is false. The offered looks
    are those that the member may wear.
    """

    def __init__(self, data: Mapping[str, Any] | None = None, *, preferences: Preferences) -> None:
        names = Preferences.TABLE_FIELDS
        super().__init__(data, initial={name: getattr(preferences, name) for name in names})
        self.fields.update(fields_for_model(Preferences, names))
        for kind, titles in wearable(preferences.user_id).items():
            self.fields[kind].choices = list(titles.items())  # type: ignore[attr-defined]
        for name, field in self.fields.items():
            field.label = TABLE_LABELS[name]
            field.required = False
            if name == "volume":
                attrs = {"type": "range", "min": 0, "max": 100, "step": 10}
                field.widget = forms.NumberInput(attrs)
            elif isinstance(field, forms.ChoiceField):
                field.widget = forms.RadioSelect()
                field.widget.choices = field.choices

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        return {n: self.initial[n] if value == "" else value for n, value in cleaned.items()}
