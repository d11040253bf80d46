"""Two processes on PostgreSQL over one thing, two hundred times: always exactly one outcome."""

import os
from collections import Counter
from collections.abc import Iterator

import pytest
from django.conf import settings

from tests.lobby.racing import Database, Racer, race

SERVER = os.environ.get("TEST_POSTGRES_URL", "")
ROUNDS = 200
# The database is the test's own: the run of all tests on PostgreSQL would only repeat this one.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SERVER, reason="needs PostgreSQL: set TEST_POSTGRES_URL"),
]


@pytest.fixture(scope="module")
def racers() -> Iterator[list[Racer]]:
    with Database(SERVER) as database:
        racers = [Racer(database) for _ in range(2)]
        try:
            yield racers
        finally:
            for racer in racers:
                racer.stop()


def both_win_now_and_then(name: str, racers: list[Racer]) -> None:
    """Exactly one outcome in each round (the judge sees to it), and a race it was."""
    winners = Counter(race(name, racers, ROUNDS, seed=len(name)))
    assert sum(winners.values()) == ROUNDS
    assert min(winners["one"], winners["other"]) > 0, winners


def test_of_two_joiners_one_plays(racers: list[Racer]) -> None:
    both_win_now_and_then("TwoJoiners", racers)


def test_join_against_cancel(racers: list[Racer]) -> None:
    both_win_now_and_then("JoinAgainstCancel", racers)


def test_join_against_expiry(racers: list[Racer]) -> None:
    both_win_now_and_then("JoinAgainstExpiry", racers)


def test_flag_against_move(racers: list[Racer]) -> None:
    both_win_now_and_then("FlagAgainstMove", racers)


def test_claim_against_return(racers: list[Racer]) -> None:
    both_win_now_and_then("ClaimAgainstReturn", racers)


def test_both_press_rematch_at_once(racers: list[Racer]) -> None:
    both_win_now_and_then("BothPressRematch", racers)


def test_rematch_against_join(racers: list[Racer]) -> None:
    both_win_now_and_then("RematchAgainstJoin", racers)
