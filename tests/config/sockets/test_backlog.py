"""Connections that come while a web process cannot accept them wait in its port's queue."""

import select
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.site_process import SiteProcess

pytestmark = pytest.mark.slow

PLAYERS = 400
# A dropped connection is tried again after one second, then after three.
ENOUGH_S = 20


def connected(opened: list[socket.socket]) -> int:
    """Return how many of the sockets are connected, after waiting for the others."""
    waiting, until = set(opened), time.monotonic() + ENOUGH_S
    while waiting and time.monotonic() < until:
        waiting -= set(select.select([], list(waiting), [], 0.2)[1])
    return sum(each.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0 for each in opened) - len(
        waiting
    )


def test_all_players_can_reconnect_at_once_while_the_process_is_busy(tmp_path: Path) -> None:
    with SiteProcess(tmp_path) as site, ExitStack() as stack:
        address = urlsplit(site.base)
        site.pause()
        stack.callback(site.resume)
        opened = [
            stack.enter_context(
                socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
            )
            for _ in range(PLAYERS)
        ]
        for each in opened:
            each.connect_ex((address.hostname, address.port))
        assert connected(opened) == PLAYERS
