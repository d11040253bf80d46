"""Count errors and luck of members in reviewed matches: new ones, or all of them again."""

import logging
from collections.abc import Callable, Collection
from datetime import datetime

from django.db.models import QuerySet

from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from games.models import Review, Seat
from games.reviews.totals import sides_of
from stats.models import ReviewedSeat

logger = logging.getLogger(__name__)

# The name of this work in the worker's loop.
REVIEW_COUNTS = "review_counts"
BATCH = 20  # seats counted in one call
CHUNK = 100  # seats read at once by `rebuild`
DIGITS = 4  # decimal places of sums, so that the order of adding does not change them
RETRIES = deadlines.Retries(logger, "review not counted", "reviewed_seat")
_FIELDS = ("user_id", "variant", "finished_at", "is_counted", "decisions", "loss", "luck")


def enter(match_ids: Collection[int]) -> None:
    """Queue the members' seats in those of the matches that are reviewed. Idempotent."""
    done = Review.objects.filter(match__in=match_ids, state=Review.State.DONE)
    reviews = {review.match_id: review for review in done.defer("judgments")}
    seats = Seat.objects.filter(match__in=reviews, user__isnull=False).select_related("match")
    rows = [_waiting_row(seat, reviews[seat.match_id]) for seat in seats]
    ReviewedSeat.objects.bulk_create(rows, ignore_conflicts=True)
    deadlines.note(REVIEW_COUNTS, min((row.reviewed_at for row in rows), default=None))


def waiting() -> QuerySet[ReviewedSeat]:
    """Return the seats to be counted, those with the earliest review first."""
    return ReviewedSeat.objects.filter(is_counted=False).order_by("reviewed_at", "id")


def settle_due(now: datetime) -> datetime | None:
    """Count up to `BATCH` waiting seats; return when to continue, None if nothing is left."""
    ready = waiting().exclude(pk__in=RETRIES.resting(now)).values_list("pk", flat=True)[:BATCH]
    ids = list(ready)
    RETRIES.settle(ids, _count, now)
    return RETRIES.next_at(now if len(ids) == BATCH else None, now)


def rebuild(progress: Callable[[int, int], None] = lambda done, total: None) -> int:
    """Count all reviewed seats again, from the reviews; return how many rows differed."""
    missing = Seat.objects.filter(user__isnull=False, reviewed__isnull=True)
    missing = missing.filter(match__review__state=Review.State.DONE)
    enter(list(missing.values_list("match_id", flat=True)))
    total, done, last, differing = ReviewedSeat.objects.count(), 0, 0, 0
    while rows := list(_with_reviews(ReviewedSeat.objects.filter(pk__gt=last).order_by("pk"))):
        differing += sum(_mend(row) for row in rows)
        last, done = rows[-1].pk, done + len(rows)
        progress(done, max(total, done))
    return differing


def _waiting_row(seat: Seat, review: Review) -> ReviewedSeat:
    assert seat.match.finished_at is not None
    assert review.finished_at is not None
    assert seat.user_id is not None
    return ReviewedSeat(
        seat=seat,
        review=review,
        user_id=seat.user_id,
        variant=seat.match.variant,
        finished_at=seat.match.finished_at,
        reviewed_at=review.finished_at,
    )


def _count(row_id: int) -> None:
    with write_transaction():
        rows = waiting().filter(pk=row_id).select_for_update(no_key=True, of=("self",))
        row = rows.select_related("seat", "review").first()
        if row is not None:
            _fill(row, row.review)
            row.save(update_fields=["is_counted", "decisions", "loss", "luck"])


def _mend(row: ReviewedSeat) -> bool:
    """Store the review's figures if they differ from the row; return whether they did."""
    right = _waiting_row(row.seat, row.review)
    _fill(right, row.review)
    if all(getattr(row, name) == getattr(right, name) for name in _FIELDS):
        return False
    values = {name: getattr(right, name) for name in _FIELDS}
    ReviewedSeat.objects.filter(pk=row.pk).update(**values)
    return True


def _fill(row: ReviewedSeat, review: Review) -> None:
    judged = sorted(review.judgments.items(), key=lambda item: int(item[0]))
    sides = sides_of(judgment for _seq, judgment in judged)
    own, other = sides[row.seat.side], sides[row.seat.engine_side.other.value]
    row.is_counted, row.decisions = True, own.decisions
    row.loss, row.luck = round(own.loss, DIGITS), round(own.luck - other.luck, DIGITS)


def _with_reviews(rows: QuerySet[ReviewedSeat]) -> list[ReviewedSeat]:
    return list(rows.select_related("seat__match", "review")[:CHUNK])
