"""Translate each command of a player or bot into an engine action."""

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
from games.models.void_cause import VoidCause
from games.protocol.incoming import Command
from games.services import grace, outages
from games.services.dice import has_all_hashes, roll_action
from games.services.transaction import MatchTransaction

# Builds an action for a moment, in milliseconds of match time.
Build = Callable[[int], engine.Action]
Handler = Callable[[MatchTransaction, Side, Command], Build]

# Pauses allowed in one match; after them the clock stops only to credit the time of an outage.
# Without a bound, a player who leaves and returns all day would write a log that takes minutes to
# fold.
MOST_PAUSES = 300

# Hashes of entropy that a side may send: enough for other devices and for reloads. Without a bound,
# a player could make the log long, and have the other side's hash refused as stale until the match
# is void.
MOST_HASHES = 5


def has_pauses_left(tx: MatchTransaction) -> bool:
    return tx.match.actions.filter(verb=engine.Pause.kind).count() < MOST_PAUSES


def perform(tx: MatchTransaction, seat: Seat, command: Command) -> None:
    """Apply the command's action; a player's action is logged with the id of the command.

    A bot's action is logged without an id: it is never repeated, and it does not prove that players
    can reach the site (outages.py). A player's command ends a pause. If leaving does not lose a
    match of this kind, `leave` does nothing. Raises the engine's refusals and `Refused`.
    """
    if command.t == "leave" and not tx.match.policy.leaving_resigns:
        return
    if is_paused(tx.state) and command.t not in ("pause", "resume"):
        tx.act(lambda at: engine.Resume(at_ms=at))
    build = _HANDLERS[command.t](tx, seat.engine_side, command)
    tx.act(
        lambda at: grace.with_grace(tx.state, seat, build(at)),
        client_id=None if seat.bot else command.id,
    )


def _side_action(action: type[Any]) -> Handler:
    """Return the handler of a command whose action has no field but its side."""
    return lambda tx, side, command: partial(_action_at, action, side=side)


def _action_at(action: type[Any], at_ms: int, **fields: Any) -> engine.Action:
    built: engine.Action = action(at_ms=at_ms, **fields)
    return built


def _entropy_hash(tx: MatchTransaction, side: Side, command: Command) -> Build:
    if tx.state.proof.hashes[side] is not None and not _may_replace_hash(tx, side):
        raise IllegalAction(Reason.WRONG_PHASE)
    return partial(_action_at, engine.EntropyHash, side=side, hash=command.fields["hash"])


def _may_replace_hash(tx: MatchTransaction, side: Side) -> bool:
    """Return whether the side has hashes left and the time to start has not passed.

    Against a bot every new hash postpones the deadline for the entropy (next_deadline.py). Without
    the time limit, a player could postpone it again and again after the time to start.
    """
    time = tx.match.policy.no_start_after
    sent = tx.match.actions.filter(verb=engine.EntropyHash.kind, side=side.value)
    is_late = time is not None and tx.now >= tx.match.created_at + time
    return not is_late and sent.count() < MOST_HASHES


def _entropy(tx: MatchTransaction, side: Side, command: Command) -> Build:
    """Refuse entropy until every person's hash has been sent.

    A player who has seen the opponent's entropy and is not yet bound by a hash could choose the
    dice.
    """
    if not has_all_hashes(tx.seats, tx.state):
        raise Refused("wrong_phase")
    return partial(_action_at, engine.Entropy, side=side, hex=command.fields["entropy"])


def _roll(tx: MatchTransaction, side: Side, command: Command) -> Build:
    if tx.state.phase is not Phase.TO_ROLL:
        raise IllegalAction(Reason.WRONG_PHASE)
    return partial(roll_action, tx.match, tx.state, side)


def _play(tx: MatchTransaction, side: Side, command: Command) -> Build:
    return partial(_action_at, engine.Play, side=side, text=command.fields["d"])


def _resign(tx: MatchTransaction, side: Side, command: Command) -> Build:
    return partial(_action_at, engine.Resign, side=side, factor=command.fields["factor"])


def _pause(tx: MatchTransaction, side: Side, command: Command) -> Build:
    if not tx.match.policy.may_pause or not has_pauses_left(tx):
        raise IllegalAction(Reason.WRONG_PHASE)
    return partial(_action_at, engine.Pause)


def _resume(tx: MatchTransaction, side: Side, command: Command) -> Build:
    return partial(_action_at, engine.Resume)


def _giving_up(action: type[Any]) -> Handler:
    """Return the handler of a command that loses the match, or voids it before the first roll."""

    def build(tx: MatchTransaction, side: Side, command: Command) -> Build:
        if tx.state.phase is Phase.SEATING:
            return partial(_action_at, engine.Void, cause=VoidCause.LEFT.value, side=side)
        return partial(_action_at, action, side=side)

    return build


def _claim(tx: MatchTransaction, side: Side, command: Command) -> Build:
    """Claim the win after the opponent's absence budget is spent; no claim is automatic."""
    absence = tx.seats[side.other].absence
    if absence is None or not absence.is_spent(tx.now):
        raise Refused("not_absent")
    if outages.is_time_owed(tx.match, tx.now):
        raise Refused("not_absent")  # the opponent could not reach the site
    return partial(_action_at, engine.Claim, side=side)


_HANDLERS: dict[str, Handler] = {
    "entropy_hash": _entropy_hash,
    "entropy": _entropy,
    "roll": _roll,
    "play": _play,
    "double": _side_action(engine.Double),
    "take": _side_action(engine.Take),
    "drop": _side_action(engine.Drop),
    "beaver": _side_action(engine.Beaver),
    "resign": _resign,
    "accept": _side_action(engine.Accept),
    "refuse": _side_action(engine.Refuse),
    "resign_match": _giving_up(engine.ResignMatch),
    "next": _side_action(engine.NextGame),
    "pause": _pause,
    "resume": _resume,
    "leave": _giving_up(engine.Leave),
    "claim": _claim,
}
