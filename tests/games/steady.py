"""What chance and the clock decide at a table, decided for tests: for conftest.py files.

A test that passes passes always: no roll comes once in a thousand runs, and nothing happens by
itself on a machine that stood still for a while.
"""

import random

import pytest

from accounts.models.user import PUBLIC_ID_ALPHABET, PUBLIC_ID_LENGTH
from games.live import open_tables
from games.services import matches

LATER_S = 3600.0


@pytest.fixture(autouse=True)
def same_dice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The secret and the match's id, from which dice follow, come from the name of the test."""
    chance = random.Random(request.node.nodeid)
    monkeypatch.setattr(matches, "new_secret", lambda: chance.randbytes(32))
    monkeypatch.setattr(
        matches,
        "new_public_id",
        lambda: "".join(chance.choices(PUBLIC_ID_ALPHABET, k=PUBLIC_ID_LENGTH)),
    )


@pytest.fixture(autouse=True)
def tables_are_checked_when_a_test_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process's own check tells states and notes who is there, every few seconds."""
    monkeypatch.setattr(open_tables, "CHECK_EVERY_S", LATER_S)
