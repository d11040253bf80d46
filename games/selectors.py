"""Queries about matches."""

from collections.abc import Iterable, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import F, Prefetch, Q, QuerySet

from accounts.members.guests import guest_of
from games import match_rows
from games.engine.board.explain import Refusal, why_not
from games.engine.board.moves import play_from_text
from games.engine.match.action_codec import action_from_dict
from games.engine.match.apply import fold
from games.engine.match.permissions import is_first_turn, may_play
from games.engine.match.state import MatchState
from games.engine.sides import Side
from games.models import Action, Commitment, Match, RematchOffer, Review, Seat
from games.models.actor import Actor, asker_key, find_seat
from games.models.commitment import CLOSED_BEFORE, FORGOTTEN_AFTER
from games.models.kind import KindPolicy

OVERDUE_AFTER = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """An actor's view of a match: as the player of `side`, or as a spectator (None)."""

    public_id: str
    side: Side | None
    policy: KindPolicy
    is_public: bool


def find_match(public_id: str) -> Match | None:
    return Match.objects.filter(public_id=public_id).prefetch_related("seats__user").first()


def find_viewpoint(public_id: str, actor: Actor) -> Viewpoint | None:
    """Return the actor's viewpoint; None if the match does not exist or they may not see it."""
    return find_viewpoints({(public_id, actor)})[public_id, actor]


def find_viewpoints(
    wanted: Set[tuple[str, Actor]],
) -> dict[tuple[str, Actor], Viewpoint | None]:
    """Return the viewpoint of each pair of a match and an actor, in one query."""
    matches = match_rows.read_matches({public_id for public_id, _ in wanted})
    found: dict[tuple[str, Actor], Viewpoint | None] = dict.fromkeys(wanted)
    for public_id, actor in wanted:
        if public_id in matches:
            match, seats = matches[public_id]
            found[public_id, actor] = _viewpoint(match, seats.values(), actor)
    return found


def viewpoint_of(match: Match, actor: Actor) -> Viewpoint | None:
    """Return the actor's viewpoint; None if the match is not public and they have no seat in it."""
    return _viewpoint(match, match.seats.all(), actor)


def _viewpoint(match: Match, seats: Iterable[Seat], actor: Actor) -> Viewpoint | None:
    seat = find_seat(seats, actor)
    if seat is None and not match.is_public:
        return None
    side = None if seat is None else seat.engine_side
    return Viewpoint(match.public_id, side, match.policy, match.is_public)


def overdue(matches: QuerySet[Match], now: datetime) -> QuerySet[Match]:
    """Return the matches that the worker has left due for longer than OVERDUE_AFTER."""
    return matches.filter(wake_at__lt=now - OVERDUE_AFTER)


def running_matches(actor: Actor) -> QuerySet[Match]:
    """Return the actor's unfinished matches, newest first."""
    return _matches_of(actor).filter(finished_at__isnull=True)


def finished_matches(actor: Actor) -> QuerySet[Match]:
    """Return the actor's finished matches, newest first, with the causes of those that are void."""
    return with_void_actions(_matches_of(actor).filter(finished_at__isnull=False))


def with_void_actions(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Prefetch, by one query, the action that voided each match, as `void_actions`."""
    void = Prefetch("actions", Action.objects.filter(verb="void"), to_attr="void_actions")
    return matches.prefetch_related(void)


def _matches_of(actor: Actor) -> QuerySet[Match]:
    matches = Match.objects.prefetch_related("seats__user")
    if actor.user_id is not None:
        return matches.filter(seats__user_id=actor.user_id)
    if actor.guest is not None:
        return matches.filter(seats__guest=actor.guest)
    return matches.none()


def review_of(match: Match) -> Review | None:
    """Return the review of the match if it is done."""
    return Review.objects.filter(match=match, state=Review.State.DONE).first()


def is_reviewed(match: Match) -> bool:
    return Review.objects.filter(match=match, state=Review.State.DONE).exists()


def match_under_review(actor: Actor) -> Match | None:
    """Return the match for which the actor has requested a review that is not done yet."""
    key = asker_key(actor)
    return Match.objects.filter(review__asker=key, review__state__in=Review.OPEN).first()


def has_live_stake(user_id: int) -> bool:
    """Return whether the member plays a match for credits now."""
    return _live_stakes(user_id).exists()


def find_staked_seat(user_id: int) -> Seat | None:
    """Return the member's seat, with its match, in the match for credits they play now."""
    return _live_stakes(user_id).select_related("match").first()


def _live_stakes(user_id: int) -> QuerySet[Seat]:
    return Seat.objects.filter(user_id=user_id, is_live_stake=True)


def next_commitment(user_id: int, now: datetime) -> Commitment | None:
    """Return the member's earliest commitment that still counts; None if there is none."""
    coming = Commitment.objects.filter(user_id=user_id, starts_at__gt=now - FORGOTTEN_AFTER)
    return coming.order_by("starts_at").first()


def are_committed(user_ids: Iterable[int], now: datetime) -> bool:
    """Return whether one of the members is expected elsewhere so soon that no match may begin."""
    return Commitment.objects.filter(
        user_id__in=user_ids,
        starts_at__lte=now + CLOSED_BEFORE,
        starts_at__gt=now - FORGOTTEN_AFTER,
    ).exists()


def rematch_refusals(person: Actor, other: Actor, since: datetime) -> list[datetime]:
    """Return the times at which the other player refused the person's rematch offers, in order.

    Offers made before `since` do not count, nor do refusals that came before the last rematch that
    the two agreed on.
    """
    of_other = RematchOffer.objects.filter(_seated(other), created_at__gt=since)
    by_person = _seated(person) & Q(match__seats__side=F("side"))
    refused = Q(state=RematchOffer.State.REFUSED)
    agreed = of_other.filter(_seated(person), state=RematchOffer.State.ACCEPTED)
    last = agreed.order_by("-answered_at").values_list("answered_at", flat=True).first()
    refusals = of_other.filter(by_person, refused).order_by("answered_at")
    moments = [offer.answered_at for offer in refusals if offer.answered_at is not None]
    return [moment for moment in moments if last is None or moment > last]


def _seated(person: Actor) -> Q:
    """Select the offers in whose match the person has a seat."""
    if person.user_id is not None:
        return Q(match__seats__user_id=person.user_id)
    return Q(match__seats__guest=person.guest)


def holders_of(wanted: Set[tuple[str, Side]]) -> dict[tuple[str, Side], UUID | None]:
    """Return the token of the connection that holds each seat, None if it is not held."""
    seats = Seat.objects.filter(match__public_id__in={public_id for public_id, _ in wanted})
    rows = seats.values_list("match__public_id", "side", "holder")
    held = {(public_id, Side(side)): holder for public_id, side, holder in rows}
    return {seat: held.get(seat) for seat in wanted}


def newest_seqs(public_ids: Iterable[str]) -> dict[str, int]:
    """Return the last seq of each match, in one query."""
    matches = Match.objects.filter(public_id__in=list(public_ids))
    return dict(matches.values_list("public_id", "seq"))


def why(public_id: str, side: Side, played: str, source: int, target: int | None) -> Refusal | None:
    """Return the rule against moving from `source` to `target` (None: anywhere).

    `played` are the moves made so far; all points are in the side's numbering. Return None if no
    rule forbids the move or the side is not to play. Raises the engine's `InvalidAction` if
    `played` cannot be read.
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
    """Return the log up to the state in `match`, which may be older than the last action."""
    return list(match.actions.filter(seq__lte=match.seq).order_by("seq"))


def has_played_game(match: Match) -> bool:
    """Return whether both sides finished a turn in one of the match's games, passes included."""
    rows = match.actions.filter(verb__in=("start", "play")).order_by("seq")
    return has_two_turns(rows.values_list("verb", flat=True).iterator(chunk_size=20))


def has_two_turns(verbs: Iterable[str]) -> bool:
    """Return whether two plays follow each other; `verbs`: every `start` and `play` of a log."""
    turns = 0
    for verb in verbs:
        turns = turns + 1 if verb == "play" else 0
        if turns == 2:  # no side plays twice in a row
            return True
    return False


def folded(match: Match) -> MatchState:
    """Fold the match's log to a state; raise the engine's errors if it does not fold."""
    return fold(match.match_rules, [action_from_dict(row.data) for row in log_of(match)])


def actor_of(user: Any, session: Any) -> Actor:
    """Return the person behind a request or a socket; `Actor()` for a stranger."""
    if user is not None and user.is_authenticated:
        return Actor(user_id=user.pk)
    return Actor(guest=guest_of(session))
