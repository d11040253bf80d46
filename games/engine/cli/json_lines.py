"""Shared parts of the engine's commands: one JSON object per line, in and out."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import isfinite
from typing import Any, TextIO

from games.engine.board.position import Counts, Position, check_position
from games.engine.board.variants import TRAITS
from games.engine.errors import IllegalAction, InvalidAction, InvalidPosition, InvalidRules
from games.engine.rules import Rules, Variant
from games.engine.sides import Side

Query = Mapping[str, Any]
Answer = dict[str, Any]


def answer_lines(lines: Iterable[str], out: TextIO, answer: Callable[[Query], Answer]) -> None:
    """Write one answer for each line, flushed at once; an unanswerable line gets an error object.

    The query's `id` comes first in the answer, also in an error if the line is a JSON object.
    """
    for line in lines:
        out.write(f"{_to_json(_answer_line(line, answer))}\n")
        out.flush()


def _to_json(answer: Answer) -> str:
    try:
        return json.dumps(answer, separators=(",", ":"))
    except RecursionError:  # the query's id is nested too deeply for this Python
        return _to_json({"error": {"code": "unreadable", "message": "the id is nested too deeply"}})


def _answer_line(line: str, answer: Callable[[Query], Answer]) -> Answer:
    head: Answer = {}
    try:
        query = read_object(line)
        if "id" in query:
            head = {"id": query["id"]}
        return {"id": query.get("id"), **answer(query)}
    except InvalidAction as error:
        return {**head, "error": {"code": error.code, "message": str(error)}}
    except IllegalAction as error:
        return {**head, "error": {"code": error.reason.value, "message": str(error)}}


def read_object(line: str) -> Query:
    """Return the JSON object on a line; raise `InvalidAction("unreadable")` for anything else."""
    try:
        line.encode("utf-8")
        query = json.loads(
            line.removeprefix("\ufeff"), parse_constant=_no_number, parse_float=_finite
        )
    except (ValueError, RecursionError) as error:
        raise InvalidAction("unreadable", "the line is not JSON in UTF-8") from error
    if not isinstance(query, dict):
        raise InvalidAction("unreadable", "the line is not a JSON object")
    return query


def _no_number(name: str) -> None:
    """Refuse NaN and Infinity: they are not JSON, and an answer repeats the query's id."""
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(text)
    return number


def read_variant(query: Query) -> Variant:
    value = query.get("variant")
    if not isinstance(value, str) or value not in list(Variant):
        raise InvalidAction("variant", "variant is 'short' or 'long'")
    return Variant(value)


def read_side(query: Query, key: str) -> Side:
    value = query.get(key)
    if not isinstance(value, str) or value not in list(Side):
        raise InvalidAction(key, f"{key} is 'white' or 'black'")
    return Side(value)


def read_rules(query: Query, variant: Variant, names: tuple[str, ...]) -> Rules:
    """Return the rules of a query: its values for `names`, the defaults for all others."""
    given = query.get("rules")
    if given is None:
        given = {}
    if not isinstance(given, dict):
        raise InvalidRules("rules", "rules is an object")
    chosen = {name: given[name] for name in names if name in given}
    if any(not isinstance(value, (str, bool)) for value in chosen.values()):
        raise InvalidRules("rules", "a rule is a word, or true or false")
    if chosen.get("mars") is False:
        chosen["koks"] = False  # mars off forces koks off
    return _rules_of(variant, tuple(chosen.items()))


@lru_cache(maxsize=256)
def _rules_of(variant: Variant, chosen: tuple[tuple[str, Any], ...]) -> Rules:
    """Return the rules; cached, since most lines of a run share them."""
    return Rules.of(variant, **dict(chosen))


def read_position(query: Query, variant: Variant) -> Position:
    """Return the `position` of a query; raise `InvalidPosition` with the fault."""
    data = query.get("position")
    if not isinstance(data, dict):
        raise InvalidPosition("position", "position is an object")
    off, bar = _pair(data, "off"), _pair(data, "bar")
    if bar != (0, 0) and not TRAITS[variant].has_hits:
        raise InvalidPosition("position_bar", "long nardy has no bar")
    white, black = _points(data, "white"), _points(data, "black")
    return check_position(
        Position((off[0], *white, bar[0]), (off[1], *black, bar[1])),
        variant,
    )


def _points(data: Query, key: str) -> Counts:
    counts = data.get(key)
    if not isinstance(counts, list) or len(counts) != 24:
        raise InvalidPosition("position_points", f"{key} is a list of 24 counts")
    return tuple([_count(value, key) for value in counts])


def _pair(data: Query, key: str) -> tuple[int, int]:
    pair = data.get(key)
    if pair is None:
        return 0, 0
    if not isinstance(pair, dict):
        raise InvalidPosition(f"position_{key}", f"{key} is an object with white and black")
    return _count(pair.get("white", 0), key), _count(pair.get("black", 0), key)


def _count(value: object, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidPosition("position_count", f"{key} holds a count that is not 0, 1, 2, ...")
    return value
