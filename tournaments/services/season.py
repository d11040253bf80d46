"""Points of the season: stored when a tournament ends, and computed again from its results."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from accounts.shared.transactions import write_transaction
from tournaments import states
from tournaments.formats import PlayedRound
from tournaments.models import SeasonPoints, Tournament
from tournaments.selectors import final_standings, played_rounds, staying_in
from tournaments.services.locking import lock

# Pairs (last place, points): 10 points for place 1, 7 for place 2, 5 for places 3 and 4.
POINTS = ((1, 10), (2, 7), (4, 5), (8, 3))
# Points of everyone else who played.
PLAYED = 1
# A tournament of fewer entrants brings no points, nor does one with computer opponents.
LEAST_ENTRANTS = 4


def season_of(at: datetime) -> str:
    moment = at.astimezone(UTC)
    return f"{moment.year}-{(moment.month + 2) // 3}"


def points_of(place: int) -> int:
    return next((points for last, points in POINTS if place <= last), PLAYED)


def award(tournament: Tournament, rounds: Sequence[PlayedRound]) -> None:
    """Store the points of a locked tournament that has just ended."""
    SeasonPoints.objects.bulk_create(_points(tournament, rounds))


def _points(tournament: Tournament, rounds: Sequence[PlayedRound]) -> list[SeasonPoints]:
    """Return the points of entrants who played a match and stayed to the end.

    Their places are among all who stayed.
    """
    is_counted = len(tournament.entrant_ids) >= LEAST_ENTRANTS
    if not is_counted or tournament.computer_entrants or tournament.finished_at is None:
        return []
    at_table = {
        entrant
        for each in rounds
        for played in each
        if not played.walkover and played.second is not None
        for entrant in (played.first, played.second)
    }
    staying = staying_in([tournament.pk])
    counted = at_table & staying
    season = season_of(tournament.finished_at)
    return [
        SeasonPoints(
            entrant_id=each.entrant, season=season, place=each.place, points=points_of(each.place)
        )
        for each in final_standings(tournament, rounds, staying)
        if each.entrant in counted
    ]


def rebuild() -> Iterator[tuple[str, bool]]:
    """Compute the points of every finished tournament again.

    Yields each tournament's public id and whether its stored points were wrong.
    """
    finished = Tournament.objects.filter(state=states.FINISHED).order_by("pk")
    for tournament_id in list(finished.values_list("pk", flat=True)):
        with write_transaction():
            tournament = lock(tournament_id)
            found = _points(tournament, played_rounds(tournament))
            stored = SeasonPoints.objects.filter(entrant__tournament=tournament)
            before = set(stored.values_list("entrant", "season", "place", "points"))
            computed = {(each.entrant_id, each.season, each.place, each.points) for each in found}
            if before != computed:
                stored.delete()
                SeasonPoints.objects.bulk_create(found)
        yield tournament.public_id, before != computed
