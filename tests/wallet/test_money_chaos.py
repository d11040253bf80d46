"""Thousands of operations by four processes that are killed neither lose nor create credits.

If one kill of four exposes a fault, 20 kills find it with a probability of 99.7 %; 60 kills (with
`--long`) do the same if one kill of eleven exposes it. 500 operations and 4 kills find the broken
services of test_negative_controls.py. The plan is the same in every run; the order in which the
processes carry it out is not.
"""

import os
import random
import subprocess
import sys

import pytest

from tests.support.lengths import length
from tests.wallet.chaos_database import faults, migrated_database, run_chaos
from tests.wallet.chaos_run import Run

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

OPERATIONS, KILLS = length(1_500, 10_000), length(20, 60)


def test_killed_processes_lose_and_create_no_credits(
    record_property,
):
    with migrated_database("chaos") as url:
        report = run_chaos(url, OPERATIONS, KILLS)
    assert faults(report) == []
    # The run had enough kills, checks and completed operations.
    assert report["kills"] >= KILLS * 3 / 4
    assert report["checks"] >= 20
    assert report["done"] + report["refused"] == OPERATIONS
    assert report["done"] > OPERATIONS / 3
    record_property("seconds", report["seconds"])


def test_worker_that_failed_just_before_its_kill_is_reported(monkeypatch):
    monkeypatch.setattr(Run, "_start", lambda run, number: None)  # it would fork this process
    run = Run.__new__(Run)
    run.rng, run.kills = random.Random(1), 0
    with subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"]) as worker:
        os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)
        run.pids = {0: worker.pid}
        with pytest.raises(AssertionError, match="worker 0 ended with"):
            run._kill_one()
