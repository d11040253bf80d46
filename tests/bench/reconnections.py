"""Measure the delay of a table's answers while one guest opens sockets without pause.

    python -m tests.bench.reconnections [--threads N] [--seconds S]

Print the median and the longest time from a ping of the table to its pong, first alone, then
beside that guest; then the number of sockets that were let in, refused with a wait, or lost.
"""

import argparse
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import connect

from tests.bench.crowded_network import delays_ms, show
from tests.load.test_kill import Guest
from tests.support.site_process import SiteProcess


class Reconnector(threading.Thread):
    """Opens the socket of the guest's table, joins, waits for the state and leaves, repeatedly."""

    def __init__(self, guest: Guest, end_at: float) -> None:
        super().__init__()
        self.cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in guest.jar)
        self.base, self.public_id = guest.site.base, guest.public_id
        self.end_at = end_at
        self.answers: Counter[str] = Counter()

    def run(self) -> None:
        while time.monotonic() < self.end_at:
            self.answers[self.visit()] += 1

    def visit(self) -> str:
        address = self.base.replace("http", "ws") + f"/ws/match/{self.public_id}/"
        headers = {"Cookie": self.cookies}
        try:
            with connect(address, origin=self.base, additional_headers=headers) as socket:
                socket.send('{"t":"join","v":1,"since":-1,"hold":true}')
                socket.recv(timeout=60)
        except ConnectionClosed as error:
            closed = error.rcvd
            return f"{closed.code}, wait {closed.reason!r} s" if closed else "lost"
        except InvalidStatus as error:
            return str(error.response.status_code)
        except (OSError, InvalidHandshake):
            return "lost"
        return "let in"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    choices = {"variant": "long", "length": "1", "level": "beginner", "pace": "at_once"}
    with tempfile.TemporaryDirectory() as folder, SiteProcess(Path(folder)) as site:
        player, reconnecting = Guest(site, **choices), Guest(site, **choices)
        player.join()
        show("alone", delays_ms(player, time.monotonic() + given.seconds / 4))
        end_at = time.monotonic() + given.seconds
        threads = [Reconnector(reconnecting, end_at) for _ in range(given.threads)]
        for thread in threads:
            thread.start()
        show(f"beside {given.threads} threads of one guest", delays_ms(player, end_at))
        for thread in threads:
            thread.join()
        for answer, times in sum((thread.answers for thread in threads), Counter()).most_common():
            print(f"{times} times: {answer}")
        player.close()


if __name__ == "__main__":
    main()
