"""A match of two absent players ends once and on time, even if the worker is killed."""

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

from tests.load.deadlines import shift_times
from tests.load.racing import ROOT, Database, Racer

SERVER = os.environ.get("TEST_POSTGRES_URL", "")
PATIENCE_S = 300
# The first deadline is so far ahead that even a slow worker has started before the test moves it.
AHEAD = timedelta(hours=3)
SOON = timedelta(milliseconds=500)
# The tests have their own database: a run of all tests on PostgreSQL would only repeat them.
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
    """`manage.py worker`, which the test kills; its stderr is appended to a file."""

    def __init__(self, database: Database, errors_file: Path) -> None:
        with errors_file.open("a") as errors:
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
    """Return outcome, winner, time of the end and number of verdicts of each match by public id."""
    with psycopg.connect(database.url) as connection:
        rows = connection.execute(
            "SELECT public_id, outcome, winner, finished_at,"
            " (SELECT count(*) FROM games_action a WHERE a.match_id = m.id"
            "   AND a.verb IN ('flag', 'void', 'claim')) FROM games_match m"
        ).fetchall()
    return {row[0]: row[1:] for row in rows}


def arranged(database: Database, kind: str) -> tuple[dict[str, Any], datetime]:
    """Arrange a match of two absent players; return it and its deadline, `AHEAD` from now."""
    at = datetime.now(UTC) + AHEAD
    with Racer(database) as racer:
        fields: dict[str, Any] = racer.call("arrange_both_gone", kind=kind, when=at.isoformat())
    return fields, at


def ended(database: Database, public_id: str) -> tuple[Any, ...]:
    give_up_at = time.monotonic() + PATIENCE_S
    while not (found := outcomes(database)[public_id])[0]:
        assert time.monotonic() < give_up_at, "no verdict"
        time.sleep(0.1)
    return found


@pytest.mark.parametrize(("kind", "cause"), [("turn", "flag"), ("no_start", "void")])
def test_killed_worker_does_not_delay_or_repeat_the_verdict(
    database: Database, kind: str, cause: str, tmp_path: Path
) -> None:
    errors_file = tmp_path / "errors.txt"
    match, due_at = arranged(database, kind)
    Worker(database, errors_file).ready().kill()
    workers = [Worker(database, errors_file) for _ in range(2)]  # the two must give one verdict
    try:
        for worker in workers:
            worker.ready()
        assert outcomes(database)[match["match"]][0] == ""
        at = datetime.now(UTC) + SOON
        shift_times(database, at - due_at)
        outcome, winner, finished_at, verdicts = ended(database, match["match"])
    finally:
        for worker in workers:
            worker.kill()
    assert (outcome, winner, verdicts) == (cause, match["winner"], 1)
    assert finished_at >= at
    # A deadline that failed would have been logged.
    assert errors_file.read_text() == ""
    check_match_and_wallet(database, match)


def test_next_worker_gives_the_overdue_verdict_once(database: Database, tmp_path: Path) -> None:
    errors_file = tmp_path / "errors.txt"
    match, due_at = arranged(database, "turn")
    Worker(database, errors_file).ready().kill()
    at = datetime.now(UTC)
    shift_times(database, at - due_at)
    worker = Worker(database, errors_file)
    try:
        outcome, winner, finished_at, verdicts = ended(database, match["match"])
    finally:
        worker.kill()
    assert (outcome, winner, verdicts) == ("flag", match["winner"], 1)
    assert finished_at >= at
    assert errors_file.read_text() == ""
    check_match_and_wallet(database, match)


def check_match_and_wallet(database: Database, match: dict[str, Any]) -> None:
    """Check the log and the credits of the match, and the whole wallet."""
    with Racer(database) as racer:
        racer.call("check_ended_match", fields=match)
        assert racer.call("faults_of_books") == []
