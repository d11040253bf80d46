"""Two processes on PostgreSQL over one thing, two hundred times: always exactly one outcome."""

import os
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings

from tests.lobby.racing import Database, Racer, arrange, race

SERVER = os.environ.get("TEST_POSTGRES_URL", "")
ROUNDS = 200
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
