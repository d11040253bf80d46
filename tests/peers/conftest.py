"""Scenarios in which other sites of this kind have failed, each under its number."""

from collections.abc import Iterator

import pytest

from tests.games.steady import same_dice, tables_are_checked_when_a_test_says_so
from tests.peers.books import assert_all_is_well

__all__ = ["same_dice", "tables_are_checked_when_a_test_says_so"]


@pytest.fixture(autouse=True)
def _all_is_well_at_the_end(request: pytest.FixtureRequest) -> Iterator[None]:
    """Number 15: whatever was done, the books agree, every log folds, every tax is the rule's."""
    marker = request.node.get_closest_marker("django_db")
    if marker is None:
        yield
        return
    commits = marker.kwargs.get("transaction")
    request.getfixturevalue("transactional_db" if commits else "db")  # we look before it is emptied
    yield
    if not request.node.get_closest_marker("broken_books"):
        assert_all_is_well()
