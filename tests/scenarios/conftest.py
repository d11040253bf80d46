"""Fixtures of the numbered scenarios, in each of which a site of this kind has failed."""

from collections.abc import Iterator

import pytest

from tests.scenarios.books import assert_all_is_well
from tests.support.steady import same_dice, tables_are_checked_when_a_test_says_so

__all__ = ["same_dice", "tables_are_checked_when_a_test_says_so"]


@pytest.fixture(autouse=True)
def _all_is_well_at_the_end(request: pytest.FixtureRequest) -> Iterator[None]:
    """Scenario 15: check books, logs and rakes after every test."""
    marker = request.node.get_closest_marker("django_db")
    if marker is None:
        yield
        return
    commits = marker.kwargs.get("transaction")
    request.getfixturevalue(
        "transactional_db" if commits else "db"
    )  # emptied after the checks below
    yield
    if not request.node.get_closest_marker("broken_books"):
        assert_all_is_well()
