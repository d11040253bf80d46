"""Sentences about spectators and the rating range of an announced game."""

from typing import Protocol

from django.utils.translation import gettext as _

from games.rulebook.summary import RuleLine


class Watchable(Protocol):
    """An announcement, a seek, or the match that it became."""

    @property
    def is_public(self) -> bool: ...


def conditions(game: Watchable) -> list[RuleLine]:
    """Describe who may watch, and the ratings that may join."""
    watching = _("Everyone can watch") if game.is_public else _("Nobody else can watch")
    lines = [RuleLine("eye" if game.is_public else "eye-off", _("Spectators"), watching)]
    asked = rating_range(getattr(game, "least_rating", None), getattr(game, "most_rating", None))
    if asked:
        lines.append(RuleLine("gauge", _("Rating range"), asked))
    return lines


def rating_range(least: int | None, most: int | None) -> str:
    """Format as "1400-1600" (en dash), "from 1400", "up to 1600"; "" without bounds."""
    if least is not None and most is not None:
        return f"{least}\u2013{most}"
    if least is not None:
        return _("from %(rating)d") % {"rating": least}
    return "" if most is None else _("up to %(rating)d") % {"rating": most}
