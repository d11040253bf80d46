"""A small driver for GNU Backgammon, an independent reference for short backgammon.

All requests run in one process: they are written to a file, ``gnubg_script.py`` answers them inside
the program, which includes Python, and the answers are read from a file. Moves are asked for at
ply 0, where gnubg scores every legal move.

The program comes from the Debian package gnubg. Without it a test is skipped on a developer's
machine and fails where CI=true, so that a missing check is noticed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("gnubg_script.py")
BAR, OFF = 25, 0
MOVE = re.compile(r"^(?P<stops>(?:bar|off|\d+)\*?(?:/(?:off|\d+)\*?)+)(?:\((?P<times>\d)\))?$")


class GnubgError(Exception):
    """The program gave no answer, an error or a move that cannot be read or played."""


def find_program() -> str | None:
    return shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")


def require() -> str:
    """Return the program's path; if it is missing, skip the test, or fail it where CI=true."""
    program = find_program()
    if program is None:
        message = "GNU Backgammon is not installed (Debian package gnubg)"
        if os.environ.get("CI", "").lower() in ("true", "1"):
            pytest.fail(message)
        pytest.skip(message)
    return program


def ask(requests: list[dict[str, Any]], timeout_s: float = 600) -> list[dict[str, Any]]:
    """Return the answers in order; the answer to a refused request has the key ``error``."""
    return run(requests, timeout_s)[0]


def run(requests: list[dict[str, Any]], timeout_s: float = 600) -> tuple[list[dict[str, Any]], str]:
    """Return the answers and everything that the program printed."""
    program = require()
    with tempfile.TemporaryDirectory(prefix="gnubg-") as folder:
        asked, answered = Path(folder, "asked.json"), Path(folder, "answered.json")
        asked.write_text(json.dumps(requests), encoding="utf-8")
        environment = dict(
            os.environ, HOME=folder, GNUBG_ASKED=str(asked), GNUBG_ANSWERED=str(answered)
        )
        done = subprocess.run(
            [program, "-t", "-q", "-r", "-p", str(SCRIPT)],
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout_s,
            check=False,
        )
        printed = done.stdout.decode("utf-8", "replace")
        if not answered.exists():
            raise GnubgError(f"no answer from gnubg (exit {done.returncode}): {printed[-2000:]}")
        return json.loads(answered.read_text(encoding="utf-8")), printed


def gnubg_side(counts: list[int]) -> list[int]:
    """Convert our 26 counts (0 = off, 25 = bar) to gnubg's 25 (points 1..24, then the bar)."""
    return [*counts[1:25], counts[BAR]]


def after_move(own: list[int], enemy: list[int], text: str) -> tuple[list[int], list[int]]:
    """Return the position after a gnubg move, e.g. ``bar/20* 13/7(2)`` or ``24/18*/14``."""
    own, enemy = own[:], enemy[:]
    for item in text.split():
        match = MOVE.match(item)
        if match is None:
            raise GnubgError(f"unreadable move {text!r}")
        stops = [read_stop(stop) for stop in match["stops"].split("/")]
        for _ in range(int(match["times"] or 1)):
            for source, target in pairwise(stops):
                step(own, enemy, source, target)
    return own, enemy


def read_stop(stop: str) -> int:
    name = stop.rstrip("*")
    if name == "bar":
        return BAR
    return OFF if name == "off" else int(name)


def step(own: list[int], enemy: list[int], source: int, target: int) -> None:
    own[source] -= 1
    own[target] += 1
    if target != OFF and enemy[25 - target]:
        if enemy[25 - target] > 1 or own[source] < 0:
            raise GnubgError(f"impossible step {source}/{target}")
        enemy[25 - target] = 0
        enemy[BAR] += 1
