"""Fixtures for conftest.py files: the same dice in every run, no periodic checks of game tables.

A test then cannot fail because of a rare roll, or because the machine stalled until a periodic
check ran.
"""

import random

import pytest

from accounts.models.user import PUBLIC_ID_ALPHABET, PUBLIC_ID_LENGTH
from games.live import open_tables
from games.services import matches

LATER_S = 3600.0  # later than the end of any test


@pytest.fixture(autouse=True)
def same_dice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive the secret and the match's id, which determine the dice, from the test's name."""
    rng = random.Random(request.node.nodeid)
    monkeypatch.setattr(matches, "new_secret", lambda: rng.randbytes(32))
    monkeypatch.setattr(
        matches,
        "new_public_id",
        lambda: "".join(rng.choices(PUBLIC_ID_ALPHABET, k=PUBLIC_ID_LENGTH)),
    )


@pytest.fixture(autouse=True)
def no_periodic_table_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the periodic check of open tables, which sends states and stores presence."""
    monkeypatch.setattr(open_tables, "CHECK_EVERY_S", LATER_S)
