"""Queries about tournaments."""

from collections.abc import Collection, Sequence

from django.core.cache import caches
from django.db.models import Q, QuerySet

from games.selectors import find_match
from tournaments import states
from tournaments.formats import FORMATS, Played, PlayedRound, Standing
from tournaments.formats.values import ranked_among
from tournaments.models import Entrant, Fixture, TimelineEntry, Tournament

RUNNING_KEY = "tournaments:running"
# Seconds for which each process keeps the number of running tournaments in its cache. After a
# nudge, pages wait a little longer than this before they ask again (templates/base.html).
RUNNING_KEPT_S = 4


def running_count() -> int:
    """Return the number of running tournaments, at most RUNNING_KEPT_S seconds old."""
    found = Tournament.objects.filter(state=states.RUNNING)
    return caches["pages"].get_or_set(RUNNING_KEY, found.count, RUNNING_KEPT_S) or 0


def find_fixture(match_id: str) -> Fixture | None:
    """Return the fixture of the match with this public id.

    The match may be the present one of the fixture, an earlier one that was drawn, or one that was
    void and is played again.
    """
    fixtures = Fixture.objects.select_related("round__tournament", "first", "second")
    by_match = fixtures.filter(match__public_id=match_id).first()
    by_match = by_match or fixtures.filter(drawn_match__public_id=match_id).first()
    return by_match or _find_replayed(fixtures, match_id)


def _find_replayed(fixtures: QuerySet[Fixture], match_id: str) -> Fixture | None:
    """Find the fixture of a match that is played again; only the timeline still names the match."""
    match = find_match(match_id)
    if match is None or not match.policy.is_of_tournament or not match.is_finished:
        return None
    during = Q(finished_at__isnull=True) | Q(finished_at__gte=match.created_at)
    tournaments = Tournament.objects.filter(during, started_at__lte=match.created_at)
    replays = TimelineEntry.objects.filter(
        tournament__in=tournaments, event=TimelineEntry.Event.REPLAY, detail__match=match_id
    )
    replay = replays.first()
    if replay is None:
        return None
    of_players = Q(first__user__in=_people(replay)) | Q(second__user__in=_people(replay))
    in_round = fixtures.filter(
        round__tournament=replay.tournament_id, round__number=replay.detail["round"]
    )
    return in_round.filter(of_players).first()


def _people(entry: TimelineEntry) -> list[int]:
    """Return the user ids of an entry's players; a free place is stored as None."""
    return [user_id for user_id in entry.detail["users"] if user_id is not None]


def played_rounds(tournament: Tournament) -> list[PlayedRound]:
    """Return the rounds whose fixtures are all decided, in the form that formats take."""
    return rounds_by_tournament([tournament.pk]).get(tournament.pk, [])


def rounds_by_tournament(tournament_ids: Collection[int]) -> dict[int, list[PlayedRound]]:
    """Return the decided rounds by tournament id, without tournaments that have none. One query."""
    fixtures = Fixture.objects.filter(round__tournament__in=tournament_ids)
    by_round: dict[tuple[int, int], list[Fixture]] = {}
    for fixture in fixtures.select_related("round").order_by("round__number", "number"):
        key = (fixture.round.tournament_id, fixture.round.number)
        by_round.setdefault(key, []).append(fixture)
    rounds: dict[int, list[PlayedRound]] = {}
    for (tournament_id, _number), found in by_round.items():
        if all(fixture.finished_at for fixture in found):
            played = tuple(played_of(fixture) for fixture in found)
            rounds.setdefault(tournament_id, []).append(played)
    return rounds


def played_of(fixture: Fixture) -> Played:
    """Return a fixture in the form that formats take; before it is decided, it has no winner."""
    return Played(
        first=fixture.first_id,
        second=fixture.second_id,
        winner=fixture.winner_id,
        points=(fixture.first_points, fixture.second_points),
        walkover=fixture.is_technical,
    )


def staying_in(tournament_ids: Collection[int]) -> set[int]:
    """Return the ids of the entrants who have neither withdrawn nor been left out. One query."""
    found = Entrant.objects.filter(tournament__in=tournament_ids, state=Entrant.State.ENTERED)
    return set(found.values_list("pk", flat=True))


def final_standings(
    tournament: Tournament, rounds: Sequence[PlayedRound], staying: Collection[int]
) -> list[Standing]:
    """Return the final places of the entrants who stayed, or of all entrants if nobody stayed.

    `staying` may name entrants of other tournaments too.
    """
    table = FORMATS[tournament.format].standings(tournament.entrant_ids, rounds)
    return ranked_among(table, staying)


def declared_winners(tournament: Tournament) -> list[int]:
    """Return the user ids of the winners that the timeline names at the tournament's end."""
    return winners_by_tournament([tournament.pk]).get(tournament.pk, [])


def winners_by_tournament(tournament_ids: Collection[int]) -> dict[int, list[int]]:
    """Return the user ids of the winners of each tournament that has ended. One query."""
    entries = TimelineEntry.objects.filter(
        tournament__in=tournament_ids, event=TimelineEntry.Event.FINISHED
    )
    found = entries.values_list("tournament", "detail")
    return {tournament_id: detail["winners"] for tournament_id, detail in found}
