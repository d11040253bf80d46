"""Play the tables of a soak and open pages, in a process of its own.

    python -m tests.cluster.soak.people BASE THINK_S

Read lines of JSON from standard input: `{"match", "members", "spectator", "may_buy"}` seats the
players of a match and perhaps a spectator; if `may_buy` is true, the match's members visit pages
too; `{"tournament", "entrants"}` lets members enter a tournament by its page; `{"think_s"}` sets
how long players think; `{"ask": true}` is answered by a line with the view of each player and all
failures.
"""

import asyncio
import json
import random
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from config.sockets.drain import RESTARTING
from tests.cluster.players import StubbornClient
from tests.cluster.soak.errands import Browser, Member, NoAnswer, NoForm, buy, enter, write_to
from tests.games.protocol.independent_client import PING_AFTER_S, Contract, Frame, Site

VISITORS = 4
VISITOR_PAUSE_S = 2.0
VALIDATED = 0.05  # the part of the frames that are validated against the schema
ERRANDS = 0.3  # the part of a visitor's visits that fill in a form
SAYS = 0.03  # the probability that a player says something on their turn
# Allowed refusals of a player's message: training has no chat, and some players talk too much.
UNSAID = {"no_chat", "too_fast", "silenced", "finished"}
PHRASES = ("hello", "nice_play", "unlucky", "good_game")
ENTERS_AGAIN_AFTER_S, ENTRY_ATTEMPTS = 3.0, 20
PAGES = ("/", "/play/", "/training/", "/tournaments/", "/leaders/", "/shop/", "/credits/")
think_s = 6.0


class SampledContract(Contract):
    """Validates some of the frames, since validation takes most of a client's processor time."""

    def allows(self, kinds: Any, frame: Any) -> bool:
        return random.random() > VALIDATED or super().allows(kinds, frame)


CONTRACT = SampledContract()
read: set[int] = set()  # ids of the messages that players have read


class Person(StubbornClient):
    """A player who thinks before each command; a spectator if `holds` is false."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args, contract=CONTRACT)
        self._thinks_about, self._acts_at = -1, 0.0
        self._saying: set[str] = set()  # ids of `say` frames that have no answer yet

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
        if self.state["may"] and self._choose() is not None and self.rng.random() < SAYS:
            await self._say(socket)
        await super()._act(socket)

    async def _say(self, socket: Any) -> None:
        id, phrase = str(uuid.uuid4()), self.rng.choice(PHRASES)
        self._saying.add(id)
        await self._send(socket, {"t": "say", "id": id, "phrase": phrase})

    def _handle_heard(self, frame: Frame) -> None:
        self._saying.discard(frame["id"])

    def _handle_error(self, frame: Frame) -> None:
        if frame["id"] in self._saying and frame["code"] in UNSAID:
            self._saying.discard(frame["id"])
        elif frame["id"] is None and frame["code"] == "too_fast":
            pass  # a `sync` too soon after another: players ping and fall behind more than pages do
        else:
            super()._handle_error(frame)

    def _handle_said(self, frame: Frame) -> None:
        read.add(frame["id"])

    def _handle_hidden(self, frame: Frame) -> None:
        """Ignore a message that was hidden."""

    _handle_silenced = _handle_hidden


class People:
    def __init__(self, base: str) -> None:
        self.base = base
        self.players: dict[str, list[Person]] = {}
        self.members: dict[str, Member] = {}  # by public id
        self.failures: list[str] = []
        self.pages: Counter[str] = Counter()
        self.forms: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self, order: dict[str, Any]) -> None:
        members = [Member(*pair) for pair in order["members"]]
        self.members |= {each.public_id: each for each in members if order["may_buy"]}
        seated = [self._person(order["match"], each.session, True) for each in members]
        self.players[order["match"]] = seated
        watching = [self._person(order["match"], order["spectator"], False)]
        for person in seated + (watching if order["spectator"] else []):
            self._begin(self._play(person))

    def send_entrants(self, order: dict[str, Any]) -> None:
        for session in order["entrants"]:
            self._begin(self._enter(Browser(self.base, session), order["tournament"]))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            self.failures.append(repr(task.exception()))

    def _person(self, match: str, session: str, holds: bool) -> Person:
        person = Person(Site(self.base, session), match, random.randrange(2**31))
        person.holds = holds
        return person

    async def _play(self, person: Person) -> None:
        try:
            await person.play()
        except Exception as error:
            self.failures.append(f"{person.match_id}: {error!r}")

    def answer(self) -> Frame:
        seen = {
            match: [[each.seq, each.state.get("view"), each.is_away] for each in people]
            for match, people in self.players.items()
            if not all(each.is_done for each in people)
        }
        drains = sum(
            person.codes.count(RESTARTING) for people in self.players.values() for person in people
        )
        counts = {"pages": self.pages, "forms": self.forms, "phrases read": len(read)}
        return {"seen": seen, "failures": self.failures, "drained": drains, **counts}

    def start_visitors(self) -> None:
        for _ in range(VISITORS):
            self._begin(self._visit())

    async def _visit(self) -> None:
        """Open a page or fill in a form again and again, each time as a random member."""
        while True:
            await asyncio.sleep(VISITOR_PAUSE_S)
            if len(self.members) >= 2:
                await self._visit_once()

    async def _visit_once(self) -> None:
        member, other = random.sample(list(self.members.values()), k=2)
        browser, page = Browser(self.base, member.session), random.choice(PAGES)
        if random.random() > ERRANDS:
            await request_and_count(self.pages, page, lambda: browser.open(page)[0])
        elif random.random() > 0.5:
            await request_and_count(self.forms, "write", partial(write_to, browser, other))
        else:
            await request_and_count(self.forms, "buy", partial(buy, browser))

    async def _enter(self, browser: Browser, tournament: str) -> None:
        """Send the form until the site answers it, or shows none because the member has entered."""
        for _ in range(ENTRY_ATTEMPTS):
            answer = await request_and_count(
                self.forms, "enter", partial(enter, browser, tournament)
            )
            if answer in ("302", "no form 200"):
                return
            await asyncio.sleep(ENTERS_AGAIN_AFTER_S)
        self.failures.append(f"{tournament}: the form was not answered")


async def request_and_count(found: Counter[str], name: str, request: Callable[[], int]) -> str:
    """Make the request in a thread, count its name with its status, and return the status.

    If there is no answer, the status is "no answer"; for a page without the form, "no form 200".
    """
    try:
        status = str(await asyncio.to_thread(request))
    except NoAnswer:
        status = "no answer"
    except NoForm as missing:
        status = f"no form {missing}"
    found[f"{name} {status}"] += 1
    return status


async def main() -> None:
    global think_s
    people, loop = People(sys.argv[1]), asyncio.get_running_loop()
    think_s = float(sys.argv[2])
    people.start_visitors()
    reader = asyncio.StreamReader(limit=2**24)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        order = json.loads(line)
        if "match" in order:
            people.take(order)
        elif "tournament" in order:
            people.send_entrants(order)
        elif "think_s" in order:
            think_s = order["think_s"]
        else:
            sys.stdout.write(json.dumps(people.answer()) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main())
