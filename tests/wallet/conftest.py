"""Check the books at the end of every ledger test that is not marked `broken_books`."""

import pytest
from django.db import connection


@pytest.fixture(autouse=True)
def _books_balance_at_the_end(request):
    """Check the books after tests that roll back too; tests/conftest.py does not check those."""
    marked = request.node.get_closest_marker
    if not (marked("django_db") or "db" in request.fixturenames):
        yield
        return
    request.getfixturevalue("db")
    yield
    if not marked("broken_books") and not connection.needs_rollback:
        from tests.wallet.factories import assert_books_balance

        assert_books_balance()
