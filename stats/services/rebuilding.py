"""Rebuild all ratings from the matches, and report the differences.

Play goes on meanwhile: everything is computed in memory, from reads without a lock. Only the rows
that differ are written, in one transaction, which first adds the matches rated in between.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal

from django.db import transaction

from accounts.shared.transactions import write_transaction
from games import selectors
from games.engine.errors import EngineError
from games.models import Match
from stats.kept_totals import forget_totals
from stats.models import RatedMatch, Rating, RatingChange
from stats.rating import Standing
from stats.services.changes import changes_by, result_of
from stats.services.rating import COUNTERS, lock_ladder

# Takes CHECKING or RATING, the number of matches done, and the number of all.
Progress = Callable[[str, int, int], None]
CHECKING, RATING = "checked", "rated"
# Matches read at once, and rows written at once.
CHUNK = 200

Key = tuple[int, str]  # user id and variant
_CHANGE_FIELDS = (
    "variant", "length", "result", "before", "opponent_before", "experience_before", "chance",
    "weight", "played_weight", "change", "net_credits",
)  # fmt: skip
_RATING_FIELDS = ("rating", "experience", "won", "lost", "drawn")


@dataclass(frozen=True, slots=True)
class Difference:
    """A member's rating in a variant before and after; None if there is no rated match."""

    login: str
    variant: str
    before: Decimal | None
    after: Decimal | None


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The differences; `unproven` are public ids of matches whose log does not give the result."""

    matches: int
    unproven: list[str]
    differences: list[Difference]


def rebuild(progress: Progress = lambda what, done, total: None) -> Rebuilt:
    """Recompute all ratings in the stored order of the matches.

    A match whose log does not give the stored result is rated by the stored result, on which the
    payouts were based.
    """
    unproven = _unproven(progress)
    recomputed = _Recomputed()
    total = RatedMatch.objects.filter(place__isnull=False).count()
    while recomputed.add_chunk():
        progress(RATING, recomputed.done, max(total, recomputed.done))
    with write_transaction():
        lock_ladder()
        while recomputed.add_chunk():
            pass
        before = _ratings()
        recomputed.write()
        after = _ratings()
        transaction.on_commit(forget_totals)
    return Rebuilt(recomputed.done, unproven, _differences(before, after))


@dataclass(slots=True)
class _Recomputed:
    """All ratings after the matches up to `last_place`, and the stored changes that differ.

    The ids of a player's changes must follow the order of rating (`changes_of` of
    stats/selectors.py), over both variants (`last_changes`). So a change that is missing or out of
    order is inserted again, and with it all later changes of the player (`renewed`).
    """

    done: int = 0  # matches
    last_place: int = 0
    ratings: dict[Key, Rating] = field(default_factory=dict)
    met: Counter[tuple[object, ...]] = field(default_factory=Counter)  # matches by day and pair
    last_ids: dict[int, int] = field(default_factory=dict)  # by user id
    renewed: set[int] = field(default_factory=set)  # user ids
    updates: list[RatingChange] = field(default_factory=list)
    inserts: list[RatingChange] = field(default_factory=list)
    strays: list[int] = field(default_factory=list)  # ids of changes to delete

    def add_chunk(self) -> bool:
        """Add the next matches; return False if there are none."""
        rows = RatedMatch.objects.filter(place__gt=self.last_place).order_by("place")
        chunk = list(rows.select_related("match").prefetch_related("match__seats")[:CHUNK])
        stored: dict[int, dict[int, RatingChange]] = defaultdict(dict)
        for change in RatingChange.objects.filter(rated__in=chunk):
            stored[change.rated_id][change.user_id] = change
        for row in chunk:
            self._add(row, stored[row.pk])
        return bool(chunk)

    def write(self) -> None:
        """Write the differences. The caller has locked the ladder and added the last matches."""
        for start in range(0, len(self.inserts), CHUNK):
            inserts = self.inserts[start : start + CHUNK]
            new = {(change.rated_id, change.user_id) for change in inserts}
            old = RatingChange.objects.filter(rated__in={rated_id for rated_id, _ in new})
            found = old.values_list("pk", "rated_id", "user_id")
            old.filter(pk__in=[pk for pk, *key in found if tuple(key) in new]).delete()
            RatingChange.objects.bulk_create(inserts)
        RatingChange.objects.bulk_update(self.updates, _CHANGE_FIELDS, batch_size=CHUNK)
        unrated = RatingChange.objects.filter(rated__place__isnull=True)
        self.strays += unrated.values_list("pk", flat=True)
        for start in range(0, len(self.strays), CHUNK):
            RatingChange.objects.filter(pk__in=self.strays[start : start + CHUNK]).delete()
        stored = {(row.user_id, row.variant): row for row in Rating.objects.all()}
        Rating.objects.filter(
            pk__in=[row.pk for key, row in stored.items() if key not in self.ratings]
        ).delete()
        Rating.objects.bulk_create(
            [row for key, row in self.ratings.items() if key not in stored], batch_size=CHUNK
        )
        changed = []
        for key in self.ratings.keys() & stored.keys():
            if not _is_equal(stored[key], self.ratings[key], _RATING_FIELDS):
                self.ratings[key].pk = stored[key].pk
                changed.append(self.ratings[key])
        Rating.objects.bulk_update(changed, _RATING_FIELDS, batch_size=CHUNK)

    def _add(self, row: RatedMatch, stored: dict[int, RatingChange]) -> None:
        assert row.place is not None
        self.last_place = row.place
        self.done += 1
        result = result_of(row)
        self.strays += [each.pk for id, each in stored.items() if id not in result.results]
        self.met[result.day, result.pair] += 1
        ratings = {user_id: self._rating(user_id, result.variant) for user_id in result.pair}
        standings = {id: Standing(found.rating, found.experience) for id, found in ratings.items()}
        for made in changes_by(result, standings, self.met[result.day, result.pair]):
            self._compare(made, stored.get(made.user_id))
            rating, counter = ratings[made.user_id], COUNTERS[result.results[made.user_id]]
            rating.rating += made.change
            rating.experience += result.length
            setattr(rating, counter, getattr(rating, counter) + 1)

    def _rating(self, user_id: int, variant: str) -> Rating:
        return self.ratings.setdefault((user_id, variant), Rating(user_id=user_id, variant=variant))

    def _compare(self, made: RatingChange, stored: RatingChange | None) -> None:
        if stored is None or stored.pk < self.last_ids.get(made.user_id, 0):
            self.renewed.add(made.user_id)
        if stored is None or made.user_id in self.renewed:
            self.inserts.append(made)
            return
        self.last_ids[made.user_id] = stored.pk
        if not _is_equal(stored, made, _CHANGE_FIELDS):
            made.pk = stored.pk
            self.updates.append(made)


def _is_equal(
    one: Rating | RatingChange, other: Rating | RatingChange, fields: tuple[str, ...]
) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in fields)


def _unproven(progress: Progress) -> list[str]:
    matches = Match.objects.filter(rated__place__isnull=False).order_by("rated__place")
    total, found = matches.count(), []
    for number, match in enumerate(matches.iterator(chunk_size=CHUNK), 1):
        if not _is_proven(match):
            found.append(match.public_id)
        progress(CHECKING, number, total)
    return found


def _is_proven(match: Match) -> bool:
    """Return whether the match's log folds to the stored winner and cause."""
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
