"""A temporary PostgreSQL database, and processes of the site that race on it."""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import psycopg

from tests.load.clones import clone, copy_of, highest_ids
from tests.support.migrated import create_migrated, url_of
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
# Time for both processes to read their orders before the earlier one starts.
HEAD_START_S = 0.006
# Share of a round's median time by which the loser of a round starts earlier in the next one.
LEAD_STEP = 0.25
# Rounds of each race that the services arrange; the other rounds are copies of their rows.
ARRANGED_OF_EACH = 5
# Time from one copy to the next, so that a deadline of one round is not due in another.
APART = timedelta(hours=1)
_numbers = count(1)
_DIED = '{"fault": "the process died"}'


class Database:
    """A migrated database that is dropped at the end of the `with` block."""

    def __init__(self, server: str) -> None:
        self._server = server
        self.name = f"races_{os.getpid()}_{next(_numbers)}"
        self.url = url_of(server, self.name)

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of a site's process on this database, without that of pytest."""
        kept = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
        mine = {"SECRET_KEY": "only-for-this-test" * 4, "DEMO": "1", "REDIS_URL": ""}
        # Bots do not pause; members are not asked for their age or to accept the terms. The nightly
        # commands would delete files of the site in this folder.
        switched_off = {"BOT_PACE_MS": "0", "MINIMUM_AGE": "0", "ASK_TO_ACCEPT_TERMS": "0"}
        return {**kept, **mine, **switched_off, "NIGHTLY_AT": "off", "DATABASE_URL": self.url}

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, *arguments]

    def __enter__(self) -> "Database":
        create_migrated(self._server, self.name)
        return self

    def __exit__(self, *error: object) -> None:
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {self.name} WITH (FORCE)")  # type: ignore[call-overload]


class Racer:
    """A process that calls functions of a module; `call` waits for the answer, `send` does not.

    `variables` are the environment variables that differ from those of other processes.
    """

    def __init__(
        self, database: Database, module: str = "tests.load.rounds", **variables: str
    ) -> None:
        self._process = subprocess.Popen(
            database.command("-m", "tests.load.racer", module),
            cwd=ROOT,
            env=database.environment | variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def send(self, function: str, at: float = 0, **fields: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"call": function, "with": fields, "at": at}) + "\n")
        self._process.stdin.flush()

    def receive(self) -> Any:
        reply = self.read()
        assert "fault" not in reply, reply["fault"]
        return reply["answer"]

    def read(self) -> dict[str, Any]:
        """Return the next `{"answer": ...}` or `{"fault": traceback}`."""
        assert self._process.stdout is not None
        reply: dict[str, Any] = json.loads(self._process.stdout.readline() or _DIED)
        return reply

    def call(self, function: str, **fields: Any) -> Any:
        self.send(function, **fields)
        return self.receive()

    def __enter__(self) -> "Racer":
        return self

    def __exit__(self, *error: object) -> None:
        self._process.communicate(timeout=300)


@contextmanager
def killed_workers(database: Database, every_s: float, errors: Path, *more: str) -> Iterator[None]:
    """Run workers, of which one is killed every `every_s`; write farm.py's stderr to `errors`.

    Raise AssertionError if a worker ended by itself.
    """
    command = database.command("-m", "tests.load.farm", "--kill-every", str(every_s), *more)
    with (
        errors.open("w") as stderr,
        subprocess.Popen(
            command, cwd=ROOT, env=database.environment, stdin=subprocess.PIPE, stderr=stderr
        ) as process,
    ):
        try:
            yield
        finally:
            process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, errors.read_text()


def arrange(name: str, rounds: int, database: Database, racer: Racer) -> list[dict[str, Any]]:
    """Arrange the rounds of a race: the first few by the services, the others as copies of them."""
    assert rounds % ARRANGED_OF_EACH == 0
    copies = rounds // ARRANGED_OF_EACH
    with psycopg.connect(database.url, autocommit=True) as connection:
        before = highest_ids(connection)
        arranged = racer.call("arrange", race=name, count=ARRANGED_OF_EACH)
        clone(connection, copies - 1, APART, before)
        connection.execute("ANALYZE")
    return [copy_of(fields, number, APART) for number in range(copies) for fields in arranged]


def race(name: str, racers: list[Racer], arranged: list[dict[str, Any]]) -> list[str]:
    """Run every arranged round of a race; return the winner of each.

    The loser of a round starts earlier in the next one, so that the two calls overlap however
    long each takes and however slow the machine is.
    """
    rng = random.Random(name)
    winners: list[str] = []
    lasted_s: list[float] = []
    lead_s = 0.0  # time by which `one` starts before `other`
    for fields in arranged:
        begun = time.monotonic()
        # The two calls swap processes at random, since one process may always be a little faster.
        answers = _run(name, rng.sample(racers, 2), fields, lead_s)
        lasted_s.append(time.monotonic() - begun - abs(lead_s))
        winners.append(racers[0].call("judge", race=name, fields=fields, answers=answers))
        step_s = LEAD_STEP * median(lasted_s) * rng.uniform(0.5, 1.5)
        lead_s += step_s if winners[-1] == "other" else -step_s
    assert racers[0].call("faults_of_books") == []
    return winners


def _run(name: str, runners: list[Racer], fields: Any, lead_s: float) -> list[str]:
    at = time.time() + HEAD_START_S
    starts = {"one": at + max(0.0, -lead_s), "other": at + max(0.0, lead_s)}
    for runner, (call_name, start) in zip(runners, starts.items(), strict=True):
        runner.send("run", at=start, race=name, call_name=call_name, fields=fields)
    # Read both before a fault is raised: an unread answer would count as that of the next round.
    replies = [runner.read() for runner in runners]
    faults = "\n".join(reply["fault"] for reply in replies if "fault" in reply)
    assert not faults, faults
    return [reply["answer"] for reply in replies]
