"""Many deadlines of four kinds in a database, and a log of their settlement.

A deferred trigger logs each settlement when its transaction commits, so that a test sees which
deadlines were settled late, never or twice.
"""

import json
import subprocess
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg

from tests.load.clones import clone
from tests.load.racing import ROOT, Database, Racer

KINDS = ("turn", "no_start", "absence", "announcement")
BASE = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
# The workers have this time to start before the first deadline.
HEAD_START_S = 4.0
PATIENCE_S = 600
# Deadlines of each kind that the services set up; the others are copies of their rows.
ARRANGED_OF_EACH = 5

_TRIGGERS = """
CREATE TABLE settled (kind text, id bigint, due timestamptz, done timestamptz);
CREATE FUNCTION note_match() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO settled VALUES (
    CASE WHEN NEW.outcome = 'void' THEN 'no_start' ELSE 'turn' END,
    NEW.id, OLD.wake_at, clock_timestamp());
  RETURN NULL; END $$;
CREATE FUNCTION note_seat() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO settled VALUES (
    'absence', NEW.id, OLD.seen_at + interval '%(silence_s)s seconds', clock_timestamp());
  RETURN NULL; END $$;
CREATE FUNCTION note_seek() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO settled VALUES ('announcement', NEW.id, OLD.expires_at, clock_timestamp());
  RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER note AFTER UPDATE ON games_match DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.wake_at IS NOT NULL AND NEW.finished_at IS NOT NULL)
  EXECUTE FUNCTION note_match();
CREATE CONSTRAINT TRIGGER note AFTER UPDATE ON games_seat DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.is_absent AND NOT OLD.is_absent) EXECUTE FUNCTION note_seat();
CREATE CONSTRAINT TRIGGER note AFTER UPDATE ON lobby_seek DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.state = 'OPEN' AND NEW.state <> 'OPEN') EXECUTE FUNCTION note_seek();
"""
_SHIFT = """
UPDATE games_match SET created_at = created_at + %(by)s, started_at = started_at + %(by)s,
  wake_at = wake_at + %(by)s WHERE finished_at IS NULL;
UPDATE games_seat SET seen_at = seen_at + %(by)s, absence_at = absence_at + %(by)s
  WHERE is_live_stake;
UPDATE lobby_seek SET created_at = created_at + %(by)s, expires_at = expires_at + %(by)s
  WHERE state = 'OPEN';
"""


def shift_times(database: Database, by: timedelta) -> None:
    """Shift the times of all unfinished rows in one transaction."""
    with psycopg.connect(database.url) as connection:
        for statement in _SHIFT.strip().split(";"):
            if statement.strip():
                connection.execute(statement, {"by": by})  # type: ignore[call-overload]


@dataclass(frozen=True, slots=True)
class Settled:
    kind: str
    id: int
    late_s: float


class Deadlines:
    """Sets up `each` deadlines of each kind, spread over `seconds`, and lets workers settle them.

    The first one is due at `BASE`; `run` moves all to the present.
    """

    def __init__(self, database: Database, each: int, seconds: float) -> None:
        assert each % ARRANGED_OF_EACH == 0
        self.database = database
        self.count = each * len(KINDS)
        self._step_s = seconds / self.count
        self._copies = each // ARRANGED_OF_EACH - 1
        self._seconds = seconds

    def arrange(self, racer: Racer) -> None:
        """Set up a few deadlines of each kind by the services, and copy their rows."""
        arranged = ARRANGED_OF_EACH * len(KINDS)
        orders = [
            (KINDS[number % len(KINDS)], (BASE + self._at(number)).isoformat())
            for number in range(arranged)
        ]
        racer.call("arrange_deadlines", orders=orders)
        with self._connect() as connection:
            clone(connection, self._copies, self._at(arranged))
        self._execute(_TRIGGERS % {"silence_s": racer.call("silence_s")})

    def _at(self, number: int) -> timedelta:
        """Return the time from the first deadline to this one."""
        return timedelta(seconds=number * self._step_s)

    def run(self, workers: int, kill_every_s: float, folder: Path) -> tuple[list[float], str]:
        """Let workers settle the deadlines; return a control loop's delays, and farm.py's stderr.

        The control loop wakes up at the same times and does nothing, as a measure of the machine;
        its delays are in seconds. Every `kill_every_s` seconds a worker is killed and replaced; if
        `kill_every_s` is 0, no worker is killed.
        """
        start = datetime.now(UTC) + timedelta(seconds=HEAD_START_S)
        shift_times(self.database, start - BASE)
        moments = [(start + self._at(number)).timestamp() for number in range(self.count)]
        moments_file = folder / "moments.json"
        moments_file.write_text(json.dumps(moments))
        arguments = [
            "-m", "tests.load.farm", "--workers", str(workers), "--kill-every", str(kill_every_s),
            "--empty", str(moments_file),
        ]  # fmt: skip
        errors = folder / "errors.txt"  # a pipe that nobody reads would block workers that log much
        with (
            errors.open("w") as stderr,
            subprocess.Popen(
                self.database.command(*arguments),
                cwd=ROOT,
                env=self.database.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            ) as farm,
        ):
            self._wait(HEAD_START_S + self._seconds)
            printed, _ = farm.communicate(timeout=PATIENCE_S)
        assert farm.returncode == 0, errors.read_text()
        late: list[float] = json.loads(printed)
        return late, errors.read_text()

    def _wait(self, seconds: float) -> None:
        """Wait these seconds, then until all deadlines are settled, at most `PATIENCE_S` more."""
        time.sleep(seconds)
        deadline = time.monotonic() + PATIENCE_S
        while len(self.settled()) < self.count and time.monotonic() < deadline:
            time.sleep(0.5)

    def settled(self) -> list[Settled]:
        with self._connect() as connection:
            rows = connection.execute(
                "SELECT kind, id, extract(epoch FROM done - due)::float8 FROM settled"
            ).fetchall()
        return [Settled(*row) for row in rows]

    def _connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.database.url, autocommit=True)

    def _execute(self, statements: str) -> None:
        with self._connect() as connection:
            connection.execute(statements)  # type: ignore[call-overload]
