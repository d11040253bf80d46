"""Races over tournaments on PostgreSQL, as test_races.py runs those over matches.

30 rounds find, with a probability of 99 %, a fault that one round in seven shows. The long form has
200, which find a fault of one round in forty as surely.
"""

import os
from collections import Counter
from collections.abc import Iterator

import pytest
from django.conf import settings

from tests.load.racing import Database, Racer, race
from tests.load.tournament_rounds import RACES
from tests.support.lengths import length

SERVER = os.environ.get("TEST_POSTGRES_URL", "")
ROUNDS = length(30, 200)
MODULE = "tests.load.tournament_rounds"
# The tests have their own database: a run of all tests on PostgreSQL would only repeat them.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SERVER, reason="needs PostgreSQL: set TEST_POSTGRES_URL"),
]


@pytest.fixture(scope="module")
def racers() -> Iterator[list[Racer]]:
    with (
        Database(SERVER) as database,
        Racer(database, MODULE) as one,
        Racer(database, MODULE) as other,
    ):
        yield [one, other]


@pytest.mark.parametrize("name", RACES)
def test_each_round_has_one_outcome_and_each_call_wins_some(name: str, racers: list[Racer]) -> None:
    arranged = racers[0].call("arrange", race=name, count=ROUNDS)
    winners = Counter(race(name, racers, arranged))  # the judge checks the outcome of each round
    assert sum(winners.values()) == ROUNDS
    assert min(winners["one"], winners["other"]) > 0, winners
