"""Fixtures of the numbered scenarios: situations in which other sites of this kind have failed."""

from collections.abc import Iterator

import pytest

from tests.scenarios.books import assert_site_is_consistent
from tests.support.steady import no_periodic_table_checks, same_dice

__all__ = ["no_periodic_table_checks", "same_dice"]


@pytest.fixture(autouse=True)
def _site_is_consistent_at_the_end(request: pytest.FixtureRequest) -> Iterator[None]:
    """Check ledger, logs and rakes after every test that uses the database (scenario 15).

    Tests marked `broken_books` are left out.
    """
    marker = request.node.get_closest_marker("django_db")
    if marker is None:
        yield
        return
    commits = marker.kwargs.get("transaction")
    # Set up first, so that the checks below run before the database is emptied or rolled back.
    request.getfixturevalue("transactional_db" if commits else "db")
    yield
    if not request.node.get_closest_marker("broken_books"):
        assert_site_is_consistent()
