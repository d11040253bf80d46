"""Two members with credits, who sit on White's and on Black's side."""

import pytest

from accounts.models import User
from tests.wallet.factories import player


@pytest.fixture
def white() -> User:
    return player("white5")


@pytest.fixture
def black() -> User:
    return player("black5")
