"""Scenario 10: counters and locks hold across two processes of the site."""

import os
import time
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.conf import settings

from tests.load.racing import Database, Racer

SERVER = os.environ.get("TEST_POSTGRES_URL", "")
TIMES = 10  # repetitions of each race, except that of joins
HEAD_START_S = 0.01  # for both processes to read the call before it begins
# The test has its own database: a run of all tests on PostgreSQL would only repeat it.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SERVER, reason="needs PostgreSQL: set TEST_POSTGRES_URL"),
]


@pytest.fixture
def both() -> Iterator[list[Racer]]:
    module = "tests.scenarios.across"
    with (
        Database(SERVER) as database,
        Racer(database, module) as one,
        Racer(database, module) as other,
    ):
        yield [one, other]
        assert one.call("faults_of_books") == []


def at_once(both: list[Racer], function: str, *fields: dict) -> list:
    """Call the function in both processes at the same time, with the same or different fields."""
    at = time.time() + HEAD_START_S
    for racer, own in zip(both, fields * 2 if len(fields) == 1 else fields, strict=True):
        racer.send(function, at=at, **own)
    return [racer.receive() for racer in both]


def test_10_counters_and_locks_hold_across_two_processes(
    both: list[Racer],
) -> None:
    users = both[0].call("people", count=2 * TIMES + 2)
    for owner in users[:TIMES]:
        # A member announces in two tabs that two processes serve: one announcement, one hold.
        answers = at_once(both, "announce", {"user": owner})
        # The code of the refusal, and a public id of 12 characters.
        assert sorted(len(answer) for answer in answers) == [len("announced"), 12], answers
    seeks = [both[0].call("announce", user=user) for user in users[TIMES : 2 * TIMES]]
    joiner, another = users[2 * TIMES :]
    matches = []
    # One member joins two games at once: only one match begins.
    answers = at_once(both, "join", *[{"seek": seek, "user": joiner} for seek in seeks[:2]])
    assert sorted(answers, key=len)[0] == "busy", answers
    matches.append(max(answers, key=len))
    answers = at_once(both, "join", *[{"seek": seek, "user": another} for seek in seeks[2:4]])
    assert sorted(answers, key=len)[0] == "busy", answers
    matches.append(max(answers, key=len))

    # Both processes play both matches in turn: no process keeps a board in memory.
    tables = [both[number].call("sit_down", match=match) for number, match in enumerate(matches)]
    for fields in tables:
        for _ in range(TIMES):
            # The same command in two processes: applied once, and both give the same answer.
            ready = both[0].call("to_play", fields=fields)
            again = {"fields": {**fields, "side": ready["side"]}, "id": str(uuid4())}
            again |= {"seq": ready["seq"], "play": ready["play"]}
            assert at_once(both, "submit_play", again) == [ready["seq"] + 1] * 2
            # Two commands at one position: the second is stale.
            ready = both[1].call("to_play", fields=fields)
            mine = {"fields": {**fields, "side": ready["side"]}} | {
                name: ready[name] for name in ("seq", "play")
            }
            answers = at_once(both, "submit_play", *[{**mine, "id": str(uuid4())} for _ in both])
            assert sorted(map(str, answers)) == sorted([str(ready["seq"] + 1), "stale"]), answers
    for turn, fields in enumerate(tables):
        while both[turn % 2].call("step", fields=fields) != "finished":
            turn += 1
    assert sum(at_once(both, "rate", {})) == len(matches)
    answers = both[1].call("judge", matches=matches, users=users)
    assert answers["places"] == [1, 2]
    assert answers["changes"] == 4
    assert answers["live"] == 0
    assert answers["funds"] == 1000 * len(users) - 10 * len(matches)
