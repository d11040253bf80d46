"""No deadline is missed or settled twice while a worker is killed each second.

48 deadlines become due each second. In 10 seconds about ten workers are killed, each probably while
it settles a deadline. Ten kills find, with a probability of 98 %, a fault that one kill in three
shows. The long form lasts 25 seconds and finds a fault of one kill in six as surely.
"""

import os
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings

from tests.load.deadlines import KINDS, Deadlines
from tests.load.racing import Database, Racer
from tests.support.lengths import length

SERVER = os.environ.get("TEST_POSTGRES_URL", "")
EACH = length(120, 300)
SECONDS = EACH * len(KINDS) / 48
# At least this many workers must be killed; a slow machine kills fewer than one a second.
LEAST_KILLED = SECONDS / 4
# The test has its own database: a run of all tests on PostgreSQL would only repeat it.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SERVER, reason="needs PostgreSQL: set TEST_POSTGRES_URL"),
]


def test_each_deadline_is_settled_once_while_workers_are_killed(tmp_path: Path) -> None:
    with Database(SERVER) as database, Racer(database) as racer:
        deadlines = Deadlines(database, EACH, SECONDS)
        deadlines.arrange(racer)
        empty_loop_delays, errors = deadlines.run(workers=2, kill_every_s=1, folder=tmp_path)
        settled = deadlines.settled()
        faults = racer.call("faults_of_books")
        unsettled = racer.call("unsettled")
    assert len(empty_loop_delays) == deadlines.count
    # The last line names the number: "10 workers were killed".
    assert int(errors.split()[-4]) >= LEAST_KILLED, errors
    assert unsettled == 0
    assert Counter(row.kind for row in settled) == dict.fromkeys(KINDS, EACH)
    assert len({(row.kind, row.id) for row in settled}) == len(settled)
    assert min(row.late_s for row in settled) >= 0  # not settled early
    assert faults == []
