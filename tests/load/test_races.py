"""Two processes race on PostgreSQL in many rounds, each of which has exactly one outcome.

30 rounds find, with a probability of 99 %, a fault that one round in seven shows. The long form has
200, which find a fault of one round in forty as surely.

The loser of a round starts earlier in the next one. After ten losses in a row it starts earlier by
more than the usual length of a round. Each further loss then has a probability below 1/2, so that
at most once in 10^6 runs a call wins none of 30 rounds.
"""

import os
from collections import Counter
from collections.abc import Iterator

import pytest
from django.conf import settings

from tests.load.racing import Database, Racer, arrange, race
from tests.load.rounds import RACES
from tests.support.lengths import length

SERVER = os.environ.get("TEST_POSTGRES_URL", "")
ROUNDS = length(30, 200)
# The tests have their own database: a run of all tests on PostgreSQL would only repeat them.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SERVER, reason="needs PostgreSQL: set TEST_POSTGRES_URL"),
]


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    with Database(SERVER) as database:
        yield database


@pytest.fixture(scope="module")
def racers(database: Database) -> Iterator[list[Racer]]:
    with Racer(database) as one, Racer(database) as other:
        yield [one, other]


@pytest.mark.parametrize("name", RACES)
def test_each_round_has_one_outcome_and_each_call_wins_some(
    name: str, database: Database, racers: list[Racer]
) -> None:
    arranged = arrange(name, ROUNDS, database, racers[0])
    winners = Counter(race(name, racers, arranged))  # the judge checks the outcome of each round
    assert sum(winners.values()) == ROUNDS
    assert min(winners["one"], winners["other"]) > 0, winners
