"""Play many matches of all kinds for an hour while every part of the site fails, one at a time.

    python -m tests.cluster.soak [--minutes 60] [--matches 200] [--every 30] [--think 6]
        [--tournaments 10] [--fault "web processes are replaced"]

Start PostgreSQL, Redis, two web processes and two workers on loopback, and a process with players,
some spectators and some visitors. Players think before each command, and chat; visitors open pages,
buy looks and write to members. A tournament is announced every few minutes, `--tournaments` in all,
and members enter it. A random fault, of those whose name contains `--fault`, comes every `--every`
seconds; some seconds after each fault the players' views are compared with the database. At the end
players think less, and all matches must end. Print a line of JSON after each fault and a summary;
the exit status is 1 if the site failed anywhere.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.cluster.servers import Postgres, Redis
from tests.cluster.soak.faults import FAULTS, Faults
from tests.cluster.soak.memory import Memory
from tests.cluster.topology import DICE_SEAL_KEY, Cluster
from tests.load.racing import Racer
from tests.support.own_process import ROOT

CHECK_AFTER_S = 5.0  # from a fault to the first comparison
DELIVERED_AFTER_S = 1.0  # time after which players must see a stored action
BACK_WITHIN_S = 30.0  # after the first comparison
TICK_S = 2.0  # between two searches for new tables
# Greatest number of matches that one call creates: the call must end before the next fault.
AT_ONCE = 20
TOURNAMENT_EVERY_S, TOURNAMENT_STARTS_IN_S = 240.0, 60.0
WATCHED = 0.25  # the part of the public tables with a spectator
SAMPLE = 40  # matches whose public view is compared
ENDING_THINK_S = 0.3
ENDING_S = 1800.0  # for all matches to end; a round robin of eight has seven rounds
BAD_STATUSES = {"400", "403", "404", "405", "500"}
VISITS = ("pages", "forms", "phrases read")


class Players:
    """The process of `tests.cluster.soak.people`."""

    def __init__(self, base: str, think_s: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.cluster.soak.people", base, str(think_s)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def tell(self, **order: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def ask(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        self.tell(ask=True)
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


class Soak:
    def __init__(self, cluster: Cluster, given: argparse.Namespace) -> None:
        self.cluster, self.given = cluster, given
        self.books = Racer(
            cluster.database, "tests.cluster.soak.books", DICE_SEAL_KEY=DICE_SEAL_KEY
        )
        self.players = Players(cluster.base, given.think)
        self.late = ""  # a player who was behind: "MATCH: SEEN of STORED"
        self.known: list[str] = []  # ids of the matches to which players were sent
        self.failures: list[str] = []
        self.at_once: list[int] = []  # number of matches in play at each check
        self.memory = Memory()
        self.announced_count = 0
        self._announce_at = time.monotonic()

    def fill(self) -> None:
        """Create the matches, then let the players of the last ones come to their tables.

        Do not wait until all are in play at once: matches that are played fast end meanwhile. Run
        twice as many rounds as the matches need, to replace those that end.
        """
        for _ in range(0, 2 * self.given.matches, AT_ONCE):
            self.go_on(time.monotonic() + TICK_S)
        self.go_on(time.monotonic() + self.given.every)

    def go_on(self, until: float, *, is_ending: bool = False) -> None:
        """Keep as many matches in play as are wanted, and seat players at new tables.

        `until` is a time of `time.monotonic`. While `is_ending`, create no more matches.
        """
        while time.monotonic() < until:
            if not is_ending:
                self.books.call("fill", target=self.given.matches, most=AT_ONCE)
                self._announce_if_due()
            for table in self.books.call("new_tables", known=self.known):
                self.known.append(table["match"])
                watched = table.pop("is_public") and random.random() < WATCHED
                spectator = self.books.call("guest_session") if watched else ""
                self.players.tell(**table, spectator=spectator)
            time.sleep(TICK_S)

    def _announce_if_due(self) -> None:
        if time.monotonic() > self._announce_at and self.announced_count < self.given.tournaments:
            made = self.books.call(
                "announce", number=self.announced_count, starts_in_s=TOURNAMENT_STARTS_IN_S
            )
            self.players.tell(**made)
            self.announced_count += 1
            self._announce_at = time.monotonic() + TOURNAMENT_EVERY_S

    def check(self, fault: str) -> None:
        """Compare what the players see with the database, until all are back at their tables."""
        begun = time.monotonic()
        first = counts = self._compare(fault)
        while counts["away"] + counts["behind"] and time.monotonic() < begun + BACK_WITHIN_S:
            time.sleep(DELIVERED_AFTER_S)
            counts = self._compare(fault)
        if first["behind"]:
            self.failures.append(f"{fault}: {first['behind']} players behind, such as {self.late}")
        elif counts["behind"]:
            self.failures.append(f"{fault}: {counts['behind']} players behind after their return")
        if counts["away"]:
            self.failures.append(f"{fault}: {counts['away']} players did not come back")
        self.at_once.append(first["matches"])
        self.memory.measure([*self.cluster.webs, *self.cluster.workers])
        found = self.players.ask()
        is_late = first["away"] + first["behind"] > 0
        back_s = CHECK_AFTER_S + time.monotonic() - begun if is_late else 0.0
        show(
            {
                "fault": fault,
                **first,
                "all back after s": round(back_s, 1),
                **visits_of(found),
                "failures": self.failures + found["failures"],
            }
        )

    def _compare(self, fault: str) -> dict[str, int]:
        """Count players who see less than the database had a moment ago, or a different view.

        A player without a connection is `away`: their page says that it is connecting. Connected
        players who see less are `behind`, which is a failure.
        """
        stored = self.books.call("views", sample=SAMPLE)
        time.sleep(DELIVERED_AFTER_S)
        found = self.players.ask()["seen"]
        counts = Counter(dict.fromkeys(("away", "behind", "differ", "not seated"), 0))
        for match, (seq, view) in stored.items():
            for seen_seq, seen, is_away in found.get(match, []):
                is_compared = view is not None and seen_seq == seq
                if seen_seq < 0:  # the table is new
                    counts["not seated"] += 1
                elif seen_seq < seq:
                    counts["away" if is_away else "behind"] += 1
                    if not is_away:
                        self.late = f"{match}: {seen_seq} of {seq}"
                elif is_compared and (parts := different(seen, view)):
                    counts["differ"] += 1
                    self.failures.append(f"{fault}: {match} at {seq} differs in {parts}")
        return {"matches": len(stored), **counts}

    def end(self) -> dict[str, Any]:
        """Let all matches end; return the summary."""
        self.players.tell(think_s=ENDING_THINK_S)
        latest = time.monotonic() + ENDING_S
        while time.monotonic() < latest and self.books.call("unfinished"):
            self.go_on(time.monotonic() + 2 * TICK_S, is_ending=True)
        found = self.players.ask()
        played = self.books.call("judge")
        self.failures += found["failures"] + played.pop("failures")
        self.failures += visit_failures(visits_of(found) | played)
        if played["unfinished"]:
            self.failures.append(f"{played['unfinished']} matches did not end")
        for command in ("checkreplays", "reconcile"):
            done = self.cluster.manage(command)
            if done.returncode:
                self.failures.append(f"{command}: {done.stderr[-500:]}")
        self.players.end()
        return {
            **played,
            "least matches at once": min(self.at_once),
            **visits_of(found),
            "closed for a restart": found["drained"],
            "memory": self.memory.slopes(),
            "errors": errors_of(self.cluster),
            "failures": self.failures,
        }


def different(seen: dict[str, Any], stored: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a view that differ from the stored one: as seen and as stored.

    The clock is left out: it is as of the moment at which the view was made.
    """
    names = sorted({*seen, *stored} - {"clock"})
    pairs = {name: [seen.get(name), stored.get(name)] for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def visits_of(found: dict[str, Any]) -> dict[str, Any]:
    return {name: found[name] for name in VISITS}


def visit_failures(done: dict[str, Any]) -> list[str]:
    """Report kinds of visits that never succeeded, and refused or failed requests."""
    counts = {**done["pages"], **done["forms"]}
    bad = [f"{count} times {name}" for name, count in counts.items() if name[-3:] in BAD_STATUSES]
    wanted = ("looks bought", "messages", "entrants", "phrases read")
    return bad + [f"none: {name}" for name in wanted if not done[name]]


def errors_of(cluster: Cluster) -> Counter[str]:
    """Count the tracebacks in the logs by their line with the exception."""
    found: Counter[str] = Counter()
    for process in (*cluster.webs, *cluster.spare_webs, *cluster.workers):
        parts = process.errors.read_text().split("Traceback (most recent call last):")[1:]
        for part in parts:
            lines = [line for line in part.splitlines()[1:] if line and not line.startswith(" ")]
            found[lines[0][:100] if lines else "?"] += 1
    return found


def show(found: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


def collect_static() -> None:
    keys = {"SECRET_KEY": "only-for-this-test" * 4, "DEMO": "1", "DEBUG": "0"}
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"]
    subprocess.run(command, cwd=ROOT, env=os.environ | keys, check=True)


def soak(given: argparse.Namespace, chosen: list[str], folder: Path) -> list[str]:
    """Run the soak with the chosen faults; return the failures."""
    collect_static()
    for name in ("postgres", "redis", "site", "releases"):
        (folder / name).mkdir()
    with Postgres(folder / "postgres") as postgres, Redis(folder / "redis") as redis:
        # With DEBUG=1 pages keep no rendered parts, and errors show another page.
        settings = {"SOCKETS_PER_ADDRESS": str(8 * given.matches), "DEBUG": "0"}
        with Cluster(folder / "site", postgres.url, redis.url, **settings) as cluster:
            run = Soak(cluster, given)
            faults = Faults(cluster, postgres, redis, folder / "releases")
            run.fill()
            end_at = time.monotonic() + 60 * given.minutes
            names: list[str] = []
            while time.monotonic() < end_at:
                names = names or random.sample(chosen, len(chosen))
                begun, name = time.monotonic(), names.pop()
                FAULTS[name](faults)
                time.sleep(CHECK_AFTER_S)
                run.check(name)
                run.go_on(begun + given.every)
            show(run.end())
    return run.failures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--every", type=float, default=30)
    parser.add_argument("--think", type=float, default=6)
    parser.add_argument("--tournaments", type=int, default=10)
    parser.add_argument("--fault", default="")
    given = parser.parse_args()
    chosen = [name for name in FAULTS if given.fault in name]
    if not chosen:
        parser.error(f"--fault must be part of one of these: {', '.join(FAULTS)}")
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(bool(soak(given, chosen, Path(folder))))


if __name__ == "__main__":
    main()
