"""The one door for what players and bots do at a table."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from accounts.shared.refusals import Refused
from accounts.shared.transactions import writing
from games.actors import Actor, find_seat
from games.engine.errors import IllegalAction, InvalidAction, Reason
from games.engine.match.actions import Flag
from games.engine.match.state import Phase
from games.models import Seat
from games.protocol.incoming import Command
from games.services import grace, outages
from games.services.commands import perform
from games.services.following import follow_up
from games.services.table import Table

_CODES = {
    Reason.NOT_YOUR_TURN: "not_your_turn",
    Reason.WRONG_PHASE: "wrong_phase",
    Reason.GAME_OVER: "finished",
    Reason.OUT_OF_TIME: "out_of_time",
}


@dataclass(frozen=True, slots=True)
class Accepted:
    """The command is done; `seq` is the number of its action, `is_repeat` = it was done before."""

    seq: int
    is_repeat: bool = False


def submit(public_id: str, actor: Actor, command: Command, now: datetime) -> Accepted:
    """Do a command, or raise `Refused` with nothing changed but a flag that had fallen.

    The same command id answers again what was answered. Locks: the match (order of
    all locks: gate.py).
    """
    with writing():
        table = Table.lock(public_id, now)
        seat = find_seat(table.seats.values(), actor)
        if seat is None:
            raise Refused("not_seated")
        repeated = _repeated(table, seat, command.id)
        if repeated is not None:
            return repeated
        stored_lag_ms = seat.lag_ms
        if seat.holder == actor.holder:
            grace.measure(seat, actor.lag_ms)
        answer = settle_flag(table) or _try(table, seat, actor, command)
        for step in table.steps:
            if step.client_id == command.id:
                grace.book(seat, step.action, stored_lag_ms)
        table.save()
    if isinstance(answer, Refused):
        raise answer
    return answer


def settle_flag(table: Table) -> Refused | None:
    """Let a flag fall that is due; the refusal for whoever came too late, None if none is.

    It falls when no action could come in time any more, the delay of the line forgiven. Not while
    players cannot reach the site: their time is given back first (heartbeat.py).
    """
    clock = table.state.clock
    if clock is None or clock.running is None:
        return None
    if not clock.is_out(table.now_ms, grace.allowance_ms(table.seats[clock.running])):
        return None
    if outages.is_time_owed(table.match, table.state.at_ms, table.now):
        return None
    side = clock.running
    table.act(lambda at: Flag(at_ms=at, side=side))
    follow_up(table)
    return _refused_by_rule("out_of_time", Reason.OUT_OF_TIME)


def _repeated(table: Table, seat: Seat, client_id: UUID) -> Accepted | None:
    """What this id was answered before; an id that the other side has used is no command."""
    known = table.match.actions.filter(client_id=client_id).values_list("seq", "side").first()
    if known is None:
        return None
    seq, side = known
    if side not in ("", seat.side):
        raise Refused("unreadable")
    return Accepted(seq, is_repeat=True)


def _try(table: Table, seat: Seat, actor: Actor, command: Command) -> Accepted | Refused:
    seq = table.match.seq
    if not seat.bot and seat.holder != actor.holder:
        return Refused("passive")
    if table.state.phase is Phase.FINISHED:
        return _refused_by_rule("finished", Reason.GAME_OVER)
    if command.seq != seq:
        return Refused("stale")
    try:
        perform(table, seat, command)
        done = seq + len(table.steps)
        follow_up(table)
    except IllegalAction as error:
        table.undo()
        return _refused_by_rule(_CODES.get(error.reason, "illegal"), error.reason, error.points)
    except InvalidAction:
        table.undo()
        return Refused("unreadable")
    return Accepted(done)


def _refused_by_rule(code: str, reason: Reason, points: tuple[int, ...] = ()) -> Refused:
    return Refused(code, reason=reason.value, points=list(points))
