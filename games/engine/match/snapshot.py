"""A state as a JSON-safe dict and back: the form that the server stores beside the log.

`"v"` is the version of this form. A reader refuses any other: if the version changes, the stored
snapshots have to be computed again from the logs.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from games.engine.board.position import Position
from games.engine.board.win_kind import WinKind
from games.engine.errors import InvalidAction
from games.engine.match.clock import Clock
from games.engine.match.cube import Cube
from games.engine.match.state import (
    DiceProof,
    GameCause,
    GameResult,
    MatchCause,
    MatchOutcome,
    MatchState,
    Offer,
    Phase,
)
from games.engine.rules import Rules
from games.engine.sides import Pair, Side, value_of

SNAPSHOT_VERSION = 1
T = TypeVar("T")

_PLAIN = (
    "at_ms", "game", "crawford", "crawford_done", "rolls", "refused", "last_turn",
)  # fmt: skip
_PAIRS = ("score", "turns", "rolled_pips", "doublets")


def dumps(state: MatchState) -> dict[str, Any]:
    """Return a JSON-safe dict for `loads`."""
    data: dict[str, Any] = {"v": SNAPSHOT_VERSION, "rules": state.rules.to_dict()}
    data["position"] = state.position.to_hex(state.rules.variant)
    data["phase"] = state.phase.value
    data |= {name: getattr(state, name) for name in _PLAIN}
    data |= {name: list(getattr(state, name)) for name in _PAIRS}
    data["turn"] = value_of(state.turn)
    data["first"] = value_of(state.first)
    data["dice"] = list(state.dice) if state.dice else None
    data["openings"] = [list(dice) for dice in state.openings]
    data["ready"] = sorted(side.value for side in state.ready)
    for name in ("cube", "offer", "clock", "result", "outcome", "proof"):
        part = getattr(state, name)
        data[name] = None if part is None else _plain(part)
    if not state.proof.is_lost:  # so that the dict equals one from before this field existed
        del data["proof"]["is_lost"]
    return data


def loads(data: object) -> MatchState:
    """Read the dict of `dumps`; raise `InvalidAction` for anything else."""
    if not isinstance(data, Mapping) or data.get("v") != SNAPSHOT_VERSION:
        raise InvalidAction("snapshot", "not a snapshot of this version")
    try:
        return _state(data)
    except InvalidAction:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidAction("snapshot", f"the snapshot is damaged: {error!r}") from error


def _state(data: Mapping[str, Any]) -> MatchState:
    rules = Rules.from_dict(data["rules"])
    given: dict[str, Any] = {name: data[name] for name in _PLAIN}
    given |= {name: Pair(*_ints(data[name])) for name in _PAIRS}
    return MatchState(
        rules=rules,
        position=Position.from_hex(data["position"], rules.variant),
        phase=Phase(data["phase"]),
        turn=_maybe(Side, data["turn"]),
        first=_maybe(Side, data["first"]),
        dice=_maybe(_ints, data["dice"]),
        openings=tuple([_ints(dice) for dice in data["openings"]]),
        ready=frozenset([Side(side) for side in data["ready"]]),
        cube=_cube(data["cube"]),
        offer=_maybe(_offer, data["offer"]),
        clock=_maybe(_clock, data["clock"]),
        result=_maybe(_result, data["result"]),
        outcome=_maybe(_outcome, data["outcome"]),
        proof=_proof(data["proof"]),
        **given,
    )


def _maybe(read: Callable[[Any], T], value: Any) -> T | None:
    return None if value is None else read(value)


def _ints(value: Any) -> tuple[int, int]:
    first, second = value
    return int(first), int(second)


def _cube(data: Any) -> Cube:
    return Cube(data["value"], _maybe(Side, data["owner"]), data["auto"])


def _offer(data: Any) -> Offer:
    return Offer(Side(data["side"]), data["factor"])


def _clock(data: Any) -> Clock:
    return Clock(
        delay_ms=data["delay_ms"],
        reserve_ms=Pair(*_ints(data["reserve_ms"])),
        spare_ms=Pair(*_ints(data["spare_ms"])),
        running=_maybe(Side, data["running"]),
        since_ms=data["since_ms"],
        is_paused=data["is_paused"],
    )


def _result(data: Any) -> GameResult:
    return GameResult(
        winner=_maybe(Side, data["winner"]),
        kind=WinKind(data["kind"]),
        points=data["points"],
        cause=GameCause(data["cause"]),
        cube=data["cube"],
    )


def _outcome(data: Any) -> MatchOutcome:
    return MatchOutcome(_maybe(Side, data["winner"]), MatchCause(data["cause"]))


def _proof(data: Any) -> DiceProof:
    hashes, entropy = Pair(*data["hashes"]), Pair(*data["entropy"])
    is_lost = data.get("is_lost", False)
    return DiceProof(data["commitment"], hashes, entropy, data["secret"], is_lost)


def _plain(part: Any) -> dict[str, Any]:
    """Return the fields of a dataclass: enums as their text, tuples as lists, as JSON has them."""
    data: dict[str, Any] = {}
    for name in part.__slots__:
        value = getattr(part, name)
        if isinstance(value, StrEnum):
            value = value.value
        data[name] = list(value) if isinstance(value, tuple) else value
    return data
