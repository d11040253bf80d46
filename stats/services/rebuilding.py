"""Rebuild all ratings from the matches, and say what differs from before."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction

from accounts.shared.transactions import write_transaction
from games import selectors
from games.engine.errors import EngineError
from games.models import Match
from stats.kept_totals import forget_totals
from stats.models import RatedMatch, Rating, RatingChange
from stats.services.rating import lock_ladder, rate

# Called with what was done and with how many matches are done, of how many.
Progress = Callable[[str, int, int], None]
CHECKING, RATING = "checked", "rated"


@dataclass(frozen=True, slots=True)
class Difference:
    """A member's rating in a variant before and after; None without a rated match."""

    login: str
    variant: str
    before: Decimal | None
    after: Decimal | None


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """`unproven` are the public ids of matches whose log does not give their stored result."""

    matches: int
    unproven: list[str]
    differences: list[Difference]


def rebuild(progress: Progress = lambda what, done, total: None) -> Rebuilt:
    """Recompute all ratings in the stored order of the matches.

    The logs are folded first, without a lock: play goes on meanwhile. A match whose log gives
    another result is rated by its stored one, by which it was paid.
    """
    unproven = _unproven(progress)
    with write_transaction():
        lock_ladder()
        before = _ratings()
        RatingChange.objects.all().delete()
        Rating.objects.all().delete()
        rows = RatedMatch.objects.filter(place__isnull=False).order_by("place")
        total = rows.count()
        for number, row in enumerate(rows.select_related("match").iterator(chunk_size=200), 1):
            rate(row)
            progress(RATING, number, total)
        after = _ratings()
        transaction.on_commit(forget_totals)
    return Rebuilt(total, unproven, _differences(before, after))


def _unproven(progress: Progress) -> list[str]:
    matches = Match.objects.filter(rated__place__isnull=False).order_by("rated__place")
    total, found = matches.count(), []
    for number, match in enumerate(matches.iterator(chunk_size=200), 1):
        if not _is_proven(match):
            found.append(match.public_id)
        progress(CHECKING, number, total)
    return found


def _is_proven(match: Match) -> bool:
    """Return whether the match's log folds to the winner and the cause that are stored."""
    try:
        outcome = selectors.folded(match).outcome
    except EngineError:
        return False
    if outcome is None:
        return False
    winner = outcome.winner.value if outcome.winner else ""
    return (winner, outcome.cause.value) == (match.winner or "", match.outcome)


def _ratings() -> dict[tuple[str, str], Decimal]:
    rows = Rating.objects.values_list("user__username", "variant", "rating")
    return {(login, variant): rating for login, variant, rating in rows}


def _differences(
    before: dict[tuple[str, str], Decimal], after: dict[tuple[str, str], Decimal]
) -> list[Difference]:
    return [
        Difference(*key, before.get(key), after.get(key))
        for key in sorted(before.keys() | after.keys())
        if before.get(key) != after.get(key)
    ]
