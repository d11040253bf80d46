"""A web process that is asked to stop closes the sockets of its pages first."""

import json
import re
import signal
import sqlite3
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from websockets.exceptions import ConnectionClosed

from config.sockets.drain import RESTARTING
from tests.load.test_kill import Guest
from tests.support.patience import PATIENCE_S
from tests.support.site_process import SiteProcess

pytestmark = pytest.mark.slow

# Seconds for which the stopping process still answers. The test must notice the stop and play on
# within this time, even if a busy machine stalls.
DRAIN_S = 15


def readiness(base: str) -> dict[str, bool]:
    try:
        answer = urllib.request.urlopen(f"{base}/readyz", timeout=PATIENCE_S)
    except urllib.error.HTTPError as error:  # 503: not ready
        answer = error
    with answer:
        found: dict[str, bool] = json.load(answer)
    return found


def test_process_that_stops_says_so_and_closes_its_sockets_with_a_code(tmp_path: Path) -> None:
    with SiteProcess(tmp_path, DRAIN_S=str(DRAIN_S)) as site:
        guest = Guest(site, variant="short", length="1")
        guest.join()
        assert readiness(site.base)["serving"]
        site.send_signal(signal.SIGTERM)
        end = time.monotonic() + PATIENCE_S
        while readiness(site.base)["serving"]:
            assert time.monotonic() < end
            time.sleep(0.05)
        guest.send_entropy()  # the process still serves the match
        with pytest.raises(ConnectionClosed) as closed:
            guest.until(lambda frame: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == RESTARTING
        assert site.wait(PATIENCE_S) == 0
        site.environment["DRAIN_S"] = "0"
        site.start()
        guest.join()
        assert not guest.newest["view"]["outcome"]
        guest.close()


def fill_in_form(connection: HTTPConnection, base: str) -> tuple[str, dict[str, str]]:
    """Return the body and the headers of a POST that starts a training match."""
    connection.request("GET", "/training/")
    page = connection.getresponse()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.read().decode())
    assert token is not None
    cookies = [each.partition(";")[0] for each in page.headers.get_all("Set-Cookie") or []]
    fields = {"game": "short", "length": "1", "csrfmiddlewaretoken": token[1]}
    headers = {"Cookie": "; ".join(cookies), "Referer": f"{base}/training/"}
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    return urlencode(fields), headers


def test_process_ends_while_a_request_waits_for_the_database(tmp_path: Path) -> None:
    with SiteProcess(tmp_path).start("--no-worker") as site, ExitStack() as stack:
        connection = HTTPConnection(urlsplit(site.base).netloc)
        stack.callback(connection.close)
        form = fill_in_form(connection, site.base)
        database = sqlite3.connect(tmp_path / "site.sqlite3", isolation_level=None)
        stack.callback(database.close)
        database.execute("BEGIN EXCLUSIVE")
        connection.request("POST", "/training/", *form)
        readiness(site.base)  # answered after the form has arrived
        site.send_signal(signal.SIGTERM)
        assert site.wait(PATIENCE_S) == 1
        with pytest.raises(ConnectionError):
            connection.getresponse()
    assert "Timeout (0:00:05)!" in site.errors.read_text()
