"""Submit commands of players and bots, and store premoves of players."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games import broadcast
from games.engine.errors import IllegalAction, InvalidAction, Reason
from games.engine.match.actions import Flag
from games.engine.match.state import IN_GAME, MatchState, Phase
from games.models import PREMOVE_FIELDS, Seat
from games.models.actor import Actor, find_seat
from games.models.premove import Premove
from games.protocol.incoming import Command
from games.services import grace, outages
from games.services.commands import perform
from games.services.follow_ups import apply_automatic_actions
from games.services.transaction import MatchTransaction

_CODES = {
    Reason.NOT_YOUR_TURN: "not_your_turn",
    Reason.WRONG_PHASE: "wrong_phase",
    Reason.GAME_OVER: "finished",
    Reason.OUT_OF_TIME: "out_of_time",
}


@dataclass(frozen=True, slots=True)
class Accepted:
    """A command that was carried out.

    `seq` is the number of its action, or of the match's last action if the command logged none.
    """

    seq: int


def submit(public_id: str, actor: Actor, command: Command, now: datetime) -> Accepted:
    """Apply a command of a player or bot.

    Idempotent: a player's repeated command id returns the first answer; a bot's repeated command is
    refused as stale. Raises `Refused` if the command is not allowed; then nothing has changed,
    except that a due flag may have fallen. Locks the match (order of all locks:
    accounts/shared/transactions.py).
    """
    with write_transaction():
        tx = MatchTransaction.lock(public_id, now, command.id)
        seat = find_seat(tx.seats.values(), actor)
        if seat is None:
            raise Refused("not_seated")
        repeated = _accepted_before(tx, seat)
        if repeated is not None:
            return repeated
        stored_lag_ms = seat.lag_ms
        if actor.is_holder_of(seat):
            grace.record_lag(seat, actor.lag_ms)
        answer = (
            settle_flag(tx)
            or _refusal_until_credited(tx, seat, actor)
            or _perform_if_allowed(tx, seat, actor, command)
        )
        for logged in tx.logged:
            if logged.client_id == command.id and grace.charge(seat, logged.action, stored_lag_ms):
                tx.charged = seat
        tx.save()
    if isinstance(answer, Refused):
        raise answer
    return answer


def set_premove(public_id: str, actor: Actor, game: int, premove: Premove, now: datetime) -> None:
    """Store the player's premove for game number `game`, and apply it now if it is due.

    The premove holds until the game ends or the player is away (games/services/seats.py). Raises
    `Refused`: "not_seated", "passive", "finished", "out_of_time", "too_fast" before the time of an
    outage is given back, or "wrong_phase" if that game is not being played.
    """
    with write_transaction():
        tx = MatchTransaction.lock(public_id, now)
        seat = find_seat(tx.seats.values(), actor)
        if seat is None:
            raise Refused("not_seated")
        if not actor.is_holder_of(seat):
            raise Refused("passive")
        refusal = (
            settle_flag(tx)
            or _refusal_of_premove(tx.state, game)
            or _refusal_until_credited(tx, seat, actor)
            or _decide_if_in_time(tx, seat, premove, game)
        )
        tx.save()
    if refusal is not None:
        raise refusal
    broadcast.premove_changed(public_id, seat.side)


def _refusal_of_premove(state: MatchState, game: int) -> Refused | None:
    if state.phase is Phase.FINISHED:
        return Refused("finished")
    if state.phase not in IN_GAME or state.game != game:
        return Refused("wrong_phase")
    return None


def _decide_if_in_time(
    tx: MatchTransaction, seat: Seat, premove: Premove, game: int
) -> Refused | None:
    """Store the premove and apply it; do neither if it is due but its player is out of time."""
    seat.decide(premove, game)
    try:
        apply_automatic_actions(tx)
    except IllegalAction as error:
        tx.undo()
        return _refused_as_illegal(error)
    seat.save(update_fields=PREMOVE_FIELDS)
    return None


def _refusal_until_credited(tx: MatchTransaction, seat: Seat, actor: Actor) -> Refused | None:
    """Refuse a command, for some seconds, while the time of an outage is not yet given back.

    If the command were carried out now, its player would be charged that time, and the credit
    would go to the opponent's turn. The client repeats its command.
    """
    clock = tx.state.clock
    if clock is None or clock.is_paused or clock.running is not seat.engine_side:
        return None
    is_slow = tx.now_ms - tx.state.at_ms > outages.OUTAGE / timedelta(milliseconds=1)
    if is_slow and actor.is_holder_of(seat) and outages.is_time_awaited(tx.match, tx.now):
        return Refused("too_fast")
    return None


def settle_flag(tx: MatchTransaction) -> Refused | None:
    """Let a due flag fall and return the refusal for a late command; None if no flag falls.

    A flag is due when no action could be in time any more, forgiven lag included. A due flag waits
    while players cannot reach the site: they get their time back first (heartbeat.py).
    """
    clock = tx.state.clock
    if clock is None or clock.running is None:
        return None
    if not clock.is_out(tx.now_ms, grace.allowance_ms(tx.seats[clock.running])):
        return None
    if outages.is_time_owed(tx.match, tx.now):
        return None
    side = clock.running
    tx.act(lambda at: Flag(at_ms=at, side=side))
    apply_automatic_actions(tx)
    return _refused_by_rule("out_of_time", Reason.OUT_OF_TIME)


def _accepted_before(tx: MatchTransaction, seat: Seat) -> Accepted | None:
    """Return the first answer to the command's id. An id used by the other side is refused."""
    if tx.repeated is None:
        return None
    seq, side = tx.repeated
    if side not in ("", seat.side):
        raise Refused("unreadable")
    return Accepted(seq)


def _perform_if_allowed(
    tx: MatchTransaction, seat: Seat, actor: Actor, command: Command
) -> Accepted | Refused:
    seq = tx.match.seq
    if not _may_act(seat, actor, command):
        return Refused("passive")
    if tx.state.phase is Phase.FINISHED:
        return _refused_by_rule("finished", Reason.GAME_OVER)
    if command.seq != seq:
        return Refused("stale")
    try:
        perform(tx, seat, command)
        done = seq + len(tx.logged)
        apply_automatic_actions(tx)
    except IllegalAction as error:
        tx.undo()
        return _refused_as_illegal(error)
    except InvalidAction:
        tx.undo()
        return Refused("unreadable")
    return Accepted(done)


def _may_act(seat: Seat, actor: Actor, command: Command) -> bool:
    """Return whether the seat's player may send this command from this connection.

    Entropy is accepted from every connection of the player. The hash has already fixed it, and only
    the device that sent the hash knows it; that device may have lost the seat to a newer one.
    """
    return bool(seat.bot) or command.t == "entropy" or actor.is_holder_of(seat)


def _refused_as_illegal(error: IllegalAction) -> Refused:
    return _refused_by_rule(_CODES.get(error.reason, "illegal"), error.reason, error.points)


def _refused_by_rule(code: str, reason: Reason, points: tuple[int, ...] = ()) -> Refused:
    return Refused(code, reason=reason.value, points=list(points))
