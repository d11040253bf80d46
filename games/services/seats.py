"""Seat holders, absence, and the clock of a match that waits for its player."""

import logging
from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db.models import QuerySet

from accounts.shared import deadlines
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games import broadcast
from games.conduct.turn_notices import note_arrival, tell_absent
from games.engine.match.actions import Pause, Resume
from games.engine.match.permissions import is_paused
from games.engine.match.state import Phase
from games.engine.sides import Side
from games.models import ABSENCE_FIELDS, PREMOVE_FIELDS, Seat
from games.models.actor import Actor, find_seat
from games.models.premove import Premove
from games.services import outages
from games.services.actions import settle_flag
from games.services.commands import has_pauses_left
from games.services.follow_ups import apply_automatic_actions
from games.services.transaction import MatchTransaction

logger = logging.getLogger(__name__)

# The kind of deadline of silent seats, as the worker's loop knows it.
SEATS = "silent seats"
# A connection that is silent for longer counts as gone, whether or not it was closed.
SILENCE = timedelta(seconds=20)
# Seats released in one call.
BATCH = 200
RETRIES = deadlines.Retries(logger, "seat not emptied", "seat")
# Leading bytes of a holder token that all connections of one client share.
_CLIENT_BYTES = 8


def take(
    public_id: str,
    actor: Actor,
    holder: UUID,
    now: datetime,
    previous: UUID | None = None,
    *,
    must_be_empty: bool = False,
) -> Side:
    """Give the actor's seat to a connection and resume the clock, unless a player paused it.

    The newest connection holds the seat; the one before is notified. A client that returns with
    its token (`previous`) gets the seat only if no other client took it meanwhile, and with
    `must_be_empty` only if nobody did. Raises `Refused`: "not_seated", "passive".
    """
    with write_transaction():
        tx = MatchTransaction.lock(public_id, now)
        seat = find_seat(tx.seats.values(), actor)
        if seat is None:
            raise Refused("not_seated")
        if seat.holder and must_be_empty:
            raise Refused("passive")
        if previous and seat.holder and not _is_of_same_client(seat.holder, previous):
            raise Refused("passive")
        before = seat.absence
        _set_holder(tx, seat, holder)
        if before is not None and before.is_absent:
            note_arrival(seat, tx.match)
        if settle_flag(tx) is None and is_paused(tx.state) and not _is_paused_by_player(tx):
            tx.act(lambda at: Resume(at_ms=at))
        apply_automatic_actions(tx)
        tx.save()
        tx.reschedule()
    broadcast.holder_changed(public_id, seat.side, str(holder))
    # The announcement makes every socket of the table read the presence from the database; a seat
    # that moves from tab to tab must not cause that.
    if seat.absence != before:
        _announce_presence(tx)
    return seat.engine_side


def _is_paused_by_player(tx: MatchTransaction) -> bool:
    """Return whether a player requested the present pause: only such an action has a client id."""
    last = tx.match.actions.filter(verb=Pause.kind).order_by("-seq").first()
    return last is not None and last.client_id is not None


def new_holder(previous: UUID | None = None) -> UUID:
    """Return the token of a new connection; tokens of one client share their first bytes.

    So a client that never received its newest token can return with an older one, while each of
    its connections still has a different token.
    """
    if previous is None:
        return uuid4()
    return UUID(bytes=previous.bytes[:_CLIENT_BYTES] + uuid4().bytes[_CLIENT_BYTES:])


def _is_of_same_client(one: UUID, other: UUID) -> bool:
    return one.bytes[:_CLIENT_BYTES] == other.bytes[:_CLIENT_BYTES]


def leave(public_id: str, actor: Actor, now: datetime) -> None:
    """Release the seat after its connection closed; a match that waits for its player pauses.

    The token alone names the seat: the guest who took it may be a member by now.
    """
    with write_transaction():
        tx = MatchTransaction.lock(public_id, now)
        seat = next((seat for seat in tx.seats.values() if actor.is_holder_of(seat)), None)
        if seat is None:
            return
        had_premove = bool(seat.premove_game)
        _release(tx, seat)
    if had_premove:
        broadcast.premove_changed(public_id, seat.side)
    _announce_presence(tx)


def mark_seen(holders: Collection[UUID], now: datetime) -> None:
    """Record that these connections are alive: one query for all tables of a process."""
    if holders:
        with write_transaction():
            Seat.objects.filter(holder__in=holders).update(seen_at=now)


def held() -> QuerySet[Seat]:
    """Return held seats whose absence counts, the longest silent first.

    The partial index games_seat_held covers them.
    """
    held = Seat.objects.filter(absence_at__isnull=False, holder__isnull=False)
    return held.filter(match__finished_at__isnull=True, seen_at__isnull=False).order_by("seen_at")


def empty_silent_seats(now: datetime) -> datetime | None:
    """Release seats whose connection is silent: its process died, or the network was cut.

    Return when the next seat may be due, None if no seat is held. During an outage of the site,
    release none and return None.
    """
    waiting = held().filter(seen_at__lt=now - SILENCE).exclude(id__in=RETRIES.resting(now))
    silent = {seat.pk: seat for seat in waiting.select_related("match")[:BATCH]}
    if silent and outages.is_web_out(now):
        return None

    def empty(seat_id: int) -> None:
        seat = silent[seat_id]
        actor = Actor(user_id=seat.user_id, guest=seat.guest, holder=seat.holder)
        leave(seat.match.public_id, actor, now)

    RETRIES.settle(silent, empty, now)
    oldest = held().filter(seen_at__gte=now - SILENCE).values_list("seen_at", flat=True).first()
    return RETRIES.next_at(None if oldest is None else oldest + SILENCE, now)


def empty_seats(tx: MatchTransaction) -> None:
    """Release the seats of a match when the site starts, except those taken since then."""
    for seat in tx.seats.values():
        if seat.holder is not None and (seat.seen_at is None or seat.seen_at < tx.now):
            _set_holder(tx, seat, None)


def pause_clock(tx: MatchTransaction, credit_ms: int = 0) -> None:
    """Stop a running clock if the match has pauses left or time is credited.

    `credit_ms` of the time since the last action are not charged.
    """
    clock = tx.state.clock
    is_running = clock is not None and clock.running is not None and not clock.is_paused
    if is_running and (credit_ms or has_pauses_left(tx)):
        tx.act(lambda at: Pause(at_ms=at, credit_ms=credit_ms))


def _release(tx: MatchTransaction, seat: Seat) -> None:
    _set_holder(tx, seat, None)
    if tx.match.policy.waits_for_player and settle_flag(tx) is None:
        _pause_left_match(tx)
    tx.save()
    tx.reschedule()
    tell_absent(tx.match, tx.seats, tx.state, tx.now)


def _pause_left_match(tx: MatchTransaction) -> None:
    """Pause a match whose player is gone. The time of an outage in progress is not charged.

    After an outage, a match that has not got its time back is not paused here: it is paused when
    the time is given back (heartbeat.py).
    """
    silence = outages.web_silence(tx.now)
    if silence or not outages.is_time_owed(tx.match, tx.now):
        pause_clock(tx, silence // timedelta(milliseconds=1))


def _set_holder(tx: MatchTransaction, seat: Seat, holder: UUID | None) -> None:
    """Write the seat's holder; in kinds that count absence, begin or end the player's absence.

    A seat without a holder loses its premove.
    """
    now = tx.now
    seat.holder = holder
    seat.seen_at = now if holder else seat.seen_at
    fields = ["holder", "seen_at"]
    if holder is None:
        seat.decide(Premove(), game=0)
        fields += PREMOVE_FIELDS
    if seat.absence is not None:
        seat.absence = seat.absence.switch(now, is_absent=holder is None)
        fields += ABSENCE_FIELDS
    seat.save(update_fields=fields)
    if holder and seat.absence is not None:
        deadlines.note(SEATS, now + SILENCE)


def _announce_presence(tx: MatchTransaction) -> None:
    if tx.match.policy.counts_absence and tx.state.phase is not Phase.FINISHED:
        broadcast.presence_changed(tx.match.public_id)
