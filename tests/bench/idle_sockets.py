"""Compare the memory of an idle socket of the site with that of a bare Daphne.

    python -m tests.bench.idle_sockets [--sockets 5000]

Each server is one process. The bare one accepts a socket and waits; the site's sockets are those of
the header, open on every page, and those of a visitor who watches a table. Print a line of JSON
with the KiB of resident memory for each socket, and the ratio of the site's to the bare one's.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

from tests.bench import spectators
from tests.bench.bare_daphne import bare_daphne
from tests.bench.deaf_sockets import resident_mb
from tests.load.deaf_socket import DeafSocket
from tests.support.site_process import SiteProcess

# Sockets opened before measuring: the first ones load modules and fill caches.
WARM_UP = 50
SETTLE_S = 5  # from opening sockets to measuring the memory
TABLES = "/ws/match/"


def opened(base: str, path: str, cookies: str) -> DeafSocket:
    socket = DeafSocket(base, path, cookies)
    if path.startswith(TABLES):
        socket.send(t="join", v=1, since=-1, hold=False)
    return socket


def kib_each(pid: int, base: str, path: str, cookies: str, count: int) -> float:
    """Open idle sockets and close them; return the KiB of the server's memory for each."""
    held = [opened(base, path, cookies) for _ in range(WARM_UP)]
    time.sleep(SETTLE_S)
    before = resident_mb(pid)
    held += [opened(base, path, cookies) for _ in range(count)]
    time.sleep(SETTLE_S)
    used = 1024 * (resident_mb(pid) - before) / count
    for each in held:
        each.socket.close()
    return used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=5_000)
    count = parser.parse_args().sockets
    found = {}
    with bare_daphne("wait") as (base, pid):
        found["bare_kib"] = kib_each(pid, base, "/", "", count)
    for kind in ("header", "table"):
        # Start a new process for each kind: the old one would reuse the memory that sockets freed.
        with tempfile.TemporaryDirectory() as folder:
            most = str(2 * (count + WARM_UP))
            site = SiteProcess(
                Path(folder), DEBUG="0", SOCKETS_PER_USER=most, SOCKETS_PER_ADDRESS=most
            )
            told = site.manage("shell", "-v0", "-c", spectators._ARRANGE).stdout
            arranged = json.loads(told.splitlines()[-1])
            path = "/ws/site/" if kind == "header" else f"{TABLES}{arranged['match']}/"
            # A visitor without an account (key 2) watches; the header's socket needs a member.
            key = arranged["keys"][0 if kind == "header" else 2]
            with site.start():
                cookies = f"sessionid={key}"
                found[f"{kind}_kib"] = kib_each(site.pid, site.base, path, cookies, count)
        found[f"{kind}_ratio"] = found[f"{kind}_kib"] / found["bare_kib"]
    print(json.dumps({name: round(value, 2) for name, value in found.items()}))


if __name__ == "__main__":
    main()
