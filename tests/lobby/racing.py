"""A PostgreSQL database of the test's own, and processes of the site that race on it."""

import json
import os
import random
import subprocess
import sys
import time
from datetime import timedelta
from itertools import count
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Any

import psycopg

from tests.lobby.clones import clone, copy_of, highest_ids
from tests.migrated import create_migrated, url_of

ROOT = Path(__file__).parents[2]
HEAD_START_S = 0.006
# Who has lost begins earlier the next time, by this part of what a round usually takes.
STEP = 0.25
# So many rounds of each race are made by the services.
MADE_OF_EACH = 5
# What is due in one round is due in none that comes after it.
APART = timedelta(hours=1)
_numbers = count(1)


class Database:
    """Made on a server for as long as it is needed."""

    def __init__(self, server: str) -> None:
        self._server = server
        self.name = f"races_{os.getpid()}_{next(_numbers)}"
        self.url = url_of(server, self.name)

    @property
    def environment(self) -> dict[str, str]:
        """For processes of a site that has this database, and nothing of the test's."""
        kept = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
        mine = {"SECRET_KEY": "only-for-this-test" * 4, "DEMO": "1", "REDIS_URL": ""}
        return {**kept, **mine, "DATABASE_URL": self.url, "BOT_PACE_MS": "0"}

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, *arguments]

    def __enter__(self) -> "Database":
        create_migrated(self._server, self.name)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {self.name} WITH (FORCE)")  # type: ignore[call-overload]


class Racer:
    """One process: `order` and then `hear`, so that two can be at it at the same time."""

    def __init__(self, database: Database, acts: str = "tests.lobby.rounds") -> None:
        self._process = subprocess.Popen(
            database.command("-m", "tests.lobby.racer", acts),
            cwd=ROOT,
            env=database.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def order(self, do: str, at: float = 0, **fields: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": do, "with": fields, "at": at}) + "\n")
        self._process.stdin.flush()

    def hear(self) -> Any:
        assert self._process.stdout is not None
        told = json.loads(self._process.stdout.readline() or '{"fault": "it died"}')
        assert "fault" not in told, told["fault"]
        return told["answer"]

    def do(self, do: str, **fields: Any) -> Any:
        self.order(do, **fields)
        return self.hear()

    def stop(self) -> None:
        self._process.communicate(timeout=300)

    def __enter__(self) -> "Racer":
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


def arrange(name: str, rounds: int, database: Database, racer: Racer) -> list[dict[str, Any]]:
    """So many rounds of a race: a few made by the services, the others later in their likeness."""
    assert rounds % MADE_OF_EACH == 0
    copies = rounds // MADE_OF_EACH
    with psycopg.connect(database.url, autocommit=True) as connection:
        before = highest_ids(connection)
        made = racer.do("arrange", race=name, count=MADE_OF_EACH)
        clone(connection, copies - 1, APART, before)
        connection.execute("ANALYZE")
    return [copy_of(fields, number, APART) for number in range(copies) for fields in made]


def race(name: str, racers: list[Racer], arranged: list[dict[str, Any]], seed: int) -> list[str]:
    """Run a race as often as it was arranged; who won each round.

    However long either way is, and however slow the machine: who loses is given a larger lead
    each time until he wins, so that the two are at it at the same moment.
    """
    chance = random.Random(seed)
    winners: list[str] = []
    lasted_s: list[float] = []
    lead_s = 0.0  # of `one` over `other`
    for fields in arranged:
        begun = time.monotonic()
        # Which process takes which side changes, too: none may always be a little faster.
        answers = _run(name, chance.sample(racers, 2), fields, lead_s)
        lasted_s.append(time.monotonic() - begun - abs(lead_s))
        winners += racers[0].do("judge", race=name, rounds=[(fields, answers)])
        step_s = STEP * median(lasted_s) * chance.uniform(0.5, 1.5)
        lead_s += step_s if winners[-1] == "other" else -step_s
    assert racers[0].do("faults_of_books") == []
    return winners


def _run(name: str, runners: list[Racer], fields: Any, lead_s: float) -> list[str]:
    at = time.time() + HEAD_START_S
    starts = {"one": at + max(0.0, -lead_s), "other": at + max(0.0, lead_s)}
    for runner, (side, start) in zip(runners, starts.items(), strict=True):
        runner.order("run", at=start, race=name, side=side, fields=fields)
    return [runner.hear() for runner in runners]
