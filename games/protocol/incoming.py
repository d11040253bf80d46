"""Parser of client frames. It accepts exactly what `games/protocol.schema.json` describes.

Unknown types of frames, unknown fields and values of a wrong type raise `Unreadable`.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from games.models.premove import CubeAnswer, Premove

VERSION = 1
MAX_FRAME_BYTES = 4096
MAX_SEQ = 2**31 - 1
MAX_ID = 2**53 - 1

_HEX64 = re.compile(r"[0-9a-f]{64}")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ENTROPY = re.compile(r"(?:[0-9a-f]{2}){1,64}")
_PLAY = re.compile(r"-|[0-9A-Za-z/*() ]{1,60}")

_SPEECH = re.compile(r"(?s).{1,200}")
_PLAYER = re.compile(r"[A-Za-z0-9]{1,12}")

COMMANDS = frozenset(
    {
        "entropy_hash", "entropy", "roll", "play", "double", "take", "drop", "beaver", "resign",
        "accept", "refuse", "resign_match", "next", "pause", "resume", "leave", "claim",
        "rematch_offer", "rematch_accept", "rematch_refuse",
    }
)  # fmt: skip

# Commands that the coach can judge before they are carried out; they may have the field `warn`.
JUDGED = frozenset({"roll", "play", "double", "take", "drop", "beaver", "accept", "refuse"})


class Unreadable(Exception):
    """`code`: `unreadable`, `unknown_type`, `too_large` or `reload`; `id`: the frame's, if read."""

    def __init__(self, code: str = "unreadable", id: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.id = id


@dataclass(frozen=True, slots=True)
class Command:
    """A player's command; `seq` is the last action that the client has seen.

    `warn`: refuse the command if it is a blunder. `echo`: the id as it was sent, for the answer.
    """

    t: str
    id: UUID
    seq: int
    fields: dict[str, Any] = field(default_factory=dict)
    warn: bool = False
    echo: str | None = None


@dataclass(frozen=True, slots=True)
class Join:
    """Join a table. `since` is the last action that the client has seen; `hold`: take the seat.

    `token` is the seat's token that this client had on its last connection.
    """

    since: int
    hold: bool
    token: UUID | None = None


@dataclass(frozen=True, slots=True)
class Sync:
    since: int


@dataclass(frozen=True, slots=True)
class Ping:
    seq: int


@dataclass(frozen=True, slots=True)
class Why:
    """A question why a move is illegal after the moves `played`; `target` None: to any point."""

    played: str
    source: int
    target: int | None


@dataclass(frozen=True, slots=True)
class Hint:
    """A question to the coach about the position after action `seq`."""

    id: UUID
    seq: int
    echo: str


@dataclass(frozen=True, slots=True)
class SetPremove:
    """Decisions in advance, for game number `game`."""

    game: int
    premove: Premove
    echo: str


@dataclass(frozen=True, slots=True)
class TakeSeat:
    pass


@dataclass(frozen=True, slots=True)
class LagAnswer:
    """The number of the server's `lag` frame."""

    n: int


@dataclass(frozen=True, slots=True)
class Say:
    """A chat message; `kind` is `phrase`, `emoji` or `text`."""

    id: UUID
    kind: str
    body: str
    echo: str


@dataclass(frozen=True, slots=True)
class Mute:
    """Mute `player`, the `by` of a `said` frame; `only_text`: phrases and emoji still come."""

    player: str
    only_text: bool = False


@dataclass(frozen=True, slots=True)
class Unmute:
    player: str


@dataclass(frozen=True, slots=True)
class Report:
    """A report of the message with this number."""

    id: int


ChatFrame = Say | Mute | Unmute | Report
Frame = Command | Join | Sync | Ping | Why | Hint | SetPremove | TakeSeat | LagAnswer | ChatFrame


def parse(text: str) -> Frame:
    """Read a client's frame; raise `Unreadable`, with the frame's id if that could be read."""
    data = _load(text)
    frame_type = data.pop("t", None)
    if not isinstance(frame_type, str):
        raise Unreadable
    reader, id = _READERS.get(frame_type), _id_text(data.get("id"))
    if reader is None and frame_type not in COMMANDS:
        raise Unreadable("unknown_type", id)
    try:
        frame = reader(data) if reader else _command(frame_type, data)
    except KeyError as missing:
        raise Unreadable("unreadable", id) from missing
    except Unreadable as error:
        raise Unreadable(error.code, id) from error
    if data:  # readers pop the fields they know
        raise Unreadable("unreadable", id)
    return frame


def _load(text: str) -> dict[str, Any]:
    if len(text.encode("utf-8", "surrogatepass")) > MAX_FRAME_BYTES:
        raise Unreadable("too_large")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable from error
    if not isinstance(data, dict):
        raise Unreadable
    return data


def _command(verb: str, data: dict[str, Any]) -> Command:
    echo = data.pop("id")
    id = _uuid(echo)
    seq = _number(data.pop("seq"), 0, MAX_SEQ)
    fields = {name: read(data.pop(name)) for name, read in _FIELDS.get(verb, {}).items()}
    warn = _flag(data.pop("warn", False)) if verb in JUDGED else False
    return Command(verb, id, seq, fields, warn, echo)


def _join(data: dict[str, Any]) -> Join:
    if _number(data.pop("v"), 0, MAX_SEQ) != VERSION:
        raise Unreadable("reload")
    token = data.pop("token", None)
    return Join(
        _number(data.pop("since"), -1, MAX_SEQ),
        _flag(data.pop("hold")),
        None if token is None else _uuid(token),
    )


def _sync(data: dict[str, Any]) -> Sync:
    return Sync(_number(data.pop("since"), -1, MAX_SEQ))


def _ping(data: dict[str, Any]) -> Ping:
    return Ping(_number(data.pop("seq"), -1, MAX_SEQ))


def _why(data: dict[str, Any]) -> Why:
    target, played = data.pop("to"), data.pop("d")
    return Why(
        _matching(_PLAY, "-" if played == "" else played),
        _number(data.pop("from"), 1, 25),
        None if target is None else _number(target, 0, 24),
    )


def _hint(data: dict[str, Any]) -> Hint:
    echo = data.pop("id")
    return Hint(_uuid(echo), _number(data.pop("seq"), 0, MAX_SEQ), echo)


def _premove(data: dict[str, Any]) -> SetPremove:
    echo = data.pop("id")
    _uuid(echo)
    game, roll, cube = data.pop("game"), data.pop("roll"), data.pop("cube")
    if cube not in (None, CubeAnswer.TAKE.value, CubeAnswer.DROP.value):
        raise Unreadable
    return SetPremove(_number(game, 1, MAX_SEQ), Premove(_flag(roll), CubeAnswer(cube or "")), echo)


def _take_seat(data: dict[str, Any]) -> TakeSeat:
    return TakeSeat()


def _lag(data: dict[str, Any]) -> LagAnswer:
    return LagAnswer(_number(data.pop("n"), 0, MAX_SEQ))


def _say(data: dict[str, Any]) -> Say:
    echo = data.pop("id")
    id = _uuid(echo)
    for kind in ("phrase", "emoji", "text"):
        if kind in data:
            return Say(id, kind, _matching(_SPEECH, data.pop(kind)), echo)
    raise Unreadable


def _mute(data: dict[str, Any]) -> Mute:
    return Mute(_matching(_PLAYER, data.pop("player")), _flag(data.pop("only_text", False)))


def _unmute(data: dict[str, Any]) -> Unmute:
    return Unmute(_matching(_PLAYER, data.pop("player")))


def _report(data: dict[str, Any]) -> Report:
    return Report(_number(data.pop("id"), 1, MAX_ID))


_READERS: dict[str, Callable[[dict[str, Any]], Frame]] = {
    "join": _join,
    "sync": _sync,
    "ping": _ping,
    "why": _why,
    "hint": _hint,
    "premove": _premove,
    "take_seat": _take_seat,
    "lag": _lag,
    "say": _say,
    "mute": _mute,
    "unmute": _unmute,
    "report": _report,
}


def _number(value: object, low: int, high: int) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # JSON knows one kind of number: 7.0 is 7
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise Unreadable
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise Unreadable
    return value


def _matching(pattern: re.Pattern[str], value: object) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Unreadable
    return value


def _uuid(value: object) -> UUID:
    return UUID(_matching(_UUID, value))  # UUID() itself accepts many other forms


def _id_text(value: object) -> str | None:
    """Return a client's id as it was sent, None if the value is no UUID."""
    return value if isinstance(value, str) and _UUID.fullmatch(value) else None


_FIELDS: dict[str, dict[str, Any]] = {
    "entropy_hash": {"hash": lambda value: _matching(_HEX64, value)},
    "entropy": {"entropy": lambda value: _matching(_ENTROPY, value)},
    "play": {"d": lambda value: _matching(_PLAY, value)},
    "resign": {"factor": lambda value: _number(value, 1, 3)},
}
