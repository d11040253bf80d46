"""Bots answer before anything is compiled, and switch to compiled code when it is ready."""

import fcntl
import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from games.ai.kernel import jit
from games.ai.process import compiled_code
from games.ai.process.warm_up import states
from games.engine.board.position import Position
from games.engine.match.snapshot import dumps
from games.engine.match.state import Offer, Phase
from games.engine.sides import Pair, Side
from tests.support.patience import PATIENCE_S


class Child:
    """The bots' process with its own folder for compiled code."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *(command or ("-m", "games.ai", "think"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NUMBA_CACHE_DIR": str(folder)},
        )

    def ask(self, **question: object) -> dict:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self) -> None:
        with self.process:
            self.process.kill()


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Return a folder that has all compiled code but not the file that marks it as complete."""
    assert compiled_code.main([]) == 0
    folder = tmp_path / "numba"
    folder.mkdir()
    for entry in jit.kept_folder().iterdir():
        if entry.name != "lock" and not entry.name.startswith("compiled-"):
            (folder / entry.name).symlink_to(entry)
    return folder


def test_interpreted_process_plays_as_the_compiled_one_that_replaces_it(kept: Path) -> None:
    questions = [
        {"state": dumps(state), "side": state.turn, "level": "strong"}
        for state in states()
        if state.dice
    ]
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # keeps other processes from compiling
        child = Child(kept)
        hint = {"ask": "hint", "plies": 1, **questions[0]}
        cold = [child.ask(**question) for question in questions]
        assert child.ask(**hint)["error"] == "compiling"
        (kept / compiled_code.mark().name).touch()
    assert all(answer["interpreted"] for answer in cold)
    end = time.monotonic() + PATIENCE_S
    while child.ask(**hint).get("error") == "compiling":
        assert time.monotonic() < end
        time.sleep(0.1)  # leaves the processor to the compiler, which has the lowest priority
    warm = [child.ask(**question) for question in questions]
    child.end()
    played = [answer["command"]["d"] for answer in warm]
    assert [answer["command"]["d"] for answer in cold] == played
    assert not any("interpreted" in answer for answer in warm)
    assert len(played) == len(questions)


def test_interpreted_process_judges_cube_and_offers_of_a_bear_off_under_parity(
    tmp_path: Path,
) -> None:
    start = next(state for state in states() if state.rules.parity and not state.dice)
    position = Position.from_text("W:1x4,off11 B:1x6,off9", start.rules.variant)
    to_roll = replace(start, position=position, turn=Side.WHITE, first=Side.WHITE, turns=Pair(9, 9))
    doubled = replace(to_roll, phase=Phase.CUBE_OFFERED)
    resigned = replace(to_roll, turn=Side.BLACK, offer=Offer(Side.BLACK, 1))
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # keeps other processes from compiling
        child = Child(tmp_path)
        answers = [
            child.ask(state=dumps(state), side=side, level="strong")
            for state, side in (
                (to_roll, Side.WHITE),
                (doubled, Side.BLACK),
                (resigned, Side.WHITE),
            )
        ]
        child.end()
    assert all(answer["interpreted"] for answer in answers)
    assert [answer["command"]["t"] for answer in answers] == ["double", "drop", "accept"]


def test_failed_compiling_is_reported_and_bots_still_play(tmp_path: Path) -> None:
    no_folder = tmp_path / "file"
    no_folder.touch()
    state = next(state for state in states() if state.dice)
    question = {"state": dumps(state), "side": state.turn, "level": "strong"}
    child = Child(no_folder)
    end = time.monotonic() + PATIENCE_S
    while (error := child.ask(ask="hint", plies=1, **question)["error"]) == "compiling":
        assert time.monotonic() < end
        time.sleep(0.1)
    assert error == "uncompiled"
    assert child.ask(**question)["command"]["t"] == "play"
    child.end()


def test_process_ends_after_failed_compiling_so_that_another_retries(
    tmp_path: Path,
) -> None:
    no_folder = tmp_path / "file"
    no_folder.touch()
    code = "import sys; from games.ai.process import server; server.RETRY_S = 0.0; "
    child = Child(no_folder, "-c", code + "server.main(sys.stdin, sys.stdout)")
    assert child.process.stdout is not None
    assert child.process.stdout.read() == ""  # the process ends although its stdin is open
    assert child.process.wait() == 0
    child.end()
