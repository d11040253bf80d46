"""XGIDs and GNUbg IDs: golden samples, round trips, bad input, checks by GNU Backgammon."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.engine.board.position import Position
from games.engine.errors import InvalidAction
from games.engine.formats import gnu_id, xgid
from games.engine.formats.identifier_fields import IdentifierFields
from games.engine.rules import Variant
from games.engine.sides import Pair, Side
from tests.games.engine.formats.random_identifiers import random_fields
from tests.games.oracle import gnubg

START = Position.start(Variant.SHORT)
PLAYER = {Side.WHITE: 0, Side.BLACK: 1, None: -1}  # gnubg's numbers; -1 = no owner of the cube
MANY = 400


def swapped(fields: IdentifierFields) -> IdentifierFields:
    """Return the same fields with the sides exchanged."""
    owner = fields.cube_owner
    return replace(
        fields,
        position=Position(fields.position.black, fields.position.white),
        turn=fields.turn.other,
        cube_owner=owner.other if owner else None,
        score=Pair(fields.score.black, fields.score.white),
    )


# White's opening 3-1 at 2-4 in a match to 7. The part of the GNUbg ID before the colon is the
# position ID of the start, known from manuals.
OPENING = IdentifierFields(START, Side.WHITE, dice=(3, 1), length=7, score=Pair(2, 4))
GOLDEN = [
    (
        OPENING,
        "4HPwATDgc/ABMA:MIHlACAAIAAE",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:6",
    ),
    (
        IdentifierFields(START, Side.BLACK, jacoby=True),
        "4HPwATDgc/ABMA:cAkAAAAAAAAA",
        "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:1:0:6",
    ),
]


@pytest.mark.parametrize(("fields", "gnubg_text", "xg_text"), GOLDEN)
def test_known_positions_have_their_known_identifiers(
    fields: IdentifierFields, gnubg_text: str, xg_text: str
) -> None:
    assert gnu_id.encode(fields) == gnubg_text
    assert xgid.encode(fields) == xg_text
    assert gnu_id.decode(gnubg_text) == fields
    assert xgid.decode(xg_text) == fields


def test_xgid_contains_checkers_on_the_bar_and_off() -> None:
    board = "W:24x1,6x12,bar2 B:5x10,bar1,off4"
    fields = IdentifierFields(Position.from_text(board, Variant.SHORT), Side.BLACK, dice=(6, 5))
    text = xgid.encode(fields)
    assert text == "XGID=a-----L-------------j---AB:0:0:-1:65:0:0:0:0:6"
    assert xgid.decode(text.removeprefix("XGID=")) == fields


def test_gnubg_identifiers_round_trip() -> None:
    for fields in random_fields(MANY, seed=1):
        assert gnu_id.decode(gnu_id.encode(fields)) == fields


def test_xg_identifiers_round_trip_except_resignations() -> None:
    for fields in random_fields(MANY, seed=2):
        assert xgid.decode(xgid.encode(fields)) == replace(fields, resigned=0)


def test_xgid_contains_the_beaver_rule() -> None:
    fields = IdentifierFields(START, Side.WHITE, jacoby=True, beaver=True)
    assert xgid.decode(xgid.encode(fields)) == fields


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "gnuid"),
        ("4HPwATDgc/ABMA", "gnuid"),
        ("4HPwATDgc/ABM:MIHlACAAIAAE", "gnuid_position"),
        ("4HPwATDgc/ABM?:MIHlACAAIAAE", "gnuid_position"),
        ("4HPwATDgc/ABMö:MIHlACAAIAAE", "gnuid_position"),
        ("//////////////:MIHlACAAIAAE", "gnuid_position"),
        ("AAD8/wHg/w8AAA:MIHlACAAIAAE", "position_shared"),
        ("4HPwATDgc/ABMA:MAHlACAAIAA", "gnuid_match"),
        ("4HPwATDgc/ABMA:AAAAAAAAAAAA", "gnuid_match"),
        ("4HPwATDgc/ABMA:MInlACAAIAAE", "gnuid_turn"),
        ("4HPwATDgc/ABMA:MIH/ACAAIAAE", "identifier_dice"),
    ],
)
def test_unreadable_gnubg_identifiers_are_refused(text: str, code: str) -> None:
    with pytest.raises(InvalidAction) as refused:
        gnu_id.decode(text)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("XGID=", "xgid"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7", "xgid"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:71:2:4:0:7:6", "xgid"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:30:2:4:0:7:6", "identifier_dice"),
        ("XGID=-b----E-C---eE---c-e----B-:16:0:1:31:2:4:0:7:6", "xgid_cube"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:2:7:6", "xgid_flag"),
        ("XGID=-b----E-C---eE---c-e----Bb:0:0:1:31:2:4:0:7:6", "xgid_checkers"),
        ("XGID=-b----O-C---eE---c-e----B-:0:0:1:31:2:4:0:7:6", "xgid_checkers"),
    ],
)
def test_unreadable_xg_identifiers_are_refused(text: str, code: str) -> None:
    with pytest.raises(InvalidAction) as refused:
        xgid.decode(text)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"cube_value": 3}, "identifier_cube"),
        ({"cube_value": 1 << 16}, "identifier_cube"),
        ({"score": Pair(1 << 15, 0)}, "gnuid_white"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(InvalidAction) as refused:
        gnu_id.encode(replace(OPENING, **change))
    assert refused.value.code == code


@pytest.mark.gnubg
def test_gnu_backgammon_writes_the_same_identifiers() -> None:
    # gnubg's Python interface drops the score of a money session.
    samples = [
        fields if fields.length else replace(fields, score=Pair(0, 0))
        for fields in random_fields(MANY, seed=3)
    ]
    answers = gnubg.ask([identify_request(fields) for fields in samples])
    assert [answer["id"] for answer in answers] == [gnu_id.encode(fields) for fields in samples]


@pytest.mark.gnubg
def test_gnu_backgammon_reads_our_identifiers() -> None:
    # gnubg cannot be set up with a pending offer.
    without_offer = [
        fields for fields in random_fields(MANY, seed=4) if fields.side_to_act is fields.turn
    ]
    assert len(without_offer) > MANY / 2
    answers = gnubg.ask(
        [{"op": "show", "kind": "gnubgid", "text": gnu_id.encode(each)} for each in without_offer]
        + [{"op": "show", "kind": "xgid", "text": xgid.encode(each)} for each in without_offer]
    )
    for fields, by_gnuid, by_xgid in zip(
        without_offer, answers[: len(without_offer)], answers[len(without_offer) :], strict=True
    ):
        assert by_gnuid["id"] == gnu_id.encode(fields)
        # After reading an XGID, gnubg makes the side on turn its player 1, whichever side that is.
        ours = fields if fields.turn is Side.BLACK else swapped(fields)
        assert by_xgid["id"] == gnu_id.encode(ours)


def identify_request(fields: IdentifierFields) -> dict[str, Any]:
    position, turn = fields.position, fields.turn
    score, dice = list(fields.score), list(fields.dice or (0, 0))
    crawford, doubled = int(fields.crawford), int(fields.is_doubled)
    owner, length = PLAYER[fields.cube_owner], fields.length or 0
    return {
        "op": "identify",
        "mover": gnubg.gnubg_side(list(position.of(turn))),
        "enemy": gnubg.gnubg_side(list(position.of(turn.other))),
        "cube": [fields.cube_value, owner, PLAYER[turn], length, score, crawford],
        "jacoby": int(fields.jacoby),
        "moment": [PLAYER[fields.side_to_act], fields.resigned, doubled, 1, dice],
    }
