"""Titles of players by their ratings.

Each language names the titles in its own way: English by strength, Russian by the ranks of sport,
Turkish by the ranks of a craft.
"""

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from stats.rating import Standing
from stats.selectors import rounded

# The least rating, as it is shown, of each title; the best first.
TITLES: tuple[tuple[int, Promise], ...] = (
    (1900, pgettext_lazy("title", "Grandmaster")),
    (1750, pgettext_lazy("title", "Master")),
    (1650, pgettext_lazy("title", "Expert")),
    (1550, pgettext_lazy("title", "Advanced")),
    (1400, pgettext_lazy("title", "Intermediate")),
)
LOWEST = pgettext_lazy("title", "Beginner")


def title_of(standing: Standing) -> Promise | None:
    """Return the title; None while the rating is provisional."""
    if standing.is_provisional:
        return None
    rating = rounded(standing.rating)
    return next((title for least, title in TITLES if rating >= least), LOWEST)
