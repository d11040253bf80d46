"""Health pages answer at the address of a process; other pages at the site's names only."""

import asyncio
from typing import Any

import pytest

from config import asgi
from config.http.probes import PROBES, ProbesByAddress

OFFLINE = "static/js/site/offline.js"
ASKED = b"10.0.0.7:8000"


def host_of(path: str) -> bytes:
    """Return the header `Host` of a request for the path, as the pages get it."""
    seen: list[Any] = []

    async def pages(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)

    scope = {"type": "http", "path": path, "headers": [(b"host", ASKED), (b"accept", b"*/*")]}
    asyncio.run(ProbesByAddress(pages)(scope, None, None))  # type: ignore[arg-type]
    headers = dict(seen[0]["headers"])
    assert headers[b"accept"] == b"*/*"
    found: bytes = headers[b"host"]
    return found


@pytest.mark.parametrize(
    ("allowed", "host"),
    [("play.example.org", b"play.example.org"), (".example.org", b"example.org")],
)
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_page_gets_an_allowed_host(path: str, allowed: str, host: bytes, settings) -> None:
    settings.ALLOWED_HOSTS = [allowed, "other.example.org"]
    assert host_of(path) == host
    assert isinstance(asgi.http, ProbesByAddress)


@pytest.mark.parametrize("path", ["/", "/healthz/", "/en/readyz"])
def test_the_host_of_other_pages_is_left_to_django(path: str, settings) -> None:
    settings.ALLOWED_HOSTS = ["play.example.org"]
    assert host_of(path) == ASKED


@pytest.mark.parametrize("allowed", [[], ["*"], ["play.example.org", "*"]])
def test_the_host_stays_where_no_name_or_any_name_is_allowed(allowed: list[str], settings) -> None:
    settings.ALLOWED_HOSTS = allowed
    assert host_of("/healthz") == ASKED


def test_the_offline_page_asks_for_a_file_that_a_proxy_passes_on(client, settings) -> None:
    script = (settings.BASE_DIR / OFFLINE).read_text()
    asked = script.split('const PROBE = "')[1].split('"')[0]
    begins = script.split('startsWith("')[1].split('"')[0]
    assert asked not in PROBES
    assert client.get(asked).content.decode().startswith(begins)
