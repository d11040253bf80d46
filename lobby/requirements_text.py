"""Sentences about a game or a match: spectators, a hidden stake, who may join."""

from typing import Protocol

from django.utils.translation import gettext as _

from games.models.delayed_view import is_delayed_at
from games.rulebook.summary import RuleLine
from lobby.models import Seek


class Watchable(Protocol):
    """An announcement that is not made yet, a seek, an invitation or a match.

    Only the first two have `access` and a range of ratings.
    """

    @property
    def is_public(self) -> bool: ...
    @property
    def hides_stake(self) -> bool: ...
    @property
    def stake_credits(self) -> int: ...


def conditions(game: Watchable) -> list[RuleLine]:
    """Describe who may watch, who sees the stake, and who may join, also by rating."""
    icon = "eye" if game.is_public else "eye-off"
    lines = [RuleLine(icon, _("Spectators"), _watching(game))]
    if game.hides_stake:
        lines.append(
            RuleLine("coins", _("Stake"), _("Once the game begins, only the two players see it"))
        )
    if getattr(game, "access", "") == Seek.Access.FRIENDS:
        lines.append(RuleLine("users", _("Who may join"), _("Only friends of the game’s creator")))
    asked = rating_range(getattr(game, "least_rating", None), getattr(game, "most_rating", None))
    if asked:
        lines.append(RuleLine("gauge", _("Rating range"), asked))
    return lines


def _watching(game: Watchable) -> str:
    if not game.is_public:
        return _("Nobody else can watch")
    is_delayed = getattr(game, "is_delayed", None)
    if is_delayed is None:  # the match has not begun
        is_delayed = is_delayed_at(game.stake_credits, hides_stake=game.hides_stake)
    return _("Everyone can watch, one turn behind") if is_delayed else _("Everyone can watch")


def rating_range(least: int | None, most: int | None) -> str:
    """Format as "1400-1600" (en dash), "from 1400", "up to 1600"; "" without bounds."""
    if least is not None and most is not None:
        return f"{least}\u2013{most}"
    if least is not None:
        return _("from %(rating)d") % {"rating": least}
    return "" if most is None else _("up to %(rating)d") % {"rating": most}
