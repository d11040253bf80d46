"""The parser of client frames and the published schema accept the same frames."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.protocol import incoming
from tests.games.frames import SCHEMA

CLIENT = jsonschema.Draft202012Validator(
    {"$schema": SCHEMA["$schema"], "$ref": "#/$defs/client", "$defs": SCHEMA["$defs"]}
)
ID = "0f8fad5b-d9cb-469f-a165-70867728950e"

# Valid frames of every kind.
GOOD: list[dict[str, Any]] = [
    {"t": "join", "v": 1, "since": -1, "hold": True},
    {"t": "join", "v": 1, "since": 7, "hold": True, "token": ID},
    {"t": "lag", "n": 7},
    {"t": "say", "id": ID, "phrase": "hello"},
    {"t": "say", "id": ID, "emoji": "smile"},
    {"t": "say", "id": ID, "text": "<b>two\nlines</b>"},
    {"t": "mute", "player": "black"},
    {"t": "mute", "player": "black", "only_text": True},
    {"t": "unmute", "player": "black"},
    {"t": "report", "id": 7},
    {"t": "sync", "since": 7},
    {"t": "ping", "seq": 7},
    {"t": "take_seat"},
    {"t": "why", "d": "", "from": 13, "to": None},
    {"t": "why", "d": "24/18", "from": 25, "to": 0},
    {"t": "hint", "id": ID, "seq": 9},
    {"t": "premove", "id": ID, "game": 1, "roll": True, "cube": None},
    {"t": "premove", "id": ID, "game": 9, "roll": False, "cube": "drop"},
    {"t": "play", "id": ID, "seq": 9, "d": "8/7 6/5", "warn": True},
    {"t": "roll", "id": ID, "seq": 9, "warn": False},
    {"t": "entropy_hash", "id": ID, "seq": 1, "hash": "0a" * 32},
    {"t": "entropy", "id": ID, "seq": 1, "entropy": "0a" * 64},
    {"t": "play", "id": ID, "seq": 9, "d": "bar/20 24/18*"},
    {"t": "play", "id": ID, "seq": 9, "d": "8/7(2) 6/off"},
    {"t": "resign", "id": ID, "seq": 9, "factor": 3},
    *[
        {"t": kind, "id": ID, "seq": 9}
        for kind in sorted(incoming.COMMANDS - {"entropy_hash", "entropy", "play", "resign"})
    ],
]
OPTIONAL = {"token", "warn", "only_text"}
# IDs in forms that are refused, and values that are wrong for most kinds of field.
ODD_IDS = [ID.replace("-", "_"), ID[1:] + "-", ID.replace("-", "")]
WRONG: list[Any] = ["", "x", -2, 2**31, 1.5, 9.0, [], {}, True, "0A" * 32, "ж", "1" * 200, *ODD_IDS]


def is_read(frame: Any) -> bool:
    try:
        incoming.parse(json.dumps(frame))
    except incoming.Unreadable:
        return False
    return True


def test_every_command_has_an_example() -> None:
    assert {frame["t"] for frame in GOOD} >= incoming.COMMANDS


@pytest.mark.parametrize("frame", GOOD, ids=str)
def test_valid_frames_are_read_and_match_the_schema(frame: dict[str, Any]) -> None:
    CLIENT.validate(frame)
    assert is_read(frame)


@pytest.mark.parametrize("frame", GOOD, ids=str)
def test_parser_and_schema_refuse_a_missing_or_unknown_field(frame: dict[str, Any]) -> None:
    for name in frame.keys() - OPTIONAL:
        less = {key: value for key, value in frame.items() if key != name}
        assert not is_read(less)
        assert not CLIENT.is_valid(less)
    more = {**frame, "hurry": True}
    assert not is_read(more)
    assert not CLIENT.is_valid(more)


@pytest.mark.parametrize("frame", GOOD, ids=str)
def test_parser_and_schema_agree_on_a_changed_field(frame: dict[str, Any]) -> None:
    for name in frame:
        for value in WRONG:
            changed = {**frame, name: value}
            assert is_read(changed) == CLIENT.is_valid(changed), changed


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(JSON)
def test_parser_reads_or_refuses_any_json(value: Any) -> None:
    is_read(value)


@given(st.sampled_from(GOOD), st.data())
def test_parser_and_schema_agree_on_frames_changed_at_random(
    frame: dict[str, Any], data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(frame)))
    changed = {**frame, name: data.draw(JSON)}
    text = json.dumps(changed)
    if "NaN" in text or "Infinity" in text:
        return  # NaN and Infinity are not JSON, and a strict parser refuses them
    assert is_read(changed) == CLIENT.is_valid(changed), changed


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unreadable"),
        ("{", "unreadable"),
        ("[]", "unreadable"),
        ("[" * 4000, "unreadable"),
        ('{"t":1}', "unreadable"),
        ('{"t":"dance"}', "unknown_type"),
        ('{"t":"join","v":2,"since":-1,"hold":true}', "reload"),
        ('{"t":"ping","seq":1' + " " * 4096 + "}", "too_large"),
        ('{"t":"ping","seq":' + "9" * 4050 + "}", "unreadable"),
        ('{"t":"roll","id":"\\ud800","seq":1}', "unreadable"),
    ],
)
def test_unreadable_text_has_a_code(text: str, code: str) -> None:
    with pytest.raises(incoming.Unreadable) as refused:
        incoming.parse(text)
    assert refused.value.code == code


def test_frame_size_counts_bytes_not_characters() -> None:
    with pytest.raises(incoming.Unreadable, match="too_large"):
        incoming.parse(json.dumps({"t": "ж" * 2100}, ensure_ascii=False))


def test_unreadable_command_keeps_its_id() -> None:
    with pytest.raises(incoming.Unreadable) as refused:
        incoming.parse(json.dumps({"t": "play", "id": ID, "seq": 1, "d": 7}))
    assert refused.value.id == ID


@pytest.mark.parametrize("sent", [ID, ID.upper()])
@pytest.mark.parametrize("kind", ["roll", "hint", "say"])
def test_id_is_repeated_exactly_as_it_was_sent(kind: str, sent: str) -> None:
    good = next(frame for frame in GOOD if frame["t"] == kind)
    frame = incoming.parse(json.dumps({**good, "id": sent}))
    assert frame.echo == sent  # type: ignore[union-attr]
    for wrong in ({**good, "id": sent, "hurry": True}, {"t": kind, "id": sent, "seq": "x"}):
        with pytest.raises(incoming.Unreadable) as refused:
            incoming.parse(json.dumps(wrong))
        assert refused.value.id == sent


def test_schema_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
