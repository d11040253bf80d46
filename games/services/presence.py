"""Who holds a seat, and the clock of a training match that waits for its player."""

from datetime import datetime
from uuid import UUID

from accounts.gate import writing
from games import broadcast
from games.actors import Actor, find_seat
from games.engine.actions import Pause, Resume
from games.engine.predicates import is_paused
from games.engine.sides import Side
from games.models import Match, Seat
from games.services.actions import settle_flag
from games.services.following import follow_up
from games.services.refusals import Refused
from games.services.table import Table


def take(public_id: str, actor: Actor, holder: UUID, now: datetime) -> Side:
    """Give the actor's seat to a connection, the newest, and let a waiting clock go on.

    Raises `Refused("not_seated")`. The connection that held it learns that it no longer does.
    """
    with writing():
        table = Table.lock(public_id, now)
        seat = find_seat(table.seats.values(), actor)
        if seat is None:
            raise Refused("not_seated")
        _hold(seat, holder)
        if settle_flag(table) is None and is_paused(table.state):
            table.act(lambda at: Resume(at_ms=at))
        follow_up(table)
        table.save()
        table.rewake()
    broadcast.holder_changed(public_id, seat.side, str(holder))
    return seat.engine_side


def leave(public_id: str, actor: Actor, now: datetime) -> None:
    """The connection that held the seat is gone: a training match waits for its player."""
    with writing():
        table = Table.lock(public_id, now)
        seat = find_seat(table.seats.values(), actor)
        if seat is None or seat.holder != actor.holder:
            return
        _hold(seat, None)
        if table.match.kind == Match.Kind.TRAINING and settle_flag(table) is None:
            pause_clock(table)
        table.save()
        table.rewake()


def pause_clock(table: Table, credit_ms: int = 0) -> None:
    """Stop a running clock; `credit_ms` of what has passed is not charged."""
    clock = table.state.clock
    if clock is not None and clock.running is not None and not clock.is_paused:
        table.act(lambda at: Pause(at_ms=at, credit_ms=credit_ms))


def _hold(seat: Seat, holder: UUID | None) -> None:
    seat.holder = holder
    seat.save(update_fields=["holder"])
