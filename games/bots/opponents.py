"""The opponents as pages show them: names, levels, faces; `games.ai.bots` decides their plays."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from accounts.profile.avatar_urls import ready_made_url
from games.bots.strength import MEASURED, Strength


@dataclass(frozen=True, slots=True)
class Opponent:
    """A bot. `value` is the level's code; `level`, `name` and `about` are lazy texts for pages.

    `avatar` is the id of a `<view>` in static/img/avatars.svg.
    """

    value: str
    level: Any
    name: Any
    avatar: str
    about: Any

    @property
    def title(self) -> str:
        """Name and level, with the word *bot* for lists that show people too."""
        text = pgettext("a bot's name and level", "%(name)s · %(level)s (bot)")
        return text % {"name": self.name, "level": self.level}

    @property
    def face(self) -> str:
        return ready_made_url(self.avatar)

    @property
    def strengths(self) -> dict[str, Strength]:
        """Measured strength by variant."""
        return {variant: each.levels[self.value] for variant, each in MEASURED.items()}


OPPONENTS = (
    Opponent(
        "beginner",
        pgettext_lazy("level", "Beginner"),
        pgettext_lazy("bot's name", "Lola"),
        "cat",
        _("Sees the good moves, but often plays one that is clearly worse."),
    ),
    Opponent(
        "casual",
        pgettext_lazy("level", "Casual"),
        pgettext_lazy("bot's name", "Niko"),
        "fox",
        _("Plays for fun: many moves are good, some are not."),
    ),
    Opponent(
        "club",
        pgettext_lazy("level", "Club"),
        pgettext_lazy("bot's name", "Mira"),
        "bear",
        _("Plays soundly, with small slips here and there."),
    ),
    Opponent(
        "strong",
        pgettext_lazy("level", "Strong"),
        pgettext_lazy("bot's name", "Timur"),
        "horse",
        _("Always plays what looks best at first glance, without looking ahead."),
    ),
    Opponent(
        "expert",
        pgettext_lazy("level", "Expert"),
        pgettext_lazy("bot's name", "Leyla"),
        "owl",
        _("Looks one turn ahead: at all of your rolls and your best answers."),
    ),
    Opponent(
        "master",
        pgettext_lazy("level", "Master"),
        pgettext_lazy("bot's name", "Arslan"),
        "lion",
        _("Looks two turns ahead: at your answers and at its own after them."),
    ),
)
LEVELS = [(each.value, each.level) for each in OPPONENTS]


def title_of(value: str) -> str:
    """Return the name and level of a bot, or its stored value if the bot no longer exists."""
    return next((each.title for each in OPPONENTS if each.value == value), value)


def face_of(value: str) -> str:
    """Return the URL of a bot's picture, the first bot's if the bot no longer exists."""
    return next((each.face for each in OPPONENTS if each.value == value), OPPONENTS[0].face)
