"""Two processes on PostgreSQL race for one thing, again and again: always exactly one outcome.

A fault that shows in one round of nine is found by 40 rounds with 99 %, by 200 if it shows in one
of forty. The side that lost starts earlier the next time, until its lead is longer than the usual
round: after about ten losses in a row each further one has a chance below 1/2, so that a side wins
none of 40 rounds less than once in 10^6 runs.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings

from tests.lengths import length
from tests.lobby.racing import Database, Racer, arrange, race

SERVER = os.environ.get("TEST_POSTGRES_URL", "")
ROUNDS = length(40, 200)
# The database is the test's own: the run of all tests on PostgreSQL would only repeat this one.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SERVER, reason="needs PostgreSQL: set TEST_POSTGRES_URL"),
]


Run = Callable[[str], None]


@pytest.fixture(scope="module")
def both_win_now_and_then() -> Iterator[Run]:
    with Database(SERVER) as database:
        racers = [Racer(database) for _ in range(2)]
        try:

            def run(name: str) -> None:
                """Exactly one outcome in each round (the judge sees to it), and a race it was."""
                arranged = arrange(name, ROUNDS, database, racers[0])
                winners = Counter(race(name, racers, arranged, seed=len(name)))
                assert sum(winners.values()) == ROUNDS
                assert min(winners["one"], winners["other"]) > 0, winners

            yield run
        finally:
            for racer in racers:
                racer.stop()


def test_of_two_joiners_one_plays(both_win_now_and_then: Run) -> None:
    both_win_now_and_then("TwoJoiners")


def test_join_against_cancel(both_win_now_and_then: Run) -> None:
    both_win_now_and_then("JoinAgainstCancel")


def test_join_against_expiry(both_win_now_and_then: Run) -> None:
    both_win_now_and_then("JoinAgainstExpiry")


def test_flag_against_move(both_win_now_and_then: Run) -> None:
    both_win_now_and_then("FlagAgainstMove")


def test_claim_against_return(both_win_now_and_then: Run) -> None:
    both_win_now_and_then("ClaimAgainstReturn")


def test_both_press_rematch_at_once(both_win_now_and_then: Run) -> None:
    both_win_now_and_then("BothPressRematch")


def test_rematch_against_join(both_win_now_and_then: Run) -> None:
    both_win_now_and_then("RematchAgainstJoin")
