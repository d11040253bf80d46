"""HEAD at every address: the status and headers of GET, and no body.

The short form (without `--long`) requests every third URL, always the same ones. One middleware
answers every HEAD, so the short form finds a fault in a kind of answer that many URLs give. Only
the long form finds a fault of a single URL outside this third.
"""

import asyncio
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from django.urls import reverse

from config.asgi import application
from tests.accounts.factories import sign_in, staff
from tests.accounts.page_client import cookie_header
from tests.config.access import make_world
from tests.config.filled import Filled
from tests.config.test_access_matrix import NAMES, ROWS
from tests.support.lengths import length

# Django makes error pages in a thread of their own, which sees committed rows only.
pytestmark = pytest.mark.django_db(transaction=True)

# Headers made for each answer, or computed from the body, which a HEAD does not have.
OWN_OF_EACH = {
    b"x-request-id",
    b"content-length",
    b"content-security-policy",
    b"set-cookie",
    b"expires",
}


def ask(method: str, address: str, cookies: str = "") -> tuple[int, set[Any], bytes]:
    """Return the status, the headers without OWN_OF_EACH, and the body that the server gets.

    Keep the test's database connection, which Django would close after the request.
    """
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        return _ask(method, address, cookies)
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


@async_to_sync
async def _ask(method: str, address: str, cookies: str) -> tuple[int, set[Any], bytes]:
    path, _, query = address.partition("?")
    sent: list[dict[str, Any]] = []
    came: list[dict[str, Any]] = [{"type": "http.request", "body": b""}]

    async def receive() -> dict[str, Any]:
        if came:
            return came.pop()
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(b"host", b"testserver"), (b"cookie", cookies.encode())],
        "client": ("127.0.0.1", 1),
    }
    await application(scope, receive, send)
    start, *bodies = sent
    headers = {(name.lower(), value) for name, value in start["headers"]}
    kept = {(name, value) for name, value in headers if name not in OWN_OF_EACH}
    return start["status"], kept, b"".join(each.get("body", b"") for each in bodies)


def difference_from_get(address: str, cookies: str = "") -> str | None:
    expected_status, expected_headers, _ = ask("GET", address, cookies)
    status, headers, body = ask("HEAD", address, cookies)
    if body:
        return f"a body of {len(body)} bytes"
    if status != expected_status:
        return f"{status}, not {expected_status}"
    return f"headers {headers ^ expected_headers}" if headers != expected_headers else None


def test_head_of_every_address_of_a_visitor_is_get_without_body() -> None:
    filled = Filled(rows=2, rated=1)
    asked = sorted(filled.addresses().items())[:: length(3, 1)]
    found = {name: difference_from_get(address) for name, address in asked}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    assert len(found) > length(10, 30)


def test_head_of_every_address_of_a_member_is_get_without_body(
    settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = str(tmp_path)
    world = make_world()
    browser = world.browsers["owner"]
    cookies = cookie_header(browser)
    found = {
        name: difference_from_get(reverse(name, args=ROWS[name].args(world)), cookies)
        for name in NAMES[:: length(3, 1)]
    }
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    assert ask("GET", reverse("wallet:statement_csv"), cookies)[2].count(b"\n") > 1


def test_head_of_pages_of_the_admin_is_get_without_body() -> None:
    browser = sign_in(Client(), staff("staff12345"))
    cookies = cookie_header(browser)
    for name in ("index", "accounts_user_changelist", "games_match_changelist"):
        assert difference_from_get(reverse(f"admin:{name}"), cookies) is None
