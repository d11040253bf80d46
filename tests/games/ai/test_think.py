"""`python -m games.ai think` answers lines of JSON, as the bots' driver sends them."""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from games.ai.bots.decisions import decide
from games.ai.bots.levels import LEVELS
from games.ai.process.server import answer
from games.engine.board.legal import match_play
from games.engine.board.moves import play_from_text
from games.engine.board.position import Position
from games.engine.match import actions
from games.engine.match.apply import apply
from games.engine.match.permissions import graph_of
from games.engine.match.snapshot import dumps
from games.engine.match.state import MatchState, Phase, new_match
from games.engine.rules import Rules, Variant
from games.engine.sides import Pair, Side
from tests.support.patience import PATIENCE_S

Child = subprocess.Popen[str]


def begin() -> Child:
    return subprocess.Popen(
        [sys.executable, "-m", "games.ai", "think"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    with begin() as process:
        yield process
        process.kill()


def ask(child: Child, line: str) -> dict:
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(line + "\n")
    child.stdin.flush()
    return json.loads(child.stdout.readline())


def after_opening(variant: str) -> MatchState:
    state = new_match(Rules.of(variant))
    for action in (
        actions.Commit(at_ms=0, hash="0" * 64),
        actions.Start(at_ms=3, game=1),
        actions.Opening(at_ms=3, white=6, black=1),
    ):
        state = apply(state, action)
    return state


@pytest.mark.parametrize("variant", ["short", "long"])
def test_position_is_answered_by_a_legal_command_at_every_level(child: Child, variant: str) -> None:
    state = after_opening(variant)
    for level in LEVELS:
        question = {"id": level, "state": dumps(state), "side": "white", "level": level}
        answer = ask(child, json.dumps(question))
        assert answer["id"] == level
        assert 0 <= answer["command"].pop("hard") <= 1
        if state.phase is Phase.TO_ROLL:
            assert answer["command"] == {"t": "roll"}
        else:
            assert answer["command"]["t"] == "play"
            match_play(graph_of(state), play_from_text(answer["command"]["d"]))


@pytest.mark.parametrize("level", ["expert", "master"])
def test_cube_is_judged_two_plies_ahead(level: str) -> None:
    close_race = Position.from_text(
        "W:6x4,5x4,4x3,3x2,2x1,1x1 B:6x5,5x4,4x3,3x2,2x1", Variant.SHORT
    )
    state = MatchState(
        Rules.of("short", length=None), close_race, Phase.TO_ROLL, game=1,
        turn=Side.WHITE, first=Side.WHITE, turns=Pair(9, 9),
    )  # fmt: skip
    one, two = (decide(state, Side.WHITE, LEVELS[level], plies) for plies in (1, 2))
    assert one
    assert two
    assert one.hard != two.hard
    question = {"id": 1, "state": dumps(state), "side": "white", "level": level}
    assert answer(json.dumps(question))["command"] == {**two.command, "hard": two.hard}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nonsense",
        "[1]",
        "null",
        "{}",
        '{"id": 5, "state": {}, "side": "white", "level": "strong"}',
        '{"id": 5, "state": null, "side": "green", "level": "strong"}',
        "[" * 5000,
        '{"id": 5, "state": {"v": 1, "rules": {"variant": "short"}}, "side": "white", "level": ""}',
    ],
    ids=range(9),
)
def test_unreadable_line_gets_an_error_and_the_next_question_is_answered(
    child: Child, line: str
) -> None:
    if line:
        assert "error" in ask(child, line)
    else:  # an empty line gets no answer
        assert child.stdin is not None
        child.stdin.write("\n")
    question = {
        "id": 1, "state": dumps(after_opening("short")), "side": "white", "level": "strong",
    }  # fmt: skip
    assert ask(child, json.dumps(question))["command"]["t"] == "play"


def test_failing_question_gets_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    nothing_to_accept = {"kind": "accept", "at_ms": 9, "side": "white"}
    question = {
        "id": 7, "ask": "judge", "state": dumps(after_opening("short")), "plies": 1,
        "action": nothing_to_accept,
    }  # fmt: skip
    assert answer(json.dumps(question)) == {"id": 7, "error": "failed"}
    assert "Traceback" in capsys.readouterr().err


def test_child_loads_neither_django_nor_the_site() -> None:
    script = (
        "import sys, games.ai.__main__, games.ai.process.server, games.ai.bots.decisions\n"
        "print([name for name in sys.modules if name.split('.')[0] in"
        " ('django', 'channels', 'config', 'accounts') or name.startswith('games.models')])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_missing_arguments_print_the_usage() -> None:
    run = subprocess.run([sys.executable, "-m", "games.ai"], capture_output=True, text=True)
    assert run.returncode == 2
    assert "usage" in run.stderr


def test_child_ends_with_its_input() -> None:
    """Start a separate child: a later test of this file may still need the shared one."""
    with begin() as child:
        assert "error" in ask(child, "nonsense")
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(PATIENCE_S) == 0
