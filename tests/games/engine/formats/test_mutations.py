"""Every reader reads a mutated text or refuses it with `InvalidAction`."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.engine.errors import InvalidAction
from games.engine.formats import gnu_id, long_text, mat, xgid

FOLDER = Path(__file__).with_name("golden")
MAT = (FOLDER / "short.mat").read_text(encoding="utf-8")
LONG = (FOLDER / "long.txt").read_text(encoding="utf-8")
# Reader, text to mutate, number of mutations: fewer for whole matches, which take long to read.
READERS: list[tuple[Callable[[str], Any], str, int]] = [
    (mat.load, MAT, 800),
    (long_text.load, LONG, 300),
    (xgid.decode, "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:4:0:7:6", 3_000),
    (gnu_id.decode, "4HPwATDgc/ABMA:MIHlACAAIAAE", 3_000),
]
LETTERS = "0123456789:-/*=>; ()[]\"'\n\tABOXabox²٣é\x00"


def mutated(text: str, rng: random.Random) -> str:
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text))
        kind = rng.choice(["change", "insert", "delete", "cut", "repeat"])
        if kind == "change":
            text = text[:at] + rng.choice(LETTERS) + text[at + 1 :]
        elif kind == "insert":
            text = text[:at] + rng.choice(LETTERS) + text[at:]
        elif kind == "delete":
            text = text[:at] + text[at + rng.randint(1, 40) :]
        elif kind == "cut":
            text = text[: at + 1]
        else:
            text = text[:at] + text[at : at + 60] + text[at:]
        text = text or " "
    return text


@pytest.mark.parametrize(("read", "text", "count"), READERS, ids=["mat", "long", "xgid", "gnuid"])
def test_mutated_texts_are_read_or_refused(
    read: Callable[[str], Any], text: str, count: int
) -> None:
    rng = random.Random(5)
    refused = 0
    for _ in range(count):
        try:
            read(mutated(text, rng))
        except InvalidAction:
            refused += 1
    assert 0 < refused < count
