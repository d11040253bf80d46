"""A process killed at any step of a payment loses nothing and does nothing twice.

On PostgreSQL every step is tried. On SQLite the short form (without `--long`) tries every third
step, always the same ones, and so misses a fault that only a kill at another step shows.
"""

import json

import pytest

from tests.support.lengths import length
from tests.support.migrated import migrated_file
from tests.wallet.chaos_database import migrated_database, run_python


def check(url: str, every: int = 1) -> None:
    output = run_python("-m", "tests.shop.payments.killed_run", str(every), url=url)
    report = json.loads(output.splitlines()[-1])
    assert report["faults"] == []
    # With more than ten steps, some are before, some between and some after a scenario's writes.
    assert all(kills * every > 10 for kills in report["kills"].values()), report["kills"]


def test_kills_on_sqlite_lose_and_double_nothing(tmp_path):
    check(migrated_file(tmp_path / "killed.sqlite3"), every=length(3, 1))


@pytest.mark.slow
@pytest.mark.postgres
def test_kills_on_postgresql_lose_and_double_nothing():
    with migrated_database("killed") as url:
        check(url)
