"""Positions and plays are written as text, read, and refused if unreadable."""

import pytest

from games.engine.board.legal import match_play, turn_graph
from games.engine.board.moves import MAX_MOVES, Move, play_from_text, play_to_text
from games.engine.board.moves import WrittenMove as Written
from games.engine.board.position import Position
from games.engine.errors import IllegalAction, InvalidAction, InvalidPosition
from games.engine.rules import Rules, Variant
from games.engine.sides import Side

SHORT_START = "W:24x2,13x5,8x3,6x5 B:24x2,13x5,8x3,6x5"


def test_a_play_is_written_move_by_move() -> None:
    play = (Move(25, 20, 5), Move(13, 8, 5, is_hit=True), Move(6, 0, 6))
    assert play_to_text(play) == "bar/20 13/8* 6/off"
    assert play_to_text(()) == "-"


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("-", ()),
        ("13/7 8/7*", (Written(13, 7, False), Written(8, 7, True))),
        ("BAR/20  6/Off", (Written(25, 20, False), Written(6, 0, False))),
        ("25/20 6/0", (Written(25, 20, False), Written(6, 0, False))),
        ("24/18*/13", (Written(24, 18, True), Written(18, 13, False))),
        (
            "8/7*(2) 6/5",
            (Written(8, 7, True), Written(8, 7, True), Written(6, 5, False)),
        ),
        (
            "13/11/9/7/5",
            (
                Written(13, 11, False),
                Written(11, 9, False),
                Written(9, 7, False),
                Written(7, 5, False),
            ),
        ),
    ],
)
def test_plays_are_read_in_the_forms_people_type(text: str, moves: tuple[Written, ...]) -> None:
    assert play_from_text(text) == moves


@pytest.mark.parametrize(
    "text",
    [
        *("", "13", "13-7", "7/13", "7/7", "26/20", "13/7/", "off/6", "13/bar", "13/7 -", "x/y"),
        *("13/7**", "6/5 6/5 6/5 6/5 6/5", "8/7(5)", "8/7(3) 6/5(2)", "1३/7", "013/7", "9" * 5000),
    ],
)
def test_unreadable_plays_are_refused(text: str) -> None:
    with pytest.raises(InvalidAction) as refused:
        play_from_text(text)
    assert refused.value.code == "play_text"


def test_rest_of_a_too_long_play_is_read_as_one_item(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def item_moves(item: str) -> list[Written]:
        read.append(item)
        return []

    monkeypatch.setattr("games.engine.board.moves._item_moves", item_moves)
    with pytest.raises(InvalidAction):
        play_from_text("6/5 " * 1000)
    assert len(read) == MAX_MOVES + 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "position_text"),
        ("W:24x15", "position_text"),
        ("W:24x15 B:24x15 x", "position_text"),
        ("W:24x14 B:24x15", "position_count"),
        ("W:24x7,24x8 B:24x15", "position_text"),
        ("W:25x15 B:24x15", "position_text"),
        ("W:24x16 B:24x15", "position_text"),
        ("W:24x0,6x15 B:24x15", "position_text"),
        ("W:12x15 B:24x15", "position_shared"),
        ("W:24x14,bar1 B:24x15", "position_bar"),
    ],
)
def test_unreadable_positions_are_refused(text: str, code: str) -> None:
    with pytest.raises(InvalidPosition) as refused:
        Position.from_text(text, Variant.LONG)
    assert refused.value.code == code


@pytest.mark.parametrize("text", ["", "0" * 52, "g" * 52, "F" * 52, "0" * 50])
def test_unreadable_hex_positions_are_refused(text: str) -> None:
    with pytest.raises(InvalidPosition):
        Position.from_hex(text, Variant.SHORT)


def test_one_written_move_may_use_several_dice() -> None:
    start = Position.from_text(SHORT_START, Variant.SHORT)
    graph = turn_graph(start, Side.WHITE, (6, 5), Rules.of("short"))
    play, _reached = match_play(graph, play_from_text("24/13"))
    assert play_to_text(play) == "24/18 18/13"
    graph = turn_graph(start, Side.WHITE, (2, 2), Rules.of("short"))
    play, _reached = match_play(graph, play_from_text("13/7 6/4"))
    assert play_to_text(play) == "13/11 11/9 9/7 6/4"


def test_move_by_several_dice_avoids_a_hit_that_is_not_written() -> None:
    position = Position.from_text("W:24x2,13x5,8x3,6x5 B:24x2,13x4,8x3,6x5,7x1", Variant.SHORT)
    graph = turn_graph(position, Side.WHITE, (6, 3), Rules.of("short"))
    quiet, _reached = match_play(graph, play_from_text("24/15"))
    hitting, _reached = match_play(graph, play_from_text("24/18*/15"))
    assert play_to_text(quiet) == "24/21 21/15"
    assert play_to_text(hitting) == "24/18* 18/15"


def test_moves_written_in_another_order_are_rearranged() -> None:
    position = Position.from_text("W:13x5,8x3,6x5,24x1,bar1 B:24x2,13x5,8x3,6x5", Variant.SHORT)
    graph = turn_graph(position, Side.WHITE, (4, 3), Rules.of("short"))
    play, _reached = match_play(graph, play_from_text("13/10 bar/21"))
    assert play_to_text(play) == "bar/21 13/10"


def test_a_hit_mark_without_a_hit_is_refused() -> None:
    start = Position.from_text(SHORT_START, Variant.SHORT)
    graph = turn_graph(start, Side.WHITE, (3, 1), Rules.of("short"))
    with pytest.raises(IllegalAction) as refused:
        match_play(graph, play_from_text("8/5* 6/5"))
    assert (refused.value.reason, refused.value.points) == ("point_empty", (5,))


@pytest.mark.parametrize("text", ["-", "8/5", "8/5 6/5 6/5"])
def test_too_few_or_too_many_moves_are_refused(text: str) -> None:
    start = Position.from_text(SHORT_START, Variant.SHORT)
    graph = turn_graph(start, Side.WHITE, (3, 1), Rules.of("short"))
    with pytest.raises(IllegalAction) as refused:
        match_play(graph, play_from_text(text))
    expected = "wrong_die" if text.endswith("6/5 6/5") else "incomplete_play"
    assert refused.value.reason == expected


def test_only_a_pass_is_accepted_when_no_move_is_legal() -> None:
    position = Position.from_text("W:6x2,off13 B:23x2,1x13", Variant.SHORT)
    graph = turn_graph(position, Side.WHITE, (4, 4), Rules.of("short"))
    assert match_play(graph, ()) == ((), position)
    with pytest.raises(IllegalAction) as refused:
        match_play(graph, play_from_text("6/2"))
    assert refused.value.reason == "no_legal_move"
