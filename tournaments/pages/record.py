"""A member's tournaments in numbers."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q

from tournaments import states
from tournaments.models import Entrant


@dataclass(frozen=True, slots=True)
class TournamentRecord:
    """Numbers of tournaments; `best` is the best place that brought season points.

    `best` is None if no tournament brought points.
    """

    played: int
    won: int
    best: int | None


def record_of(user_id: int, since: datetime | None, variant: str = "") -> TournamentRecord:
    """Return the member's record in the tournaments that ended at `since` or later."""
    entries = Entrant.objects.filter(user_id=user_id, tournament__state=states.FINISHED)
    entries = entries.exclude(state=Entrant.State.WITHDRAWN)
    if since is not None:
        entries = entries.filter(tournament__finished_at__gte=since)
    if variant:
        entries = entries.filter(tournament__variant=variant)
    is_won = Q(prize__isnull=False) | Q(season_points__place=1)
    sums = entries.aggregate(
        played=Count("pk"), won=Count("pk", filter=is_won), best=Min("season_points__place")
    )
    return TournamentRecord(**sums)
