"""Both players are gone, and the worker is killed and started again: one verdict, at its time."""

import os
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings

from tests.lobby.deadlines import move
from tests.lobby.racing import ROOT, Database, Racer

SERVER = os.environ.get("TEST_POSTGRES_URL", "")
PATIENCE_S = 300
# Nothing is due until the test moves it: no worker may be too slow to come, or to die, before.
AHEAD = timedelta(hours=3)
SOON = timedelta(milliseconds=500)
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
    """`manage.py worker`, to be killed without a farewell; what it complains of is in a file."""

    def __init__(self, database: Database, complaints: Path) -> None:
        with complaints.open("a") as errors:
            self._process = subprocess.Popen(
                database.command("manage.py", "worker"),
                cwd=ROOT,
                env=database.environment | {"PYTHONUNBUFFERED": "1"},
                stdout=subprocess.PIPE,
                stderr=errors,
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
    """How each match ended and when, by its id."""
    with psycopg.connect(database.url) as connection:
        rows = connection.execute(
            "SELECT public_id, outcome, winner, finished_at,"
            " (SELECT count(*) FROM games_action a WHERE a.match_id = m.id"
            "   AND a.verb IN ('flag', 'void', 'claim')) FROM games_match m"
        ).fetchall()
    return {row[0]: row[1:] for row in rows}


def arranged(database: Database, kind: str) -> tuple[dict[str, Any], datetime]:
    """A match that both have left, and its deadline, hours ahead."""
    at = datetime.now(UTC) + AHEAD
    with Racer(database) as racer:
        fields: dict[str, Any] = racer.do("arrange_both_gone", kind=kind, when=at.isoformat())
    return fields, at


def ended(database: Database, public_id: str) -> tuple[Any, ...]:
    deadline = time.monotonic() + PATIENCE_S
    while not (found := outcomes(database)[public_id])[0]:
        assert time.monotonic() < deadline, "no verdict"
        time.sleep(0.1)
    return found


@pytest.mark.parametrize(("kind", "cause"), [("turn", "flag"), ("no_start", "void")])
def test_the_verdict_falls_once_and_in_time_though_a_worker_died_before(
    database: Database, kind: str, cause: str, tmp_path: Path
) -> None:
    complaints = tmp_path / "complaints.txt"
    match, ahead = arranged(database, kind)
    Worker(database, complaints).ready().kill()
    workers = [Worker(database, complaints) for _ in range(2)]  # and two are not twice the verdict
    try:
        for worker in workers:
            worker.ready()
        assert outcomes(database)[match["match"]][0] == ""
        at = datetime.now(UTC) + SOON
        move(database, at - ahead)
        outcome, winner, finished_at, verdicts = ended(database, match["match"])
    finally:
        for worker in workers:
            worker.kill()
    assert (outcome, winner, verdicts) == (cause, match["winner"], 1)
    assert finished_at >= at
    # A deadline that cannot be settled is put off, which would be too late, and says so.
    assert complaints.read_text() == ""
    judge(database, match)


def test_the_verdict_waits_for_the_next_worker_and_falls_once(
    database: Database, tmp_path: Path
) -> None:
    complaints = tmp_path / "complaints.txt"
    match, ahead = arranged(database, "turn")
    Worker(database, complaints).ready().kill()
    at = datetime.now(UTC)
    move(database, at - ahead)
    worker = Worker(database, complaints)
    try:
        outcome, winner, finished_at, verdicts = ended(database, match["match"])
    finally:
        worker.kill()
    assert (outcome, winner, verdicts) == ("flag", match["winner"], 1)
    assert finished_at >= at
    assert complaints.read_text() == ""
    judge(database, match)


def judge(database: Database, match: dict[str, Any]) -> None:
    """The log folds and the credits are where they belong."""
    with Racer(database) as racer:
        racer.do("judge_match", fields=match)
        assert racer.do("faults_of_books") == []
