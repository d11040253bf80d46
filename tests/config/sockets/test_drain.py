"""A web process that is asked to stop closes the sockets of its pages first."""

import json
import signal
import sqlite3
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from config.sockets.drain import RESTARTING
from tests.cluster.soak.errands import Browser, NoAnswer
from tests.load.test_kill import Guest
from tests.support.patience import PATIENCE_S
from tests.support.site_process import SiteProcess

pytestmark = pytest.mark.slow


def readiness(base: str) -> dict[str, bool]:
    try:
        answer = urllib.request.urlopen(f"{base}/readyz")
    except urllib.error.HTTPError as error:  # 503: not ready
        answer = error
    with answer:
        found: dict[str, bool] = json.load(answer)
    return found


def test_process_that_stops_says_so_and_closes_its_sockets_with_a_code(tmp_path: Path) -> None:
    with SiteProcess(tmp_path, DRAIN_S="5") as site:
        guest = Guest(site, variant="short", length="1")
        guest.join()
        assert readiness(site.base)["serving"]
        site.send_signal(signal.SIGTERM)
        while readiness(site.base)["serving"]:
            time.sleep(0.05)
        guest.send_entropy()  # the process still serves the match
        with pytest.raises(ConnectionClosed) as closed:
            guest.until(lambda frame: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == RESTARTING
        assert site.wait(PATIENCE_S) == 0
        site.start()
        guest.join()
        assert not guest.newest["view"]["outcome"]
        guest.close()


def test_process_ends_while_a_request_waits_for_the_database(tmp_path: Path) -> None:
    site = SiteProcess(tmp_path).start("--no-worker")
    path, browser = "/training/", Browser(site.base, "")
    form = browser.open(path)
    with closing(sqlite3.connect(tmp_path / "site.sqlite3", isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")
        with ThreadPoolExecutor() as threads:
            answer = threads.submit(browser.send, *form, path, {"game": "short", "length": "1"})
            readiness(site.base)  # answered after the form has arrived
            site.send_signal(signal.SIGTERM)
            assert site.wait(PATIENCE_S) == 1
            assert isinstance(answer.exception(), NoAnswer)
    assert "Timeout (0:00:05)!" in site.errors.read_text()
