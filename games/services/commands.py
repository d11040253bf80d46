"""What each command of a player means to the engine."""

from collections.abc import Callable
from functools import partial
from typing import Any

from accounts.shared.refusals import Refused
from games.engine.errors import IllegalAction, Reason
from games.engine.match import actions as engine
from games.engine.match.permissions import is_paused
from games.engine.match.state import Phase
from games.engine.sides import Side
from games.models import Seat
from games.protocol.incoming import Command
from games.services import grace, outages
from games.services.dice import next_roll
from games.services.table import Table

Handler = Callable[[Table, Side, Command], Callable[[int], engine.Action]]


def perform(table: Table, seat: Seat, command: Command) -> None:
    """Apply the command's action, under its client id.

    A person's move ends a pause. Where leaving resigns nothing, the page goes and nothing is
    logged. Raises the engine's refusals and `Refused`.
    """
    if command.t == "leave" and not table.match.policy.leaving_resigns:
        return
    if is_paused(table.state) and command.t not in ("pause", "resume"):
        table.act(lambda at: engine.Resume(at_ms=at))
    build = _HANDLERS[command.t](table, seat.engine_side, command)
    table.act(
        lambda at: grace.forgive(table.state, seat, build(at)),
        client_id=command.id,
    )


def _plain(action: type[Any]) -> Handler:
    """A command that is just an action of its side."""
    return lambda table, side, command: partial(_at, action, side=side)


def _at(action: type[Any], at_ms: int, **fields: Any) -> engine.Action:
    built: engine.Action = action(at_ms=at_ms, **fields)
    return built


def _entropy_hash(table: Table, side: Side, command: Command) -> Callable[[int], engine.Action]:
    return partial(_at, engine.EntropyHash, side=side, hash=command.fields["hash"])


def _entropy(table: Table, side: Side, command: Command) -> Callable[[int], engine.Action]:
    if not _all_promised(table):
        raise Refused("wrong_phase")
    return partial(_at, engine.Entropy, side=side, hex=command.fields["entropy"])


def _all_promised(table: Table) -> bool:
    """No entropy is told before every person's hash is in: nobody may choose last."""
    hashes = table.state.proof.hashes
    return all(seat.bot or hashes[side] is not None for side, seat in table.seats.items())


def _roll(table: Table, side: Side, command: Command) -> Callable[[int], engine.Action]:
    if table.state.phase is not Phase.TO_ROLL:
        raise IllegalAction(Reason.WRONG_PHASE)
    d1, d2 = next_roll(table.match, table.state)
    return partial(_at, engine.Roll, side=side, d1=d1, d2=d2)


def _play(table: Table, side: Side, command: Command) -> Callable[[int], engine.Action]:
    return partial(_at, engine.Play, side=side, text=command.fields["d"])


def _resign(table: Table, side: Side, command: Command) -> Callable[[int], engine.Action]:
    return partial(_at, engine.Resign, side=side, factor=command.fields["factor"])


def _pause(table: Table, side: Side, command: Command) -> Callable[[int], engine.Action]:
    if not table.match.policy.may_pause:
        raise IllegalAction(Reason.WRONG_PHASE)
    return partial(_at, engine.Pause)


def _resume(table: Table, side: Side, command: Command) -> Callable[[int], engine.Action]:
    return partial(_at, engine.Resume)


def _leave(table: Table, side: Side, command: Command) -> Callable[[int], engine.Action]:
    return partial(_at, engine.Leave, side=side)


def _claim(table: Table, side: Side, command: Command) -> Callable[[int], engine.Action]:
    """The win, because the other has been away for longer than he may; never automatic."""
    absence = table.seats[side.other].absence
    if absence is None or not absence.is_spent(table.now):
        raise Refused("not_absent")
    if outages.is_time_owed(table.match, table.state.at_ms, table.now):
        raise Refused("not_absent")  # he could not come
    return partial(_at, engine.Claim, side=side)


_HANDLERS: dict[str, Handler] = {
    "entropy_hash": _entropy_hash,
    "entropy": _entropy,
    "roll": _roll,
    "play": _play,
    "double": _plain(engine.Double),
    "take": _plain(engine.Take),
    "drop": _plain(engine.Drop),
    "beaver": _plain(engine.Beaver),
    "resign": _resign,
    "accept": _plain(engine.Accept),
    "refuse": _plain(engine.Refuse),
    "resign_match": _plain(engine.ResignMatch),
    "next": _plain(engine.NextGame),
    "pause": _pause,
    "resume": _resume,
    "leave": _leave,
    "claim": _claim,
}
