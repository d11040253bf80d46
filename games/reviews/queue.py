"""The queue of reviews: requested by a player, worked on in turns of a few seconds.

An idle review, which nobody requested (games/reviews/idle.py), waits for all requested ones.

The review whose last turn is longest ago is next, so a short match does not wait for a long one. A
worker leases a review under a new token. Its results are saved only while the review still has this
token, so no judgment is saved twice.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from accounts.shared import deadlines
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.models import Match, Review
from games.models.actor import Actor, asker_key, find_seat
from games.reviews.judge_info import judge_of
from games.signals import match_reviewed

# The kind of deadline of reviews, as the worker's loop knows it.
REVIEWS = "reviews"
# Length of a lease; a worker renews it while it judges (games/reviews/worker.py).
LEASE_FOR = timedelta(seconds=20)
# An idle review that could not be judged is tried again after RETRY_AFTER, but fails if it is older
# than FAILS_AFTER: then the match may be the reason, and it must not hold up all others.
RETRY_AFTER = timedelta(minutes=10)
FAILS_AFTER = timedelta(hours=6)
# Kinds of actions that are judged: decisions and rolls.
JUDGED = frozenset(
    {"opening", "roll", "play", "double", "take", "drop", "beaver", "accept", "refuse"}
)


@dataclass(frozen=True, slots=True)
class Lease:
    """A leased review, to be continued after action `at`; `last` is the match's last action."""

    review_id: int
    holder: UUID
    match_id: int
    public_id: str
    rules: dict[str, Any]
    at: int
    last: int
    plies: int
    is_idle: bool = False


@dataclass(slots=True)
class TurnResult:
    """Results of a turn: `judgments` by seq.

    `done` is the number of actions that the judge was asked about, `at` the seq of the last action
    worked on.
    """

    at: int
    done: int
    judgments: dict[str, dict[str, Any]]


def ask(public_id: str, actor: Actor, now: datetime) -> Review:
    """Queue a review of the player's finished match.

    A review that is done, or requested and open, stays as it is. An open idle review becomes the
    player's; a failed review is queued again.

    Raises `Refused`: `not_seated`, `unfinished`, or `busy` if the person has another open review.
    """
    with write_transaction():
        matches = Match.objects.select_for_update(no_key=True)
        match = matches.filter(public_id=public_id).first()
        if match is None or find_seat(match.seats.all(), actor) is None:
            raise Refused("not_seated")
        if not match.is_finished:
            raise Refused("unfinished")
        review = Review.objects.filter(match=match).defer("judgments").first()
        if review is not None and review.is_open and review.is_idle:
            return _turn_into_requested(review, actor, now)
        if review is not None and review.state != Review.State.FAILED:
            return review
        return queue(review or Review(match=match), asker_key(actor), now)


def _turn_into_requested(review: Review, actor: Actor, now: datetime) -> Review:
    review.asker, review.turn_at = asker_key(actor), now
    with _one_at_a_time():
        Review.objects.filter(pk=review.pk).update(asker=review.asker, turn_at=review.turn_at)
    deadlines.note(REVIEWS, now)
    return review


def queue(review: Review, asker: str, now: datetime) -> Review:
    """Queue the review; a failed one keeps its judgments and goes on after the last of them.

    Raises `Refused("busy")` if the asker has another open review.
    """
    review.state = Review.State.ASKED
    review.asker = asker
    review.asked_at = review.turn_at = now
    review.finished_at = None
    if review.pk is None:
        review.plies, review.judge = settings.REVIEW_PLIES, judge_of(review.match.variant)
        review.total = review.match.actions.filter(verb__in=JUDGED).count()
    with _one_at_a_time():
        review.save()
    deadlines.note(REVIEWS, now)
    return review


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Raise `Refused("busy")` if a write would give the asker a second open review."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise Refused("busy") from None


def has_requested() -> bool:
    """Return whether a requested review is open."""
    return Review.objects.filter(state__in=Review.OPEN).exclude(asker=Review.IDLE_ASKER).exists()


def take_lease(now: datetime) -> Lease | None:
    """Lease the requested review whose turn it is; rows locked by other workers are skipped."""
    return _take(_waiting(now).exclude(asker=Review.IDLE_ASKER), now)


def take_idle_lease(now: datetime) -> Lease | None:
    """Lease the open idle review (games/reviews/idle.py), unless it waits to be tried again."""
    return _take(_waiting(now).filter(asker=Review.IDLE_ASKER, turn_at__lte=now), now)


def _take(waiting: QuerySet[Review], now: datetime) -> Lease | None:
    if not waiting.exists():  # most rounds end here, without a write transaction
        return None
    with write_transaction():
        rows = waiting.select_for_update(no_key=True, skip_locked=True, of=("self",))
        # A deferred field is not saved unless it is set; judgments may be long.
        review = rows.select_related("match").defer("judgments").first()
        return None if review is None else _lease(review, now)


def leasable() -> QuerySet[Review, Any]:
    """Return when each requested review may be leased next (`due_at`), the earliest first."""
    due_at = Coalesce("leased_until", "turn_at")
    requested = Review.objects.filter(state__in=Review.OPEN).exclude(asker=Review.IDLE_ASKER)
    return requested.values(due_at=due_at).order_by("due_at")


def _waiting(now: datetime) -> QuerySet[Review]:
    free = Q(leased_until__isnull=True) | Q(leased_until__lte=now)
    return Review.objects.filter(free, state__in=Review.OPEN).order_by("turn_at", "pk")


def _lease(review: Review, now: datetime) -> Lease:
    match, holder = review.match, uuid4()
    plies, judge = settings.REVIEW_PLIES, judge_of(match.variant)
    if (review.plies, review.judge) != (plies, judge):
        # All judgments of a review must be by one judge at one depth: start over.
        review.plies, review.judge = plies, judge
        review.at, review.done, review.judgments = 0, 0, {}
    review.state, review.holder = Review.State.RUNNING, holder
    review.turn_at, review.leased_until = now, now + LEASE_FOR
    review.save()
    return Lease(
        review.pk,
        holder,
        match.pk,
        match.public_id,
        match.rules,
        review.at,
        match.seq,
        plies,
        review.is_idle,
    )


def renew(lease: Lease, now: datetime) -> None:
    """Extend the lease of a worker that is still judging."""
    with write_transaction():
        _leased(lease).update(leased_until=now + LEASE_FOR)


def save(lease: Lease, found: TurnResult, now: datetime, has_failed: bool = False) -> bool:
    """Save a turn's results and release the review; return False if another worker holds it.

    With `has_failed` the review stops until a player requests it again; an idle one is first tried
    again for some hours. It stays open meanwhile: so no other match is begun with a broken judge.
    """
    with write_transaction():
        # `ask` and the adoption of a guest's seat lock the match too. If they commit first, this
        # reads the new asker, and the receiver of `match_reviewed` reads the new member. Otherwise
        # they read the review as it is saved here.
        matches = Match.objects.select_for_update(no_key=True).filter(pk=lease.match_id)
        list(matches.values_list("pk", flat=True))
        review = _leased(lease).select_for_update(no_key=True).first()
        if review is None:
            return False
        review.judgments |= found.judgments
        review.at = found.at
        review.done += found.done
        review.holder = review.leased_until = None
        if has_failed and review.is_idle and now < review.asked_at + FAILS_AFTER:
            review.turn_at = now + RETRY_AFTER
        elif has_failed or found.at >= lease.last:
            review.state = Review.State.FAILED if has_failed else Review.State.DONE
            review.asker, review.finished_at = "", now
        review.save()
        if review.is_done:
            match_reviewed.send(Review, match_id=review.match_id)
        return True


def _leased(lease: Lease) -> QuerySet[Review]:
    """Return the review of the lease, unless another worker has leased it since."""
    return Review.objects.filter(pk=lease.review_id, holder=lease.holder)
