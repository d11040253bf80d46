"""Ten thousand operations from four processes killed by kill -9 lose and create nothing."""

import pytest

from tests.wallet.chaos_database import faults, migrated_database, run_chaos

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

OPERATIONS, KILLS = 10_000, 60


def test_killed_processes_lose_and_create_no_credits(
    record_property,
):
    with migrated_database("chaos") as url:
        report = run_chaos(url, OPERATIONS, KILLS)
    assert faults(report) == []
    # The run was hard enough: kills, checks and completed operations.
    assert report["kills"] >= 50
    assert report["looks"] >= 20
    assert report["done"] + report["refused"] == OPERATIONS
    assert report["done"] > OPERATIONS / 3
    # It takes two minutes on an idle machine; allow for other load.
    record_property("seconds", report["seconds"])
