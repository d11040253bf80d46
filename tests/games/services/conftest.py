"""Fixtures of two members with credits, who play White and Black."""

import pytest

from accounts.models import User
from tests.wallet.factories import player


@pytest.fixture
def white() -> User:
    return player("white5")


@pytest.fixture
def black() -> User:
    return player("black5")
