"""Tournaments are played to the payout while one of two workers is killed each second.

The clock of the simulation jumps to the next deadline whenever nothing is left to do, so join
windows and starts cost no time. The long form plays 50 tournaments (knock-outs, Swiss tournaments,
single round robins) with up to 64 entrants. The short form plays 4 and kills some twenty workers: a
fault that appears in one kill of seven is found with a probability of 95 %.
"""

import logging
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.load.farm import Ahead
from tests.load.racing import Database, Racer, killed_workers
from tests.support.lengths import IS_LONG, length
from tests.support.patience import PATIENCE_S

SERVER = os.environ.get("TEST_POSTGRES_URL", "")
# The test has its own database: a run of all tests on PostgreSQL would only repeat it.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
MEMBERS = length(16, 96)
PLAYED_OUT = length(1, 10)  # tournaments whose matches are played out; in others a player resigns
# Time from the first announcement to the start; entering all members takes less.
STARTS_IN_S = 3600

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SERVER, reason="needs PostgreSQL: set TEST_POSTGRES_URL"),
]


def orders() -> list[dict[str, Any]]:
    """Return the tournaments; the first `PLAYED_OUT` are small and their matches are played out."""
    sizes = {"KNOCKOUT": (8, 11), "SWISS": (7,), "ROUND_ROBIN": (5,)}
    if IS_LONG:
        sizes = {
            "KNOCKOUT": (*(8, 9, 11, 13, 16) * 4, 20, 24, 27, 32, 32, 40, 48, 63, 64, 64),
            "SWISS": (5, 6, 7, 8, 9, 11, 12, 13, 15, 16),
            "ROUND_ROBIN": (4, 5, 6, 7, 8, 9, 10, 11, 14, 16),
        }
    pairs = [(format, size) for format, all_sizes in sizes.items() for size in all_sizes]
    pairs.sort(key=lambda pair: pair[1])
    fees = [{"fee_credits": 20}, {"fee_credits": 15, "house_percent": 10}, {"fee_credits": 0}]
    variants = [{"variant": "short"}, {"variant": "long", "rules": {"parity": True}}]
    return [
        {"format": format, "size": size, **fees[number % 3], **variants[number % 2]}
        for number, (format, size) in enumerate(pairs)
    ]


def call_all(racers: list[Racer], function: str, **fields: Any) -> int:
    """Call the function in every process at the same time; return the sum of the answers."""
    for number, racer in enumerate(racers):
        racer.send(function, share=[number, len(racers)], **fields)
    return sum(racer.receive() for racer in racers)


def play_to_the_end(racers: list[Racer], ahead_file: Path, played_out: list[int]) -> None:
    """Play open matches, else wait for due work or move the clock, until nothing is left."""
    ahead = Ahead(ahead_file)
    quiet_since = time.monotonic()
    while True:
        if call_all(racers, "act", ahead=str(ahead_file), played_out=played_out):
            quiet_since = time.monotonic()
            continue
        due = {kind: datetime.fromisoformat(at) for kind, at in racers[0].call("due").items()}
        if not due:
            return
        if min(due.values()) <= ahead.now():
            assert time.monotonic() - quiet_since < PATIENCE_S, f"nobody does {due}"
            time.sleep(0.05)
            continue
        ahead.advance(min(due.values()) - ahead.now() + timedelta(milliseconds=1))
        quiet_since = time.monotonic()


def test_all_tournaments_end_while_workers_are_killed(tmp_path: Path) -> None:
    ahead_file, errors = tmp_path / "ahead", tmp_path / "errors"
    module, wanted = "tests.load.tournaments", orders()
    with (
        Database(SERVER) as database,
        Racer(database, module) as one,
        Racer(database, module) as other,
    ):
        members = one.call("create_members", count=MEMBERS)
        begun = datetime.now(UTC).isoformat()
        tournaments = one.call(
            "announce", orders=wanted, users=members, now=begun, starts_in=STARTS_IN_S, seed="cup"
        )
        with killed_workers(database, 1, errors, "--ahead", str(ahead_file)):
            play_to_the_end([one, other], ahead_file, tournaments[:PLAYED_OUT])
        summary = one.call("summary", tournaments=tournaments)
        line = f"{len(wanted)} tournaments: {summary}; {errors.read_text().splitlines()[-1]}"
        logging.getLogger(__name__).info(line)
        faults = one.call("faults", tournaments=tournaments, users=members)
    assert faults == []
    assert set(summary["causes"]) >= {"PLAYED", "ABSENT", "FREE"}
    assert "not settled" not in errors.read_text()
    # The last line names the number: "20 workers were killed".
    assert int(errors.read_text().split()[-4]) >= length(3, 20)
