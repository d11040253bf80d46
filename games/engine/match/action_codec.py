"""Actions as one line of text and as JSON-safe dicts; both forms round-trip.

Text: `<at_ms>[+<grace_ms>] [<side>] <kind> [<fields in order>]`, for example
`12345 white play 13/7 8/7*`, `12400+80 black roll 3 1`, `13000 black play - auto`.
Dict: `{"kind": "play", "at_ms": 12345, "side": "white", "text": "13/7 8/7*", "auto": false}`;
`grace_ms` is present only when it is not 0, the `side` of a `void` only when a side caused it.
"""

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from games.engine.errors import InvalidAction
from games.engine.match.actions import KINDS, Action, SideAction, Void
from games.engine.sides import Side

_STAMP = re.compile(r"([0-9]{1,14})(?:\+([0-9]{1,4}))?")
_HEADER = ("at_ms", "side", "grace_ms", "auto")
_AUTO = "auto"


def action_to_dict(action: Action) -> dict[str, Any]:
    """Return a JSON-safe dict for `action_from_dict`."""
    data: dict[str, Any] = {"kind": action.kind}
    for name in _field_names(type(action)):
        value = getattr(action, name)
        if value is not None and (name != "grace_ms" or value):
            data[name] = value.value if isinstance(value, Side) else value
    return data


def action_from_dict(data: object) -> Action:
    """Read the dict of `action_to_dict`; raise `InvalidAction` for any wrong field."""
    if not isinstance(data, Mapping):
        raise InvalidAction("action", "an action is an object")
    action_type = _type_of(data.get("kind"))
    given = {name: value for name, value in data.items() if name != "kind"}
    unknown = given.keys() - set(_field_names(action_type))
    if unknown:
        first = min(map(str, unknown))
        raise InvalidAction("action_field", f"{action_type.kind} has no {first}")
    if "side" in given:
        given["side"] = _side(given["side"])
    return _build(action_type, given)


def side_of(action: Action) -> Side | None:
    """Return the side that an action names."""
    return action.side if isinstance(action, SideAction | Void) else None


def action_to_text(action: Action) -> str:
    """Return one line for `action_from_text`."""
    grace = getattr(action, "grace_ms", 0)
    words = [f"{action.at_ms}+{grace}" if grace else str(action.at_ms)]
    side = side_of(action)
    if side is not None:
        words.append(side.value)
    words.append(action.kind)
    words += [str(getattr(action, name)) for name in _argument_names(type(action))]
    return " ".join(words + [_AUTO] * getattr(action, "auto", False))


def action_from_text(line: str) -> Action:
    """Read the line of `action_to_text`; raise `InvalidAction` for anything else.

    >>> action_to_text(action_from_text("12400+80 black roll 3 1"))
    '12400+80 black roll 3 1'
    """
    words = line.split()
    stamp = _STAMP.fullmatch(words[0]) if words else None
    if stamp is None:
        raise InvalidAction("action_text", "an action begins with its time in milliseconds")
    given: dict[str, Any] = {"at_ms": int(stamp[1])}
    if stamp[2]:
        given["grace_ms"] = int(stamp[2])
    rest = words[1:]
    if rest and rest[0] in tuple(Side):
        given["side"] = Side(rest.pop(0))
    action_type = _type_of(rest[0] if rest else None)
    return _build(action_type, given | _read_arguments(action_type, rest[1:]))


def _read_arguments(action_type: type[Action], words: list[str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    if "auto" in _field_names(action_type) and words[-1:] == [_AUTO]:
        words = words[:-1]
        given["auto"] = True
    names = _argument_names(action_type)
    if names == ("text",):
        return given | {"text": " ".join(words)}
    if len(words) != len(names):
        raise InvalidAction("action_text", f"{action_type.kind} has {len(names)} values")
    for name, word in zip(names, words, strict=True):
        given[name] = _number(word) if action_type.__annotations__[name] is int else word
    return given


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 14):
        raise InvalidAction("action_text", f"{word[:20]!r} is not a number")
    return int(word)


def _build(action_type: type[Action], given: dict[str, Any]) -> Action:
    try:
        return action_type(**given)
    except TypeError as error:
        message = f"{action_type.kind} does not have such fields"
        raise InvalidAction("action_field", message) from error


def _type_of(name: object) -> type[Action]:
    action_type = KINDS.get(name) if isinstance(name, str) else None
    if action_type is None:
        raise InvalidAction("action_kind", f"no such action: {str(name)[:20]!r}")
    return action_type


def _side(value: object) -> Side:
    try:
        return Side(value)  # type: ignore[arg-type]
    except ValueError as error:
        raise InvalidAction("side", f"no such side: {str(value)[:20]!r}") from error


def _field_names(action_type: type[Action]) -> tuple[str, ...]:
    return _FIELDS[action_type.kind]


def _argument_names(action_type: type[Action]) -> tuple[str, ...]:
    return tuple(name for name in _FIELDS[action_type.kind] if name not in _HEADER)


_FIELDS = {
    name: tuple(field.name for field in fields(action_type)) for name, action_type in KINDS.items()
}
