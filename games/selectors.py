"""Reads of matches."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet

from accounts.guests import guest_of
from games.actors import Actor, asker_key, find_seat
from games.engine.action_codec import action_from_dict
from games.engine.apply import fold
from games.engine.explain import Refusal, why_not
from games.engine.moves import play_from_text
from games.engine.predicates import is_first_turn, may_play
from games.engine.sides import Side
from games.engine.state import MatchState
from games.engine.view import public_view
from games.models import Action, Match, RematchOffer, Review, Seat
from games.models.kind import KindPolicy
from games.protocol import outgoing

MAX_MISSED = 50


@dataclass(frozen=True, slots=True)
class Place:
    """What somebody is at a match: a player on a side, or a spectator (side None)."""

    public_id: str
    side: Side | None
    policy: KindPolicy
    is_public: bool


def find_match(public_id: str) -> Match | None:
    return Match.objects.filter(public_id=public_id).prefetch_related("seats__user").first()


def find_place(public_id: str, actor: Actor) -> Place | None:
    """The actor's place at the match; None when there is none for him.

    A match that is not public is seen by its players alone.
    """
    match = find_match(public_id)
    if match is None:
        return None
    seat = find_seat(match.seats.all(), actor)
    if seat is None and not match.is_public:
        return None
    side = None if seat is None else seat.engine_side
    return Place(public_id, side, match.policy, match.is_public)


def running_matches(actor: Actor) -> QuerySet[Match]:
    """The actor's unfinished matches, the newest first."""
    matches = Match.objects.filter(finished_at__isnull=True).prefetch_related("seats__user")
    if actor.user_id is not None:
        return matches.filter(seats__user_id=actor.user_id)
    if actor.guest is not None:
        return matches.filter(seats__guest=actor.guest)
    return matches.none()


def finished_matches(actor: Actor) -> QuerySet[Match]:
    """The actor's finished matches, the newest first."""
    matches = Match.objects.filter(finished_at__isnull=False).prefetch_related("seats__user")
    if actor.user_id is not None:
        return matches.filter(seats__user_id=actor.user_id)
    if actor.guest is not None:
        return matches.filter(seats__guest=actor.guest)
    return matches.none()


def review_of(match: Match) -> Review | None:
    """The review of the match, once it is done."""
    return Review.objects.filter(match=match, state=Review.State.DONE).first()


def review_under_way(actor: Actor) -> Match | None:
    """The match whose review the person asked for and waits for."""
    key = asker_key(actor)
    return Match.objects.filter(review__asker=key, review__state__in=Review.OPEN).first()


def has_live_stake(user_id: int) -> bool:
    """Whether the member plays a match for credits at this moment."""
    return Seat.objects.filter(user_id=user_id, is_live_stake=True).exists()


def state_frame(public_id: str, side: Side | None, since: int, now: datetime) -> dict[str, Any]:
    """The `state` frame without `you`: all that the page shows, and the actions it missed."""
    match = find_match(public_id)
    assert match is not None
    state = match.state
    now_ms = max((now - match.created_at) // timedelta(milliseconds=1), state.at_ms)
    seats = {seat.engine_side: seat for seat in match.seats.all()}
    return {
        "t": "state",
        "seq": match.seq,
        "now": now_ms,
        "match": outgoing.match_info(match, seats),
        "view": public_view(state, now_ms),
        "plays": outgoing.plays(state) if side and state.turn is side else None,
        "may": outgoing.may(match, state, side) if side else None,
        "actions": _missed(match, since),
        "seating": outgoing.seating(state, seats),
        "presence": outgoing.presence(match, seats, now),
        "rematch": rematch_of(match),
    }


def presence_frame(public_id: str, now: datetime) -> dict[str, Any] | None:
    """The `presence` frame of a match, None when nobody's absence counts in it."""
    match = find_match(public_id)
    assert match is not None
    told = outgoing.presence(match, {seat.engine_side: seat for seat in match.seats.all()}, now)
    return None if told is None else {"t": "presence", "presence": told}


def rematch_frame(public_id: str, now: datetime) -> dict[str, Any] | None:
    """The `rematch` frame of a match, None as long as it is not over."""
    match = find_match(public_id)
    assert match is not None
    told = rematch_of(match)
    return None if told is None else {"t": "rematch", "rematch": told}


def rematch_of(match: Match) -> dict[str, Any] | None:
    """How things stand with the rematch of a finished match; None where none is offered."""
    if match.policy.rematch_time is None or not match.is_finished:
        return None
    offer = match.rematch_offers.order_by("-created_at", "-pk").first()
    next_match = Match.objects.filter(rematch_of=match).only("public_id").first()
    return outgoing.rematch(match, offer, next_match)


def refusals_of(person: Actor, other: Actor, since: datetime) -> list[datetime]:
    """When the other refused rematches that the person offered, none agreed on after it."""
    between = RematchOffer.objects.filter(_seated(other), created_at__gt=since)
    own = _seated(person) & Q(match__seats__side=F("side"))
    refused = Q(state=RematchOffer.State.REFUSED)
    agreed = between.filter(_seated(person), state=RematchOffer.State.ACCEPTED)
    last = agreed.order_by("-answered_at").values_list("answered_at", flat=True).first()
    refusals = between.filter(own, refused).order_by("answered_at")
    moments = [offer.answered_at for offer in refusals if offer.answered_at is not None]
    return [moment for moment in moments if last is None or moment > last]


def _seated(person: Actor) -> Q:
    """Match offers in whose match the person has a seat."""
    if person.user_id is not None:
        return Q(match__seats__user_id=person.user_id)
    return Q(match__seats__guest=person.guest)


def _missed(match: Match, since: int) -> list[dict[str, Any]]:
    """The actions after `since`, when they are few enough to be shown one by one."""
    if not 0 <= since < match.seq or match.seq - since > MAX_MISSED:
        return []
    missed = match.actions.filter(seq__gt=since, seq__lte=match.seq).order_by("seq")
    return list(missed.values_list("data", flat=True))


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a match is: its last seq and its time."""

    seq: int
    now_ms: int


def moment(public_id: str, now: datetime) -> Moment:
    """One small query: what a heartbeat answers."""
    created_at, seq = Match.objects.values_list("created_at", "seq").get(public_id=public_id)
    return Moment(seq, max(0, (now - created_at) // timedelta(milliseconds=1)))


def holder_of(public_id: str, side: Side) -> UUID | None:
    """The connection that holds the seat of the side, None when no one does."""
    seats = Seat.objects.filter(match__public_id=public_id, side=side.value)
    return seats.values_list("holder", flat=True).first()


def newest_seqs(public_ids: Iterable[str]) -> dict[str, int]:
    """The last seq of each match, in one query."""
    matches = Match.objects.filter(public_id__in=list(public_ids))
    return dict(matches.values_list("public_id", "seq"))


def why(public_id: str, side: Side, played: str, source: int, target: int | None) -> Refusal | None:
    """The rule against a tap of the side on turn; None when it is not its turn to play.

    `played` are the moves made so far, in the side's numbering. Raises the engine's
    `InvalidAction` when they cannot be read.
    """
    match = find_match(public_id)
    assert match is not None
    state = match.state
    if state.dice is None or not may_play(state, side):
        return None
    steps = [(step.source, step.target) for step in play_from_text(played)]
    return why_not(
        state.position, side, state.dice, state.rules, is_first_turn(state), steps, source, target
    )


def log_of(match: Match) -> list[Action]:
    return list(match.actions.order_by("seq"))


def folded(match: Match) -> MatchState:
    """The state that the match's log folds to; raises the engine's errors when it does not."""
    return fold(match.match_rules, [action_from_dict(row.data) for row in log_of(match)])


def actor_of(user: Any, session: Any) -> Actor:
    """The person behind a request or a socket; a visitor without a match yet is nobody."""
    if user is not None and user.is_authenticated:
        return Actor(user_id=user.pk)
    return Actor(guest=guest_of(session))
