"""The situations of each lesson let the player try the control that gives the lesson its name."""

import pytest
from django.test import Client

from games.engine.board.legal import TurnGraph, turn_graph
from games.engine.board.position import Position
from games.engine.rules import Rules
from games.engine.sides import Side
from games.training.lessons import LESSONS, lesson_view

CHOICE, FORCED, DOUBLET, BEARING_OFF, HIT = "choice", "forced", "doublet", "bearing off", "hit"
# By lesson, features that its situations must have, each in at least one of them.
FEATURES = {
    "dice": {CHOICE},
    "tap": {CHOICE, DOUBLET},
    "double-click": {CHOICE, BEARING_OFF},
    "bear-off": {CHOICE, FORCED, BEARING_OFF},
    "end-of-turn": {CHOICE, FORCED},
    "speed": {CHOICE, HIT, DOUBLET},
    "home-short": {CHOICE},
    "home-long": {CHOICE},
    "looks": {CHOICE, BEARING_OFF},
    "sound": {CHOICE, HIT},
}


def graphs(name: str) -> list[TurnGraph]:
    view = lesson_view(name)
    rules = Rules.of(view["variant"])
    return [
        turn_graph(
            Position(tuple(each["after"]["white"]), tuple(each["after"]["black"])),
            Side.WHITE,
            tuple(each["dice"]),
            rules,
        )
        for each in view["situations"]
    ]


def features_of(name: str) -> set[str]:
    found = set()
    for graph, situation in zip(graphs(name), lesson_view(name)["situations"], strict=True):
        moves = [move for edges in graph.edges for move, _after in edges]
        found.add(FORCED if len(graph.results()) == 1 else CHOICE)
        found |= {DOUBLET} if len(set(graph.start.dice)) == 1 else set()
        found |= {BEARING_OFF} if any(move.target == 0 for move in moves) else set()
        found |= {HIT} if "*" in (situation["opponent"] or {"play": ""})["play"] else set()
    return found


@pytest.mark.parametrize("name", LESSONS)
def test_situations_of_a_lesson_have_the_required_features(name: str) -> None:
    assert features_of(name) >= FEATURES[name]


@pytest.mark.parametrize("name", LESSONS)
def test_white_has_a_legal_play_in_every_situation(name: str) -> None:
    assert not any(graph.is_pass for graph in graphs(name))


def test_address_of_a_lesson_returns_its_situations_with_the_legal_plays(client: Client) -> None:
    answer = client.get("/practice/bear-off/")
    assert answer.status_code == 200
    assert answer.json() == lesson_view("bear-off")
    assert set(answer.json()["situations"][0]["plays"]) == {"nodes", "edges", "finals"}


def test_unknown_lesson_is_not_found(client: Client) -> None:
    assert client.get("/practice/cheating/").status_code == 404


def test_posting_to_a_lesson_is_refused(client: Client) -> None:
    assert client.post("/practice/dice/").status_code == 405
