"""The most interesting table of the running round, drawn as spectators see it."""

from dataclasses import dataclass

from games.board_svg import Drawing, spectators_drawing
from games.engine.match.state import IN_GAME
from games.models import Match
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Shown:
    """A table to watch, with the drawing of its board."""

    match: Match
    drawing: Drawing


def shown_table(tournament: Tournament, seen: str = "") -> Shown | None:
    """Return the drawing of `best_table`; None if there is no such table."""
    match = best_table(tournament, seen)
    return Shown(match, spectators_drawing(match)) if match else None


def best_table(tournament: Tournament, seen: str = "") -> Match | None:
    """Return the most interesting table in play; None if there is none.

    The table that the page shows already, whose public id is `seen`, is preferred while it is in
    play. Tables whose position is hidden or delayed are left out.
    """
    phases = [phase.value for phase in IN_GAME]
    found = Match.objects.filter(
        fixture__round__tournament=tournament, fixture__finished_at__isnull=True,
        is_public=True, is_delayed=False, finished_at__isnull=True, phase__in=phases,
    )  # fmt: skip
    scores = found.values_list("public_id", "snapshot__score", "pk")
    best = min(scores, key=lambda row: (row[0] != seen, *_interest(row[1]), row[2]), default=None)
    if best is None:
        return None
    return found.filter(pk=best[2]).prefetch_related("seats__user__profile").first()


def _interest(score: list[int]) -> tuple[int, int]:
    """Return a sort key: first the table whose leader has most points, then the closest score."""
    return -max(score), max(score) - min(score)
