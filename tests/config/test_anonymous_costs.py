"""Pages for visitors without an account need no more queries when the database is fuller."""

import pytest
from django.core.cache import caches

from lobby.templatetags import home
from tests.config.filled import Filled, Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

MOST_QUERIES = 20


def queries_of_second_visit(visitor: Visitor, address: str) -> int:
    """Return the number of queries of the second visit: the first may fill caches.

    The caches that visits of other pages have filled are cleared before the first visit.
    """
    caches["pages"].clear()
    visitor.queries_of(address)
    return visitor.queries_of(address)


def all_queries(filled: Filled) -> dict[str, int]:
    visitor = Visitor()
    return {
        name: queries_of_second_visit(visitor, address)
        for name, address in filled.addresses().items()
    }


def test_no_page_needs_more_queries_with_a_fuller_database(settings, monkeypatch) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    # The second visit must find what the first one stored, even on a slow machine.
    monkeypatch.setattr(home, "KEPT_S", 3600)
    few, many = all_queries(Filled(2, 4)), all_queries(Filled(6, 12))
    assert few.keys() == many.keys()
    assert {name: count for name, count in many.items() if count > MOST_QUERIES} == {}
    assert {name: (few[name], many[name]) for name in many if many[name] > few[name]} == {}
