"""The tags at the head of a match text: players, date, rules, and an early end."""

import re
from collections.abc import Mapping
from typing import Any

from games.engine.errors import InvalidAction
from games.engine.formats.dialect import Dialect
from games.engine.formats.json_export import Export
from games.engine.rules import Rules
from games.engine.sides import Side

SITE = "5Stars Gammon"
MAX_NAME = 30  # characters; the last two are kept for the suffix of `names_of`
_CUBE_LIMIT = "64"
_ID_MAX = 64  # characters
_ELSEWHERE = ("variant", "length", "version")  # stated by other lines of the file, or implied
_SWITCHES = {True: "on", False: "off"}
_UNSAFE = re.compile(r"[^0-9A-Za-z_.-]+")
_DATE = re.compile(r"([0-9]{4})[-.]([0-9]{2})[-.]([0-9]{2})")
_WORD = re.compile(r"([a-z_]+)=([a-z0-9_]{1,30})")


def names_of(seats: Mapping[str, Mapping[str, Any]]) -> tuple[str, str]:
    """Return both names as the file can hold them: short, ASCII, without spaces, distinct."""
    white, black = (_name(seats[side.value], side) for side in Side)
    return white, black if black != white else f"{black}_2"


def _name(seat: Mapping[str, Any], side: Side) -> str:
    raw = seat.get("name") or ""
    if not raw and seat.get("kind") == "bot":
        raw = f"bot_{seat.get('level') or ''}"
    name = _UNSAFE.sub("_", str(raw)).strip("_.-")[: MAX_NAME - 2]
    # A name of digits alone could be taken for a score.
    return name if re.search("[A-Za-z]", name) else side.value.capitalize()


def write_tags(export: Export, names: tuple[str, str], dialect: Dialect) -> dict[str, str]:
    """Return the tags of an export in their order; the caller adds `Termination`."""
    rules, date = export.rules, _DATE.match(export.created_at)
    tags = {
        "Site": SITE,
        "Match ID": re.sub(r"[^0-9A-Za-z]", "", export.id),
        "Player 1": names[0],
        "Player 2": names[1],
        "EventDate": ".".join(date.groups()) if date else "",
        "Variation": dialect.variation,
        "Crawford": _SWITCHES[rules.crawford].capitalize(),
        "CubeLimit": _CUBE_LIMIT,
        "Rules": rules_to_words(rules),
    }
    return {name: value for name, value in tags.items() if value}


def rules_to_words(rules: Rules) -> str:
    """Return `profile=classic head=effect mars=on ...`: all rules but variant and length."""
    words = []
    for name, value in rules.to_dict().items():
        if name not in _ELSEWHERE and value is not None:
            text = _SWITCHES[value] if isinstance(value, bool) else str(value)
            words.append(f"{name}={text}")
    return " ".join(words)


def rules_from_tags(tags: Mapping[str, str], length: int | None, dialect: Dialect) -> Rules:
    """Return the rules in the tags.

    Without a tag `Rules`, return the defaults with a cube unless `length` is 1, and with the values
    of the usual tags: `Crawford`, or `Jacoby` and `Beaver` in a money session.
    """
    if tags.get("Variation", dialect.variation) != dialect.variation:
        raise InvalidAction(f"{dialect.code}_variation", f"not a file of {dialect.variation}")
    if "Rules" in tags:
        given: dict[str, Any] = dict(_read_word(word, dialect) for word in tags["Rules"].split())
    else:
        given = {"cube": length != 1}
        if length is not None:
            given["crawford"] = tags.get("Crawford", "On").lower() == "on"
        else:
            given["jacoby"] = tags.get("Jacoby", "Off").lower() == "on"
            given["beaver"] = tags.get("Beaver", "Off").lower() == "on"
    return Rules.of(dialect.variant, length=length, **given)


def _read_word(word: str, dialect: Dialect) -> tuple[str, Any]:
    match = _WORD.fullmatch(word)
    if match is None or match[1] in _ELSEWHERE:
        raise InvalidAction(f"{dialect.code}_rules", f"cannot read the rule {word[:30]!r}")
    name, text = match[1], match[2]
    if text in ("on", "off"):
        return name, text == "on"
    return name, int(text) if text.isdecimal() else text


def export_arguments_of(tags: Mapping[str, str], names: tuple[str, str]) -> dict[str, Any]:
    """Return the arguments of `json_export.to_export` that tags and names can fill."""
    date = _DATE.fullmatch(tags.get("EventDate", ""))
    return {
        "match_id": re.sub(r"[^0-9A-Za-z]", "", tags.get("Match ID", ""))[:_ID_MAX] or "imported",
        "seats": {
            side.value: {"kind": "guest", "name": name, "level": None}
            for side, name in zip(Side, names, strict=True)
        },
        "created_at": "-".join(date.groups()) + "T00:00:00+00:00" if date else "",
    }
