"""Measure the memory of the server while sockets send requests and never read.

    python -m tests.bench.deaf_sockets [--sockets N] [--seconds S] [--attack sync|ping|flood]
        [--state-bytes N]

`sync`: each socket asks for the state five times a second. `ping`: each socket sends websocket
pings as fast as the server takes them. `flood`: the same with the page's pings. A socket that the
server closes is opened again. A guest first plays until the legal plays of the state take
`--state-bytes`. Print the server's resident memory before the attack, at its peak and at the end,
and the bytes that the system buffers because the clients do not read them.
"""

import argparse
import json
import tempfile
import threading
import time
from pathlib import Path

from tests.load.deaf_socket import PING, TEXT, DeafSocket, frame_of
from tests.load.test_kill import Guest
from tests.support.site_process import SiteProcess

EVERY_S = 0.21  # the socket guard admits five frames a second of one connection
FRAMES = {
    "sync": frame_of(TEXT, b'{"t":"sync","since":-1}'),
    "ping": frame_of(PING, b"x" * 125) * 100,
    "flood": frame_of(TEXT, b'{"t":"ping","seq":0}' + b" " * 4000) * 10,
}


def resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def unread_mb(base: str) -> float:
    """Return the megabytes that the system buffers for the clients of this server."""
    port = f":{int(base.rsplit(':', 1)[1]):04X}"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    held = [int(row[4].split(":")[0], 16) for row in rows if row[1].endswith(port)]
    return sum(held) / 1024 / 1024


class Attacker(threading.Thread):
    def __init__(self, guest: Guest, attack: str, end_at: float) -> None:
        super().__init__()
        self.guest, self.attack, self.end_at = guest, attack, end_at
        self.closed = 0

    def run(self) -> None:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.guest.jar)
        path = f"/ws/match/{self.guest.public_id}/"
        while time.monotonic() < self.end_at:
            try:
                client = DeafSocket(self.guest.site.base, path, cookies)
                client.send(t="join", v=1, since=-1, hold=True)
                while time.monotonic() < self.end_at:
                    client.send_raw(FRAMES[self.attack])
                    if self.attack == "sync":
                        time.sleep(EVERY_S)
            except (OSError, AssertionError):
                self.closed += 1
                time.sleep(0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--attack", choices=sorted(FRAMES), default="sync")
    parser.add_argument("--state-bytes", type=int, default=5_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, SiteProcess(Path(folder)) as site:
        pid = site.pid
        guest = Guest(site, variant="long", length="25", level="beginner", pace="at_once")
        guest.join()
        guest.send_entropy()
        while len(json.dumps(guest.newest["plays"])) < given.state_bytes:
            if not guest.act():
                guest.until(lambda frame: frame["t"] in ("state", "event"))
            time.sleep(EVERY_S)
        guest.close()
        before = resident_mb(pid)
        end_at = time.monotonic() + given.seconds
        attackers = [Attacker(guest, given.attack, end_at) for _ in range(given.sockets)]
        for attacker in attackers:
            attacker.start()
        highest, unread = before, 0.0
        while time.monotonic() < end_at:
            highest, unread = max(highest, resident_mb(pid)), max(unread, unread_mb(site.base))
            time.sleep(0.2)
        for attacker in attackers:
            attacker.join()
        closed = sum(attacker.closed for attacker in attackers)
        print(
            f"{given.attack}: {given.sockets} sockets, {given.seconds:.0f} s, closed {closed} times"
        )
        print(f"MB: {before:.0f} before, {highest:.0f} at most, {resident_mb(pid):.0f} at the end")
        print(f"MB that the system held at most for clients that had not read it: {unread:.1f}")


if __name__ == "__main__":
    main()
