"""Rate finished matches, one after another, in a stored order."""

import logging
from datetime import datetime, timedelta

from django.db.models import F, QuerySet

from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from games.engine.match.state import MatchCause
from games.models import Match
from games.selectors import has_played_game
from stats.models import Ladder, RatedMatch, Rating
from stats.rating import Standing
from stats.services.changes import Result, changes_by, result_of

logger = logging.getLogger(__name__)

# The name of this work in the worker's loop.
RATINGS = "ratings"
BATCH = 50  # matches rated in one call
RETRIES = deadlines.Retries(logger, "match not rated", "rated_match")
COUNTERS = {1.0: "won", 0.5: "drawn", 0.0: "lost"}  # field of Rating, by result


def enter(match: Match) -> None:
    """Queue a finished match for rating, if its kind is rated and it counts.

    A void match does not count. Neither does a match without a game in which both players finished
    a turn, since otherwise rating points could be sold by giving up at once.
    """
    if not match.policy.is_rated or match.outcome == MatchCause.VOID:
        return
    if not has_played_game(match):
        return
    assert match.finished_at is not None
    row = RatedMatch(match=match, finished_at=match.finished_at)
    RatedMatch.objects.bulk_create([row], ignore_conflicts=True)
    deadlines.note(RATINGS, match.finished_at)


def waiting() -> QuerySet[RatedMatch]:
    """Return the matches to be rated, the first to finish first."""
    return RatedMatch.objects.filter(place__isnull=True).order_by("finished_at", "id")


def rate_waiting(now: datetime) -> int:
    """Rate up to `BATCH` waiting matches, the first to finish first; return their number.

    A match that fails is tried again later and stops no other match. A match gets its place when it
    is rated, so the stored order, which a rebuild follows, is the order in which ratings changed.
    """
    ready = waiting().exclude(id__in=RETRIES.resting(now)).values_list("id", flat=True)
    rated: list[int] = []

    def rate_next(row_id: int) -> None:
        if _place_and_rate(row_id, now):
            rated.append(row_id)

    RETRIES.settle(list(ready[:BATCH]), rate_next, now)
    return len(rated)


def next_try_at(now: datetime) -> datetime | None:
    """Return when to try a failed match again; None if no match failed."""
    return RETRIES.next_at(None, now)


def lock_ladder() -> Ladder:
    """Lock the ladder, so that one worker rates or counts at a time and places have no gaps."""
    Ladder.objects.get_or_create(pk=1)
    return Ladder.objects.select_for_update(no_key=True).get(pk=1)


def _place_and_rate(row_id: int, now: datetime) -> bool:
    """Rate one match and give it the next place; return False if another worker has rated it."""
    with write_transaction():
        ladder = lock_ladder()
        row = waiting().filter(pk=row_id).first()
        if row is None:
            return False
        ladder.last_place += 1
        row.place, row.rated_at = ladder.last_place, now
        row.save(update_fields=["place", "rated_at"])
        _rate(row)
        ladder.save(update_fields=["last_place"])
    return True


def _rate(row: RatedMatch) -> None:
    """Apply one match to both ratings. The caller has locked the ladder."""
    result = result_of(row)
    ratings = {user_id: _rating(user_id, result.variant) for user_id in result.pair}
    standings = {id: Standing(found.rating, found.experience) for id, found in ratings.items()}
    for made in changes_by(result, standings, _number_of_pair(row, result)):
        made.save(force_insert=True)
        counter = COUNTERS[result.results[made.user_id]]
        Rating.objects.filter(pk=ratings[made.user_id].pk).update(
            rating=F("rating") + made.change,
            experience=F("experience") + result.length,
            **{counter: F(counter) + 1},
        )


def _rating(user_id: int, variant: str) -> Rating:
    return Rating.objects.get_or_create(user_id=user_id, variant=variant)[0]


def _number_of_pair(row: RatedMatch, result: Result) -> int:
    """Return the match's number (from 1) among the pair's matches of the day (UTC)."""
    day = row.finished_at.replace(hour=0, minute=0, second=0, microsecond=0)
    earlier = RatedMatch.objects.filter(
        place__lt=row.place, finished_at__gte=day, finished_at__lt=day + timedelta(days=1)
    )
    for user_id in result.pair:
        earlier = earlier.filter(match__seats__user_id=user_id)
    return earlier.count() + 1
