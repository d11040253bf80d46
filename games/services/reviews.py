"""Reviews of finished matches: asked for by a player, worked out turn by turn.

The queue is a ring: whose turn was longest ago is next, and a turn is a few seconds, so a short
match does not wait for a long one before it. A worker claims by a lease and with a token of its
own; what it found counts only while the token is still there, so no decision is judged twice.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from accounts.gate import writing
from accounts.shared.refusals import Refused
from games.actors import Actor, asker_key, find_seat
from games.models import Match, Review
from games.services.judges import judge_of

# A worker that is alive renews it in time (games/services/reviewers.py).
LEASE = timedelta(seconds=20)
# The actions of a log in which somebody decides or the dice do.
JUDGED = frozenset(
    {"opening", "roll", "play", "double", "take", "drop", "beaver", "accept", "refuse"}
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A review that is ours for a while, to be gone on with after action `at`."""

    review: int
    holder: UUID
    match: int
    public_id: str
    rules: dict[str, Any]
    at: int
    last: int
    plies: int


@dataclass(slots=True)
class Found:
    """What a turn came to: judgments by seq, of how many actions, up to which."""

    at: int
    done: int
    judgments: dict[str, dict[str, Any]]


def ask(public_id: str, actor: Actor, now: datetime) -> Review:
    """A player wants his finished match reviewed; one that is there or under way stays as it is.

    Refused as `not_seated`, `unfinished` or `busy`: one at a time for each person.
    """
    with writing():
        matches = Match.objects.select_for_update(no_key=True)
        match = matches.filter(public_id=public_id).first()
        if match is None or find_seat(match.seats.all(), actor) is None:
            raise Refused("not_seated")
        if not match.is_finished:
            raise Refused("unfinished")
        review = Review.objects.filter(match=match).defer("judgments").first()
        if review is not None and review.state != Review.State.FAILED:
            return review
        return _queue(review or Review(match=match), actor, now)


def _queue(review: Review, actor: Actor, now: datetime) -> Review:
    """What a failed one found so far is kept: the next try goes on from there."""
    review.state = Review.State.ASKED
    review.asker = asker_key(actor)
    review.asked_at = review.turn_at = now
    review.finished_at = None
    if review.pk is None:
        review.plies, review.judge = settings.REVIEW_PLIES, judge_of(review.match.variant)
        review.total = review.match.actions.filter(verb__in=JUDGED).count()
    try:
        with transaction.atomic():
            review.save()
    except IntegrityError:
        raise Refused("busy") from None
    return review


def claim(now: datetime) -> Claim | None:
    """Lease the review whose turn it is; what another worker holds is left to it."""
    waiting = _waiting(now)
    if not waiting.exists():  # most rounds end here, without asking for a write
        return None
    with writing():
        rows = waiting.select_for_update(no_key=True, skip_locked=True, of=("self",))
        # What is deferred is not saved either, unless it is set: it may be long.
        review = rows.select_related("match").defer("judgments").first()
        return None if review is None else _lease(review, now)


def _waiting(now: datetime) -> QuerySet[Review]:
    free = Q(leased_until__isnull=True) | Q(leased_until__lte=now)
    return Review.objects.filter(free, state__in=Review.OPEN).order_by("turn_at", "pk")


def _lease(review: Review, now: datetime) -> Claim:
    match, holder = review.match, uuid4()
    plies, judge = settings.REVIEW_PLIES, judge_of(match.variant)
    if (review.plies, review.judge) != (plies, judge):
        # Half by one judge and half by another would be no judgment.
        review.plies, review.judge = plies, judge
        review.at, review.done, review.judgments = 0, 0, {}
    review.state, review.holder = Review.State.RUNNING, holder
    review.turn_at, review.leased_until = now, now + LEASE
    review.save()
    return Claim(
        review.pk, holder, match.pk, match.public_id, match.rules, review.at, match.seq, plies
    )


def renew(claim: Claim, now: datetime) -> None:
    """The worker still thinks."""
    with writing():
        _own(claim).update(leased_until=now + LEASE)


def save(claim: Claim, found: Found, now: datetime, has_failed: bool = False) -> bool:
    """Keep what a turn found and let go of the review; False when another has taken it over.

    One that `has_failed` goes no further by itself: a player may ask again.
    """
    with writing():
        review = _own(claim).select_for_update(no_key=True).first()
        if review is None:
            return False
        review.judgments |= found.judgments
        review.at = found.at
        review.done += found.done
        review.holder = review.leased_until = None
        if has_failed or found.at >= claim.last:
            review.state = Review.State.FAILED if has_failed else Review.State.DONE
            review.asker, review.finished_at = "", now
        review.save()
        return True


def _own(claim: Claim) -> QuerySet[Review]:
    return Review.objects.filter(pk=claim.review, holder=claim.holder)
