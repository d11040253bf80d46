"""Connections that come while a web process cannot accept them wait in its port's queue."""

import socket
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.site_process import SiteProcess

pytestmark = pytest.mark.slow

PLAYERS = 400
# Within this time the kernel tries a dropped connection again, after one second and after three
# seconds.
ENOUGH_S = 20
SYSTEM_LIMIT = Path("/proc/sys/net/core/somaxconn")


def is_connected(each: socket.socket) -> bool:
    try:
        each.getpeername()
    except OSError:
        return False
    return True


@pytest.mark.skipif(
    not SYSTEM_LIMIT.exists() or int(SYSTEM_LIMIT.read_text()) < PLAYERS,
    reason="this system lets fewer connections wait",
)
def test_all_players_can_reconnect_at_once_while_the_process_is_busy(tmp_path: Path) -> None:
    with SiteProcess(tmp_path) as site, ExitStack() as stack:
        address = urlsplit(site.base)
        site.pause()
        stack.callback(site.resume)
        players = [stack.enter_context(socket.socket()) for _ in range(PLAYERS)]
        for each in players:
            each.setblocking(False)
            each.connect_ex((address.hostname, address.port))
        until = time.monotonic() + ENOUGH_S
        while not all(map(is_connected, players)) and time.monotonic() < until:
            time.sleep(0.05)
        assert sum(map(is_connected, players)) == PLAYERS
