"""A member's tournaments in numbers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F

from tournaments import states
from tournaments.formats import PlayedRound
from tournaments.models import Entrant
from tournaments.selectors import final_standings, rounds_by_tournament, staying_in

# Maximum number of tournaments, the latest first, whose places are computed because none is stored:
# those without season points, such as small ones and those with computer opponents.
MOST_COMPUTED = 100


@dataclass(frozen=True, slots=True)
class TournamentRecord:
    """Numbers of tournaments; `best` is the best place, None if no place is known.

    A member who was left out of a tournament has played it, but has no place in it.
    """

    played: int
    won: int
    best: int | None


def record_of(user_id: int, since: datetime | None, variant: str = "") -> TournamentRecord:
    """Return the member's record in the tournaments that ended at `since` or later."""
    entrants = Entrant.objects.filter(user_id=user_id, tournament__state=states.FINISHED)
    entrants = entrants.exclude(state=Entrant.State.WITHDRAWN)
    if since is not None:
        entrants = entrants.filter(tournament__finished_at__gte=since)
    if variant:
        entrants = entrants.filter(tournament__variant=variant)
    found = list(
        entrants.select_related("tournament")
        .annotate(stored_place=F("season_points__place"), prize_credits=F("prize__credits"))
        .order_by("-tournament__finished_at", "-pk")
    )
    places = _places(found)
    return TournamentRecord(played=len(found), won=places.count(1), best=min(places, default=None))


def _places(entrants: Sequence[Any]) -> list[int]:
    """Return the known places: stored with prize or season points, else computed for the latest."""
    unknown = [entrant for entrant in entrants if _stored_place(entrant) is None][:MOST_COMPUTED]
    ids = [each.tournament_id for each in unknown]
    rounds, staying = (rounds_by_tournament(ids), staying_in(ids)) if ids else ({}, set())
    computed = {entrant.pk: _computed_place(entrant, rounds, staying) for entrant in unknown}
    found = (_stored_place(entrant) or computed.get(entrant.pk) for entrant in entrants)
    return [place for place in found if place is not None]


def _stored_place(entrant: Any) -> int | None:
    place: int | None = 1 if entrant.prize_credits else entrant.stored_place
    return place


def _computed_place(
    entrant: Any, rounds: Mapping[int, Sequence[PlayedRound]], staying: Collection[int]
) -> int | None:
    tournament = entrant.tournament
    places = final_standings(tournament, rounds.get(tournament.pk, []), staying)
    return next((each.place for each in places if each.entrant == entrant.pk), None)
