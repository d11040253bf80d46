"""A PostgreSQL database of the test's own, and processes of the site that race on it."""

import json
import os
import random
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any

import psycopg

from tests.migrated import create_migrated, url_of

ROOT = Path(__file__).parents[2]
HEAD_START_S = 0.006
# So much earlier or later one of the two begins. One round in ten it is more: where a machine is
# so slow that the longer way always comes second, both win now and then all the same.
JITTER_S = 0.004
WIDE_JITTER_S = 0.1
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


def race(name: str, racers: list[Racer], rounds: int, seed: int) -> list[str]:
    """Run a race so often; who won each round."""
    chance = random.Random(seed)
    half = rounds // 2
    racers[0].order("arrange", race=name, count=half)
    racers[1].order("arrange", race=name, count=rounds - half)
    arranged = [*racers[0].hear(), *racers[1].hear()]
    ended = []
    for number, fields in enumerate(arranged):
        jitter_s = JITTER_S if number % 10 else WIDE_JITTER_S
        ended.append((fields, _run(name, racers, fields, chance, jitter_s)))
    winners: list[str] = racers[0].do("judge", race=name, rounds=ended)
    assert racers[0].do("faults_of_books") == []
    return winners


def _run(
    name: str, racers: list[Racer], fields: Any, chance: random.Random, jitter_s: float
) -> list[str]:
    at = time.time() + HEAD_START_S
    # Which process takes which side changes, too: none may always be a little faster.
    sides = ["one", "other"]
    runners = chance.sample(racers, 2)
    for runner, side in zip(runners, sides, strict=True):
        start = at + chance.uniform(0, jitter_s)
        runner.order("run", at=start, race=name, side=side, fields=fields)
    return [runner.hear() for runner in runners]
