"""A web process that is asked to stop closes the sockets of its pages first."""

import json
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from config.sockets.drain import RESTARTING
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
