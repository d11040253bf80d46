"""A player's finished training matches and their record against each bot."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from games import selectors
from games.bots.opponents import OPPONENTS
from games.engine.match.state import MatchCause
from games.engine.rules import Variant
from games.models import Match, Seat
from games.models.actor import Actor
from games.models.kind import kinds_where


@dataclass(frozen=True, slots=True)
class Tally:
    """Matches won, lost and drawn, as the player sees them."""

    variant: str
    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def played(self) -> int:
        return self.won + self.lost + self.drawn


@dataclass(frozen=True, slots=True)
class LevelRecord:
    """The record against one bot: a tally for each variant, in the order of `Variant`."""

    name: Any
    level: Any
    tallies: tuple[Tally, ...]


def finished_training(actor: Actor) -> QuerySet[Match]:
    """Return the actor's finished training matches, newest first."""
    finished = selectors.finished_matches(actor).filter(kind__in=kinds_where(lambda k: k.has_bot))
    return finished.order_by("-finished_at", "-pk")


def record_by_level(actor: Actor) -> list[LevelRecord]:
    """Return the record against each bot with a finished match, the weakest bot first.

    Takes one query. Void matches do not count.
    """
    matches = finished_training(actor).exclude(outcome=MatchCause.VOID.value).order_by()
    bot_won, drawn = Q(match__winner=F("side")), Q(match__winner="")
    rows = (
        Seat.objects.filter(match__in=matches.values("pk"))
        .exclude(bot="")
        .values("bot", "match__variant")
        .annotate(
            lost=Count("pk", filter=bot_won),
            drawn=Count("pk", filter=drawn),
            won=Count("pk", filter=~bot_won & ~drawn),
        )
    )
    found = {
        (row["bot"], row["match__variant"]): Tally(
            row["match__variant"], row["won"], row["lost"], row["drawn"]
        )
        for row in rows
    }
    return [
        LevelRecord(
            bot.name,
            bot.level,
            tuple(found.get((bot.value, each.value), Tally(each.value)) for each in Variant),
        )
        for bot in OPPONENTS
        if any(level == bot.value for level, _variant in found)
    ]
