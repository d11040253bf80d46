"""Another match between the same two players on the same terms, right after the last one.

Locks: the old match, its members, then what receivers of `match_agreed` lock, then as in
`escrow.reserve`. Code that locks members first never locks a finished match, so no deadlock arises.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta

from accounts.people.locks import lock_people
from accounts.selectors import either_blocks
from accounts.shared.refusals import Refused
from accounts.shared.transactions import announce_after_commit, write_transaction
from games import broadcast, selectors, signals
from games.conduct.back_off import REMEMBERED, has_to_wait
from games.conduct.record import suspension_of
from games.engine.sides import Side
from games.models import Match, RematchOffer, Seat
from games.models.actor import Actor, find_seat
from games.protocol.incoming import Command
from games.services import matches
from games.services.actions import Accepted
from games.services.transaction import MatchTransaction
from games.stakes import escrow, limits, terms
from games.stakes.own_limits import OwnLimit

# Most rematches without a stake that one player may begin in a DAY. Guests can become new guests at
# will, so the invitations that lead to a first match are limited by network address
# (ACCOUNT_RATE_LIMITS).
MOST_OF_MEMBER, MOST_OF_GUEST, DAY = 200, 30, timedelta(days=1)


def submit(public_id: str, actor: Actor, command: Command, now: datetime) -> Accepted:
    """Offer, accept or refuse a rematch. Idempotent: a repeated command is acknowledged again.

    Raises `Refused`: `not_seated`, `passive`, `wrong_phase`, `too_late`, `back_off`, `busy`,
    `paused` (suspended), `committed`, `no_credits`, `stake_limit`, `newcomers`, `ended_early`, the
    codes of `OwnLimit`, `many_rematches` above the daily limit, or `unavailable` if the two may not
    play for a reason that is kept secret. A refusal changes nothing.
    """
    with write_transaction():
        tx = MatchTransaction.lock(public_id, now)
        seat = find_seat(tx.seats.values(), actor)
        if seat is None:
            raise Refused("not_seated")
        if not actor.is_holder_of(seat):
            raise Refused("passive")
        if not Match.objects.filter(rematch_of=tx.match).exists():
            _need_rematch_time(tx.match, now)
            _DO[command.t](tx, seat, now)
            announce_after_commit(lambda: broadcast.rematch_changed(public_id))
        elif command.t == "rematch_refuse":
            raise Refused("wrong_phase")
    return Accepted(tx.match.seq)


def _need_rematch_time(match: Match, now: datetime) -> None:
    time = match.policy.rematch_time
    if time is None or match.finished_at is None:
        raise Refused("wrong_phase")
    if now >= match.finished_at + time:
        raise Refused("too_late")


def _offer(tx: MatchTransaction, seat: Seat, now: datetime) -> None:
    """Offer a rematch, or accept the other player's open offer."""
    offer = _open_offer(tx.match)
    if offer is not None and offer.side != seat.side:
        _agree(tx, seat, offer, now)
        return
    if offer is None:
        _need_offerer(tx, seat, now)
        RematchOffer.objects.create(match=tx.match, side=seat.side, created_at=now)


def _accept(tx: MatchTransaction, seat: Seat, now: datetime) -> None:
    offer = _open_offer(tx.match)
    if offer is None or offer.side == seat.side:
        raise Refused("wrong_phase")
    _agree(tx, seat, offer, now)


def _refuse(tx: MatchTransaction, seat: Seat, now: datetime) -> None:
    offer = tx.match.rematch_offers.order_by("-created_at", "-pk").first()
    if offer is None or offer.side == seat.side or offer.state == RematchOffer.State.ACCEPTED:
        raise Refused("wrong_phase")
    if offer.state == RematchOffer.State.OPEN:
        _close(offer, RematchOffer.State.REFUSED, now)


_DO: dict[str, Callable[[MatchTransaction, Seat, datetime], None]] = {
    "rematch_offer": _offer,
    "rematch_accept": _accept,
    "rematch_refuse": _refuse,
}
COMMANDS = frozenset(_DO)


def _need_offerer(tx: MatchTransaction, seat: Seat, now: datetime) -> None:
    """Raise `Refused` unless the player of `seat` may offer a rematch now."""
    other = tx.seats[seat.engine_side.other]
    if tx.match.policy.is_staked:
        own_id, other_id = _user_ids(seat, tx.seats)
        if selectors.has_live_stake(own_id):
            raise Refused("busy")
        if suspension_of(own_id, now):
            raise Refused("paused")
        if selectors.are_committed([own_id], now):
            raise Refused("committed")
        is_away = selectors.are_committed([other_id], now)
        if is_away or selectors.has_live_stake(other_id) or _are_apart(seat, other):
            raise Refused("unavailable")
        if escrow.stakable_credits(own_id) < tx.match.stake_credits:
            raise Refused("no_credits")
        if found := escrow.objection(own_id, tx.match.stake_credits, now):
            raise found
        _need_limits(own_id, other_id, tx.match, now)
    elif _are_apart(seat, other):
        raise Refused("unavailable")
    else:
        _need_no_stake(seat, other)
        _need_daily_limit(seat, now)
    refusals = selectors.rematch_refusals(_person(seat), _person(other), now - REMEMBERED)
    if has_to_wait(refusals, now):
        raise Refused("back_off")


def _need_daily_limit(seat: Seat, now: datetime) -> None:
    """Raise `Refused("many_rematches")` if the player had too many rematches within a DAY.

    The number is limited because each rematch stores a match. The code is not `too_fast`, since
    clients repeat a command that is refused with that code.
    """
    made = Seat.objects.filter(
        match__rematch_of__isnull=False, match__stake_credits=0, match__created_at__gt=now - DAY
    )
    own = made.filter(user=seat.user_id) if seat.user_id else made.filter(guest=seat.guest)
    if own.count() >= (MOST_OF_MEMBER if seat.user_id else MOST_OF_GUEST):
        raise Refused("many_rematches")


def _need_no_stake(seat: Seat, other: Seat) -> None:
    """Raise `Refused` if one of the two is in a match for credits, as friendly links do."""
    if seat.user_id is not None and selectors.has_live_stake(seat.user_id):
        raise Refused("busy")
    if other.user_id is not None and selectors.has_live_stake(other.user_id):
        raise Refused("unavailable")


def _need_limits(own_id: int, other_id: int, match: Match, now: datetime) -> None:
    if not limits.may_stake(own_id, match.stake_credits):
        raise Refused("stake_limit")
    if not limits.may_stake(other_id, match.stake_credits):
        raise Refused("unavailable")
    limits.check_meeting(own_id, other_id, now, is_private=True)


def _agree(tx: MatchTransaction, seat: Seat, offer: RematchOffer, now: datetime) -> None:
    # Blocking locks the members too: a block is seen here, or comes after the match has begun.
    if not _may_all_play(tx, now) or _are_apart(seat, tx.seats[seat.engine_side.other]):
        raise Refused("unavailable")
    if tx.match.policy.is_staked:
        own, other = _user_ids(seat, tx.seats)
        if selectors.are_committed([own], now):
            raise Refused("committed")
        signals.match_agreed.send(Match, user_ids=[own, other], guests=[], now=now)
        made = _create_staked(tx, own, other, now)
    else:
        made = _create_friendly(tx, seat, now)
    _close(offer, RematchOffer.State.ACCEPTED, now)
    broadcast.nudge_players(tx.seats.values(), made.public_id)


def _may_all_play(tx: MatchTransaction, now: datetime) -> bool:
    """Lock the members; return False if one of them is banned, or suspended in a kind with strikes.

    An account that is not activated may play a friendly match. The refusal must reveal neither the
    reason nor the member whom it concerns.
    """
    user_ids = _members(tx)
    if not lock_people(*user_ids):
        return False
    is_suspended = tx.match.policy.brings_strikes and any(
        suspension_of(user_id, now) for user_id in user_ids
    )
    return not is_suspended


def _members(tx: MatchTransaction) -> list[int]:
    return [seat.user_id for seat in tx.seats.values() if seat.user_id is not None]


def _create(tx: MatchTransaction, now: datetime, hold_ids: Collection[int] = ()) -> Match:
    """Create the match with sides swapped and the current rake."""
    old = tx.match
    stake = old.stake_credits
    players = {side.other: _person(seat) for side, seat in tx.seats.items()}
    names = {side.other: seat.guest_name for side, seat in tx.seats.items()}
    agreed = matches.Terms(
        old.match_rules, stake, terms.rake_of(stake), old.is_public, old.hides_stake
    )
    return matches.create_between(
        old.policy, agreed, players, now, hold_ids=hold_ids, rematch_of=old, guest_names=names
    )


def _create_staked(tx: MatchTransaction, own: int, other: int, now: datetime) -> Match:
    old = tx.match
    try:
        held = escrow.reserve(escrow.REMATCH, old.public_id, [own, other], old.stake_credits, now)
    except escrow.NoCredits as error:
        raise Refused("no_credits" if error.user_id == own else "unavailable") from error
    except OwnLimit as error:
        if error.user_id == own:
            raise
        raise Refused("unavailable") from error
    _need_limits(own, other, old, now)
    try:
        return _create(tx, now, held.values())
    except Refused as error:  # a player is in another match, or just suspended for it
        raise Refused("busy" if selectors.has_live_stake(own) else "unavailable") from error


def _create_friendly(tx: MatchTransaction, seat: Seat, now: datetime) -> Match:
    guests = [seat.guest for seat in tx.seats.values() if seat.guest is not None]
    signals.match_agreed.send(Match, user_ids=_members(tx), guests=guests, now=now)
    # Receivers have locked the accounts, so a match for credits that began meanwhile is seen.
    _need_no_stake(seat, tx.seats[seat.engine_side.other])
    return _create(tx, now)


def _person(seat: Seat) -> Actor:
    return Actor(user_id=seat.user_id, guest=seat.guest)


def _are_apart(one: Seat, other: Seat) -> bool:
    """Return whether one of two members blocks the other; a guest blocks nobody."""
    if one.user_id is None or other.user_id is None:
        return False
    return either_blocks(one.user_id, other.user_id)


def _user_ids(seat: Seat, seats: Mapping[Side, Seat]) -> tuple[int, int]:
    """Return the acting player's user id and the opponent's."""
    own, other = seat.user_id, seats[seat.engine_side.other].user_id
    assert own is not None  # only members play for credits
    assert other is not None
    return own, other


def _open_offer(match: Match) -> RematchOffer | None:
    return match.rematch_offers.filter(state=RematchOffer.State.OPEN).first()


def _close(offer: RematchOffer, state: RematchOffer.State, now: datetime) -> None:
    offer.state, offer.answered_at = state, now
    offer.save(update_fields=["state", "answered_at"])
