"""Error pages give back the database connection of the thread in which Django renders them."""

from typing import Any

import pytest
from django.db import connection
from django.db.backends.signals import connection_created
from django.urls import reverse

from tests.accounts.page_client import cookie_header
from tests.config.access import make_world
from tests.config.http.test_head import ask

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def opened() -> Any:
    """Yield a list of the connections that are opened during the test, in all threads."""
    found: list[Any] = []

    def note(connection: Any, **_: Any) -> None:
        found.append(connection)

    connection_created.connect(note)
    yield found
    connection_created.disconnect(note)


@pytest.mark.parametrize("status", [403, 404])
def test_error_page_of_a_member_keeps_no_connection(opened: list[Any], status: int) -> None:
    browser = make_world().browsers["owner"]
    cookies = cookie_header(browser)
    address = {403: reverse("admin:index") + "login/", 404: "/en/nothing-here/"}[status]
    opened.clear()
    answered, _, _body = ask("GET", address, cookies)
    assert answered == status
    others = [each for each in opened if each is not connection]
    assert others, "no other thread has opened a connection to render the page"
    assert [each.connection for each in others] == [None] * len(others)
