"""Nobody who pressed "Play now" is lost when a web process or a worker is killed.

Each press is served by a process that is killed after a random time, mostly before it is done,
while one of two workers is killed every half second. A person whose process was killed presses
again, as their page does. The short form has 40 people, the long one 400.
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import pytest
from django.conf import settings

from tests.load.racing import ROOT, Database, Racer, killed_workers
from tests.support.lengths import length
from tests.support.patience import PATIENCE_S

SERVER = os.environ.get("TEST_POSTGRES_URL", "")
# The test has its own database: a run of all tests on PostgreSQL would only repeat it.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
GUESTS, MEMBERS = length(16, 160), length(24, 240)
LEAST_S = 12  # workers are killed for at least this time, as they need some seconds to start
TOUCHES_AFTER = 10  # number of presses after which the pages of all who wait touch their searches
WHOLE = 4  # number of first presses whose processes are not killed: they give the usual time

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SERVER, reason="needs PostgreSQL: set TEST_POSTGRES_URL"),
]


def press_all(web: Racer, people: list[dict[str, object]]) -> int:
    """Let everybody press "Play now"; return the number of processes killed before their end."""
    rng, took, killed = random.Random(16), [], 0
    for number, person in enumerate(people):
        limit_s = PATIENCE_S if number < WHOLE else rng.uniform(0, 1.5 * median(took))
        seconds = web.call("press_in_a_process", person=person, killed_after_s=limit_s)
        if seconds is None:
            killed += 1
            # The first press may have counted before its process died.
            assert web.call("press", person=person) in ("", "searching", "at_table")
        else:
            took.append(seconds)
        if number % TOUCHES_AFTER == 0:  # searches whose pages are silent end after two minutes
            web.call("touch_searches")
    return killed


def test_nobody_who_waits_is_lost_when_processes_are_killed(tmp_path: Path) -> None:
    errors = tmp_path / "errors"
    with Database(SERVER) as database, Racer(database, "tests.load.waiting") as web:
        people = web.call("create_people", guests=GUESTS, members=MEMBERS)
        random.Random(7).shuffle(people)
        with killed_workers(database, 0.5, errors):
            enough = time.monotonic() + LEAST_S
            killed = press_all(web, people)
            end = time.monotonic() + PATIENCE_S
            while web.call("touch_searches") or time.monotonic() < enough:
                assert time.monotonic() < end, "people who fit each other wait"
                time.sleep(0.5)
        assert web.call("faults", people=people) == []
    log = errors.read_text()
    assert killed >= len(people) // 8
    # The last line names the number: "20 workers were killed".
    assert int(log.split()[-4]) >= length(1, 20), log
    assert "Traceback" not in log, log


# A worker that fails, while the program waits for its end.
FAILING = "from tests.load.farm import fork, status_of; print(status_of(fork(lambda: 1 / 0)))"


def test_process_that_fails_prints_its_traceback_and_ends_with_status_1() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FAILING], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "1\n"
    assert "Traceback" in done.stderr
    assert "ZeroDivisionError" in done.stderr
