"""Actions round-trip as text and as dicts; unreadable ones name the fault."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.errors import InvalidAction
from games.engine.match import actions as A
from games.engine.match.action_codec import (
    action_from_dict,
    action_from_text,
    action_to_dict,
    action_to_text,
)
from games.engine.sides import Side

_TIMES = st.integers(0, 10**12)
_SIDES = st.sampled_from(Side)
_GRACE = st.integers(0, 1000)
_DIE = st.integers(1, 6)
_PLAYS = st.sampled_from(["-", "13/7 8/7*", "bar/20 24/18", "6/off 5/off 4/off 3/off", "24/18(2)"])
_CAUSES = st.from_regex(r"[a-z][a-z_]{0,31}", fullmatch=True)


def _hex(low: int, high: int):
    return st.binary(min_size=low, max_size=high).map(bytes.hex)


_FIELDS = {
    A.Commit: {"hash": _hex(32, 32)},
    A.EntropyHash: {"hash": _hex(32, 32)},
    A.Entropy: {"hex": _hex(1, 64)},
    A.Start: {"game": st.integers(1, 10_000)},
    A.Opening: {"white": _DIE, "black": _DIE},
    A.Roll: {"d1": _DIE, "d2": _DIE},
    A.Play: {"text": _PLAYS, "auto": st.booleans()},
    A.Resign: {"factor": st.integers(1, 3)},
    A.Pause: {"credit_ms": _TIMES},
    A.Credit: {"ms": _TIMES},
    A.Void: {"cause": _CAUSES, "side": st.none() | _SIDES},
    A.Reveal: {"secret": _hex(32, 32)},
}


def _any_of(kind: type[A.Action]):
    fields = {"at_ms": _TIMES, **_FIELDS.get(kind, {})}
    if issubclass(kind, A.SideAction):
        fields["side"] = _SIDES
    if issubclass(kind, A.TimedAction):
        fields["grace_ms"] = _GRACE
    return st.builds(kind, **fields)


ANY_ACTION = st.one_of([_any_of(kind) for kind in A.KINDS.values()])


@given(ANY_ACTION)
def test_an_action_round_trips_as_one_line_of_text(action):
    line = action_to_text(action)
    assert "\n" not in line
    assert action_from_text(line) == action


@given(ANY_ACTION)
def test_an_action_round_trips_through_json(action):
    assert action_from_dict(json.loads(json.dumps(action_to_dict(action)))) == action


def test_text_of_an_action_is_as_documented():
    play = A.Play(at_ms=12345, side=Side.WHITE, text="13/7 8/7*")
    roll = A.Roll(at_ms=12400, side=Side.BLACK, d1=3, d2=1, grace_ms=80)
    auto = A.Play(at_ms=13000, side=Side.BLACK, text="-", auto=True)
    assert [action_to_text(action) for action in (play, roll, auto)] == [
        "12345 white play 13/7 8/7*",
        "12400+80 black roll 3 1",
        "13000 black play - auto",
    ]


def test_dict_of_an_action_is_as_documented():
    play = A.Play(at_ms=12345, side=Side.WHITE, text="13/7 8/7*")
    assert action_to_dict(play) == {
        "kind": "play",
        "at_ms": 12345,
        "side": "white",
        "text": "13/7 8/7*",
        "auto": False,
    }


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_as_unreadable(line):
    try:
        action = action_from_text(line)
    except InvalidAction:
        return
    assert action_from_text(action_to_text(action)) == action


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
_FIELD_NAMES = st.sampled_from(["at_ms", "side", "grace_ms", "text", "auto", "d1", "d2", "hash"])


@given(
    st.sampled_from([*A.KINDS, "castle"]),
    st.dictionaries(_FIELD_NAMES, _JSON | st.sampled_from(["white", "black", 1, 5])),
)
def test_any_dict_is_read_or_refused_as_unreadable(kind, fields):
    try:
        action = action_from_dict({"kind": kind, **fields})
    except InvalidAction:
        return
    assert action_to_dict(action)["kind"] == kind


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "action_text"),
        ("white roll 1 2", "action_text"),
        ("12 white castle", "action_kind"),
        ("12 roll 1 2", "action_field"),
        ("12 white start 1", "action_field"),
        ("12 white roll 1", "action_text"),
        ("12 white roll 1 7", "die"),
        ("12 white roll 1 x", "action_text"),
        ("12+1001 white roll 1 2", "grace_ms"),
        ("12+5 start 1", "action_field"),
        ("12 white play", "play_text"),
        ("12 white play 7/13", "play_text"),
        ("12 white resign 4", "factor"),
        ("12 start 0", "game"),
        ("12 commit abcd", "hash"),
        ("12 white entropy " + "00" * 65, "entropy"),
        ("12 white entropy xyz", "entropy"),
        ("12 void Server-Down", "cause"),
        ("12 reveal 00", "secret"),
    ],
)
def test_an_unreadable_line_names_its_fault(line, code):
    with pytest.raises(InvalidAction) as caught:
        action_from_text(line)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ([], "action"),
        ({}, "action_kind"),
        ({"kind": ["play"]}, "action_kind"),
        ({"kind": "resume"}, "action_field"),
        ({"kind": "resume", "at_ms": -1}, "at_ms"),
        ({"kind": "resume", "at_ms": True}, "at_ms"),
        ({"kind": "resume", "at_ms": 1.0}, "at_ms"),
        ({"kind": "resume", "at_ms": 1, "side": "white"}, "action_field"),
        ({"kind": "take", "at_ms": 1, "side": "green"}, "side"),
        ({"kind": "take", "at_ms": 1, "side": None}, "side"),
        ({"kind": "play", "at_ms": 1, "side": "white", "text": "6/off", "auto": 1}, "auto"),
        ({"kind": "play", "at_ms": 1, "side": "white", "text": 6}, "play_text"),
        ({"kind": "play", "at_ms": 1, "side": "white", "text": "6/5\n5/4"}, "play_text"),
    ],
)
def test_an_unreadable_dict_names_its_fault(data, code):
    with pytest.raises(InvalidAction) as caught:
        action_from_dict(data)
    assert caught.value.code == code
