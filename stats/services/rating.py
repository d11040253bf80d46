"""Rating of finished matches, one after another, in a stored order."""

from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import F, QuerySet

from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from games.engine.match.state import MatchCause
from games.engine.sides import Side
from games.models import Match
from games.selectors import has_played_game
from stats.models import Ladder, RatedMatch, Rating, RatingChange
from stats.rating import Standing, chance, change, played_weight, weight_of

# The name of this work in the worker's loop.
RATINGS = "ratings"
BATCH = 50  # matches rated in one transaction
_COUNTERS = {1.0: "won", 0.5: "drawn", 0.0: "lost"}  # field of Rating, by result


def enter(match: Match) -> None:
    """Queue a finished match for rating, if its kind is rated and it counts.

    A void match does not count, and neither does one without a game in which both players have
    finished a turn: giving up at once would sell rating points.
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
    """Rate up to `BATCH` waiting matches, the first to finish first; return their number."""
    if not waiting().exists():
        return 0
    with write_transaction():
        ladder = lock_ladder()
        rows = list(waiting()[:BATCH])
        for row in rows:
            ladder.last_place += 1
            row.place, row.rated_at = ladder.last_place, now
            row.save(update_fields=["place", "rated_at"])
            rate(row)
        ladder.save(update_fields=["last_place"])
    return len(rows)


def lock_ladder() -> Ladder:
    """Lock the ladder, so that one worker rates at a time and places have no gaps."""
    Ladder.objects.get_or_create(pk=1)
    return Ladder.objects.select_for_update(no_key=True).get(pk=1)


def rate(row: RatedMatch) -> None:
    """Apply one match to both ratings. The caller has locked the ladder."""
    match = row.match
    length = match.match_rules.length
    assert length is not None  # a session without a length is not rated
    results = {
        seat.user_id: _result(match, seat.side) for seat in match.seats.all() if seat.user_id
    }
    ratings = {user_id: _rating(user_id, match.variant) for user_id in sorted(results)}
    standings = {id: Standing(found.rating, found.experience) for id, found in ratings.items()}
    of_pair = weight_of(_number_of_pair(row, sorted(results)))
    turns = match.actions.turns_by_side()
    fewer_turns = min(turns.get(side.value, 0) for side in Side)
    for user_id, other_id in zip(sorted(results), sorted(results, reverse=True), strict=True):
        own, other, result = standings[user_id], standings[other_id], results[user_id]
        played = played_weight(fewer_turns, result)
        weight = of_pair * played
        moved = change(own, other, length, result, weight)
        RatingChange.objects.create(
            rated=row,
            user_id=user_id,
            variant=match.variant,
            length=length,
            result=Decimal(str(result)),
            before=own.rating,
            opponent_before=other.rating,
            experience_before=own.experience,
            chance=Decimal(chance(own.rating, other.rating, length)).quantize(Decimal("0.0001")),
            weight=Decimal(weight).quantize(Decimal("0.000001")),
            played_weight=Decimal(str(played)),
            change=moved,
            net_credits=_net_credits(match, result),
        )
        counter = _COUNTERS[result]
        Rating.objects.filter(pk=ratings[user_id].pk).update(
            rating=F("rating") + moved,
            experience=F("experience") + length,
            **{counter: F(counter) + 1},
        )


def _result(match: Match, side: str) -> float:
    return 0.5 if not match.winner else float(match.winner == side)


def _net_credits(match: Match, result: float) -> int:
    if result == 0.5:
        return 0
    won = match.stake_credits - match.rake_credits
    return won if result else -match.stake_credits


def _rating(user_id: int, variant: str) -> Rating:
    return Rating.objects.get_or_create(user_id=user_id, variant=variant)[0]


def _number_of_pair(row: RatedMatch, pair: list[int]) -> int:
    """Return the match's number (from 1) among the pair's matches of the day (UTC)."""
    day = row.finished_at.replace(hour=0, minute=0, second=0, microsecond=0)
    earlier = RatedMatch.objects.filter(
        place__lt=row.place, finished_at__gte=day, finished_at__lt=day + timedelta(days=1)
    )
    for user_id in pair:
        earlier = earlier.filter(match__seats__user_id=user_id)
    return earlier.count() + 1
