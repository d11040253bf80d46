"""Play the tables of a soak and open pages, in a process of its own.

    python -m tests.cluster.soak.people BASE THINK_S

It reads lines of JSON: `{"match", "sessions", "watcher"}` seats the players of a match and perhaps
a spectator; `{"think_s"}` sets how long players think; `{"ask": true}` is answered by a line with
what each player sees and with everything that went wrong.
"""

import asyncio
import json
import random
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from typing import Any

from tests.cluster.players import StubbornClient
from tests.games.protocol.independent_client import PING_AFTER_S, Contract, Frame, Site

VISITORS = 4
VISITOR_PAUSE_S = 1.0
VALIDATED = 0.05  # the part of the frames that are validated against the schema
PAGES = ("/", "/play/", "/training/", "/tournaments/", "/leaders/", "/shop/", "/credits/")
think_s = 6.0


class SampledContract(Contract):
    """Validates some of the frames, since validation takes most of a client's processor time."""

    def allows(self, kinds: Any, frame: Any) -> bool:
        return random.random() > VALIDATED or super().allows(kinds, frame)


CONTRACT = SampledContract()


class Person(StubbornClient):
    """A player who thinks before each command; a spectator if `holds` is false."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args, contract=CONTRACT)
        self._thinks_about, self._acts_at = -1, 0.0

    async def _act(self, socket: Any) -> None:
        if not self.holds:
            return
        if self._thinks_about != self.seq:
            self._thinks_about = self.seq
            self._acts_at = time.monotonic() + think_s * self.rng.uniform(0.5, 1.5)
        left_s = self._acts_at - time.monotonic()
        if left_s > 0:
            self.ping_after_s = min(PING_AFTER_S, left_s)
            return
        self.ping_after_s = PING_AFTER_S
        await super()._act(socket)


class People:
    def __init__(self, base: str) -> None:
        self.base = base
        self.players: dict[str, list[Person]] = {}
        self.sessions: list[str] = []
        self.faults: list[str] = []
        self.pages: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self, order: dict[str, Any]) -> None:
        self.sessions += order["sessions"]
        seated = [self._person(order["match"], key, True) for key in order["sessions"]]
        self.players[order["match"]] = seated
        watching = [self._person(order["match"], order["watcher"], False)]
        for person in seated + (watching if order["watcher"] else []):
            task = asyncio.create_task(self._play(person))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _person(self, match: str, session: str, holds: bool) -> Person:
        person = Person(Site(self.base, session), match, random.randrange(2**31))
        person.holds = holds
        return person

    async def _play(self, person: Person) -> None:
        try:
            await person.play()
        except Exception as error:
            self.faults.append(f"{person.match_id}: {error!r}")

    def answer(self) -> Frame:
        seen = {
            match: [[each.seq, each.state.get("view")] for each in people]
            for match, people in self.players.items()
            if not all(each.is_done for each in people)
        }
        drains = sum(
            person.codes.count(4013) for people in self.players.values() for person in people
        )
        return {"seen": seen, "faults": self.faults, "pages": self.pages, "drained": drains}

    async def visit(self) -> None:
        """Open one page after the other, each as a random player."""
        while True:
            await asyncio.sleep(VISITOR_PAUSE_S)
            if self.sessions:
                page, key = random.choice(PAGES), random.choice(self.sessions)
                self.pages[await asyncio.to_thread(open_page, self.base, page, key)] += 1


def open_page(base: str, page: str, session: str) -> str:
    """Return the status, with the page if it is 500 or more; "away" if there is no answer."""
    request = urllib.request.Request(base + page, headers={"Cookie": f"sessionid={session}"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            answer.read()
            return str(answer.status)
    except urllib.error.HTTPError as error:
        return str(error.code) if error.code < 500 else f"{error.code} {page}"
    except OSError:
        return "away"


async def main() -> None:
    global think_s
    people, loop = People(sys.argv[1]), asyncio.get_running_loop()
    think_s = float(sys.argv[2])
    visitors = [asyncio.create_task(people.visit()) for _ in range(VISITORS)]
    reader = asyncio.StreamReader(limit=2**24)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        order = json.loads(line)
        if "match" in order:
            people.take(order)
        elif "think_s" in order:
            think_s = order["think_s"]
        else:
            sys.stdout.write(json.dumps(people.answer()) + "\n")
            sys.stdout.flush()
    for visitor in visitors:
        visitor.cancel()


if __name__ == "__main__":
    asyncio.run(main())
