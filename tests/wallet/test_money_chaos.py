"""Thousands of operations from four processes killed by kill -9 lose and create nothing.

A fault that one kill of four shows is found by 20 kills with 99.7 %, by 60 (the long form) if one
of eleven shows it. The broken services of test_negative_controls.py are found by 800 operations
and 6 kills. The plan is the same in every run, so that the counts are no matter of chance.
"""

import pytest

from tests.support.lengths import length
from tests.wallet.chaos_database import faults, migrated_database, run_chaos

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

OPERATIONS, KILLS = length(2_500, 10_000), length(20, 60)


def test_killed_processes_lose_and_create_no_credits(
    record_property,
):
    with migrated_database("chaos") as url:
        report = run_chaos(url, OPERATIONS, KILLS)
    assert faults(report) == []
    # The run was hard enough: kills, checks and completed operations.
    assert report["kills"] >= KILLS * 3 / 4
    assert report["looks"] >= 20
    assert report["done"] + report["refused"] == OPERATIONS
    assert report["done"] > OPERATIONS / 3
    record_property("seconds", report["seconds"])
