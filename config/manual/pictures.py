"""A picture of each chapter of the manual: a page of the site as it looks on a phone.

`python -m tests.pictures.manual` takes them from the running site.
"""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _

WIDTH, HEIGHT = 390, 700  # pixels

# Texts for readers who do not see the pictures.
ALTS = {
    "start": _("The home page: a board, a button that starts a game, and what is going on."),
    "account": _("The form that creates an account: login, email and password."),
    "table": _("A match in progress: the board between the two players, the dice and the buttons."),
    "training": _("The form for a match against the computer: game, points and six opponents."),
    "people": _("The open games page: Play now, games to join and games to watch."),
    "tournaments": _(
        "A tournament that you have entered: its start, its terms and what you can do."
    ),
    "credits": _("The credits statement: what is available, and what is reserved for a game."),
    "settings": _("The profile: the color and the avatar, with links to the other settings."),
    "community": _("Messages between two members."),
    "progress": _("A member’s statistics: matches, wins and ratings."),
    "dice": _(
        "The review of a match: the board after a move, and buttons that lead from move to move."
    ),
    "help": _("The support page: your requests, and topics to choose from before writing to us."),
}


@dataclass(frozen=True, slots=True)
class Picture:
    """`path` is below `static`."""

    path: str
    alt: Any
    width: int = WIDTH
    height: int = HEIGHT


def picture_of(slug: str, language: str) -> Picture:
    """Return the picture of a chapter; a language without pictures gets those in English."""
    own = path_of(slug, language)
    is_there = (settings.BASE_DIR / "static" / own).exists()
    return Picture(own if is_there else path_of(slug, settings.LANGUAGE_CODE), ALTS[slug])


def path_of(slug: str, language: str) -> str:
    return f"img/manual/{language}/{slug}.webp"
