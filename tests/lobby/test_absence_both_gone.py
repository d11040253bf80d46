"""Both players are gone, and the worker is killed and started again: one verdict, at its time."""

import os
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.conf import settings

from tests.lobby.racing import ROOT, Database, Racer

SERVER = os.environ.get("TEST_POSTGRES_URL", "")
# Long enough to start workers twice, when one process of the site has started in a second.
AHEAD_STARTS = 5
PATIENCE_S = 300
# A worker that is there looks four times a second; the rest is the machine, however busy. Less
# than what a failed deadline is put off for.
LATE_S = 45
# The database is the test's own: the run of all tests on PostgreSQL would only repeat this one.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SERVER, reason="needs PostgreSQL: set TEST_POSTGRES_URL"),
]


@pytest.fixture
def database() -> Iterator[Database]:
    with Database(SERVER) as database:
        yield database


class Worker:
    """`manage.py worker`, to be killed without a farewell."""

    def __init__(self, database: Database) -> None:
        self._process = subprocess.Popen(
            database.command("manage.py", "worker"),
            cwd=ROOT,
            env=database.environment | {"PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )

    def ready(self) -> "Worker":
        assert self._process.stdout is not None
        assert "keeps deadlines" in self._process.stdout.readline()
        return self

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


def outcomes(database: Database) -> dict[str, tuple[Any, ...]]:
    """How each match ended and when it was due, by its id."""
    with psycopg.connect(database.url) as connection:
        rows = connection.execute(
            "SELECT public_id, outcome, winner, finished_at,"
            " (SELECT count(*) FROM games_action a WHERE a.match_id = m.id"
            "   AND a.verb IN ('flag', 'void', 'claim')) FROM games_match m"
        ).fetchall()
    return {row[0]: row[1:] for row in rows}


def arranged(database: Database, kind: str) -> tuple[dict[str, Any], datetime]:
    """A match that both have left, and its deadline: so far ahead as the machine is slow."""
    begun = time.monotonic()
    with Racer(database) as racer:
        racer.do("unsettled")
        took_s = time.monotonic() - begun
        at = datetime.now(UTC) + timedelta(seconds=1 + AHEAD_STARTS * took_s)
        fields: dict[str, Any] = racer.do("arrange_both_gone", kind=kind, when=at.isoformat())
    return fields, at


def wait_until(moment: datetime) -> None:
    time.sleep(max(0, (moment - datetime.now(UTC)).total_seconds()))


def ended(database: Database, public_id: str) -> tuple[Any, ...]:
    deadline = time.monotonic() + PATIENCE_S
    while not (found := outcomes(database)[public_id])[0]:
        assert time.monotonic() < deadline, "no verdict"
        time.sleep(0.1)
    return found


@pytest.mark.parametrize(("kind", "cause"), [("turn", "flag"), ("no_start", "void")])
def test_the_verdict_falls_once_and_in_time_though_a_worker_died_before(
    database: Database, kind: str, cause: str
) -> None:
    match, at = arranged(database, kind)
    Worker(database).ready().kill()
    workers = [Worker(database) for _ in range(2)]  # and two are not twice the verdict
    try:
        for worker in workers:
            worker.ready()
        ready_at = datetime.now(UTC)
        outcome, winner, finished_at, verdicts = ended(database, match["match"])
    finally:
        for worker in workers:
            worker.kill()
    assert (outcome, winner, verdicts) == (cause, match["winner"], 1)
    assert finished_at >= at
    assert finished_at - max(at, ready_at) < timedelta(seconds=LATE_S)
    judge(database, match)


def test_the_verdict_waits_for_the_next_worker_and_falls_once(database: Database) -> None:
    match, at = arranged(database, "turn")
    Worker(database).ready().kill()
    wait_until(at + timedelta(seconds=1))
    assert outcomes(database)[match["match"]][0] == ""
    worker = Worker(database)
    try:
        worker.ready()
        begun = datetime.now(UTC)
        outcome, winner, finished_at, verdicts = ended(database, match["match"])
    finally:
        worker.kill()
    assert (outcome, winner, verdicts) == ("flag", match["winner"], 1)
    assert finished_at - begun < timedelta(seconds=LATE_S)
    judge(database, match)


def judge(database: Database, match: dict[str, Any]) -> None:
    """The log folds and the credits are where they belong."""
    with Racer(database) as racer:
        racer.do("judge_match", fields=match)
        assert racer.do("faults_of_books") == []
