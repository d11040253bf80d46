"""Three usual games, offered at the top of the lobby; each prefills the form of a new game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from games.engine.rules import Rules, Variant
from games.rulebook.summary import likely_minutes

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


@dataclass(frozen=True, slots=True)
class QuickGame:
    code: str
    title: "StrPromise"
    variant: Variant
    length: int  # points
    seconds: int  # delay of a turn; named like the form's field

    @property
    def choices(self) -> dict[str, Any]:
        """Return the values of the form's fields."""
        return {"variant": self.variant.value, "length": self.length, "seconds": self.seconds}

    @property
    def minutes(self) -> int:
        rules = Rules.of(self.variant.value, length=self.length, delay_ms=self.seconds * 1000)
        return likely_minutes(rules)


QUICK_GAMES = (
    QuickGame("fast", _("1 point"), Variant.SHORT, 1, 10),
    QuickGame("three", _("3 points"), Variant.SHORT, 3, 30),
    QuickGame("long", _("1 point"), Variant.LONG, 1, 30),
)


def asked_choices(query: Mapping[str, str]) -> dict[str, Any]:
    """Return the choices of the game named by `quick` in the URL; empty for an unknown name."""
    code = query.get("quick", "")
    return next((game.choices for game in QUICK_GAMES if game.code == code), {})
