"""Measure the delay of a table's answers while many connections of one network ask for pages.

    python -m tests.bench.crowded_network [--connections N] [--seconds S] [--path /en/]

Print the median and the longest time from a ping of the table to its pong, first alone, then while
each of the connections asks for the page again and again.
"""

import argparse
import statistics
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.load.test_kill import Guest
from tests.support.site_process import SiteProcess

PAUSE_S = 0.5  # between two pings


class Visitor(threading.Thread):
    def __init__(self, address: str, end_at: float) -> None:
        super().__init__()
        self.address, self.end_at = address, end_at
        self.answered = 0

    def run(self) -> None:
        while time.monotonic() < self.end_at:
            try:
                urllib.request.urlopen(self.address, timeout=60).read()
            except (urllib.error.URLError, OSError):
                continue
            self.answered += 1


def delays_ms(guest: Guest, end_at: float) -> list[float]:
    """Return the time from each ping to its pong."""
    delays = []
    while time.monotonic() < end_at:
        sent_at = time.perf_counter()
        guest._send(t="ping", seq=guest.newest["seq"])
        guest.until(lambda frame: frame["t"] == "pong")
        delays.append((time.perf_counter() - sent_at) * 1000)
        time.sleep(PAUSE_S)
    return delays


def show(name: str, delays: list[float]) -> None:
    print(f"{name}: median {statistics.median(delays):.0f} ms, longest {max(delays):.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--path", default="/en/")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, SiteProcess(Path(folder)) as site:
        guest = Guest(site, variant="long", length="1", level="beginner", pace="at_once")
        guest.join()
        show("alone", delays_ms(guest, time.monotonic() + given.seconds / 4))
        end_at = time.monotonic() + given.seconds
        visitors = [Visitor(site.base + given.path, end_at) for _ in range(given.connections)]
        for visitor in visitors:
            visitor.start()
        show(f"beside {given.connections} connections", delays_ms(guest, end_at))
        for visitor in visitors:
            visitor.join()
        print(f"pages a second: {sum(v.answered for v in visitors) / given.seconds:.0f}")
        guest.close()


if __name__ == "__main__":
    main()
