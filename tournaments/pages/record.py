"""A member's tournaments in numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F

from tournaments import states
from tournaments.formats import FORMATS, PlayedRound
from tournaments.models import Entrant
from tournaments.selectors import rounds_by_tournament

# Tournaments, the latest first, whose places are computed because none is stored: those without
# season points, such as the small ones against computer opponents.
MOST_COMPUTED = 100


@dataclass(frozen=True, slots=True)
class TournamentRecord:
    """Numbers of tournaments; `best` is the best place, None if none is known."""

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
    found = list(
        entries.select_related("tournament")
        .annotate(stored_place=F("season_points__place"), prize_credits=F("prize__credits"))
        .order_by("-tournament__finished_at", "-pk")
    )
    places = _places(found)
    staying = [place for entry, place in places if entry.state != Entrant.State.OUT]
    return TournamentRecord(
        played=len(found),
        won=staying.count(1),
        best=min((place for _entry, place in places), default=None),
    )


def _places(entries: Sequence[Any]) -> list[tuple[Entrant, int]]:
    """Return the known places: stored with prize or season points, else computed for the latest."""
    unknown = [entry for entry in entries if _stored_place(entry) is None][:MOST_COMPUTED]
    rounds = rounds_by_tournament([each.tournament_id for each in unknown]) if unknown else {}
    computed = {entry.pk: _computed_place(entry, rounds) for entry in unknown}
    found = ((entry, _stored_place(entry) or computed.get(entry.pk)) for entry in entries)
    return [(entry, place) for entry, place in found if place is not None]


def _stored_place(entry: Any) -> int | None:
    place: int | None = 1 if entry.prize_credits else entry.stored_place
    return place


def _computed_place(entry: Any, rounds: Mapping[int, Sequence[PlayedRound]]) -> int:
    rules, tournament = FORMATS[entry.tournament.format], entry.tournament
    standings = rules.standings(tournament.entrant_ids, rounds.get(tournament.pk, []))
    return next(each.place for each in standings if each.entrant == entry.pk)
