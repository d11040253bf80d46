"""A request that contains a NUL is answered with 400.

PostgreSQL would raise an error when the NUL is part of a lookup. SQLite accepts it as text.
"""

import pytest
from django.test import Client
from django.urls import reverse

from tests.accounts.factories import member, sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.mark.parametrize(
    "path", ["/play/now/bar/?search=%00", "/leaders/?%00=1", "/tournaments/?q=a%00"]
)
def test_visitors_query_with_a_nul_is_refused(path: str) -> None:
    assert Client().get(path).status_code == 400


@pytest.mark.parametrize("path", ["/play/new/?preset=a%00", "/chat/with/%00/"])
def test_members_address_with_a_nul_is_refused(path: str) -> None:
    assert sign_in(Client(), member("anna55")).get(path).status_code == 400


@pytest.mark.parametrize(
    ("url", "field"),
    [
        ("people:notice_device", "device"),
        ("chat:muted", "player"),
        ("tournaments:propose", "take_back"),
        ("account_sessions", "session"),
        ("lobby:presets", "delete"),
        ("lobby:wishes", "delete"),
    ],
)
def test_form_with_a_nul_is_refused(url: str, field: str) -> None:
    browser = sign_in(Client(), member("anna55"))
    assert browser.post(reverse(url), {field: "a\0b"}).status_code == 400


def test_a_request_without_a_nul_is_answered() -> None:
    assert Client().get("/play/now/bar/?search=a").status_code == 200
