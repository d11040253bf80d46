"""Scenario 12: equally experienced players gain and lose the same; each match counts once."""

from decimal import Decimal
from math import sqrt
from threading import Lock

import pytest
from django.utils import timezone

from games.engine.sides import Side
from stats.models import RatedMatch, Rating, RatingChange
from stats.rating import FULL_TURNS, Standing, change
from stats.services import rating
from tests.games.factories import StakeSitting
from tests.support.races import THREADS, at_once
from tests.wallet.factories import player

LENGTHS = (1, 3, 5, 1)
START = 1500.0


def formula(own: float, other: float, experience: int, length: int, result: float) -> float:
    """Return a rating's change by the formula of FIBS, written independently of stats.rating."""
    probability = 1 / (1 + 10 ** (-(own - other) * sqrt(length) / 2000))
    return 4 * max(1, 5 - experience / 100) * sqrt(length) * (result - probability)


def by_hand() -> dict[int, float]:
    """Compute all ratings in stored order; each match counts fully, as no pair met four times."""
    ratings: dict[int, float] = {}
    experience: dict[int, int] = {}
    for row in RatedMatch.objects.order_by("place").select_related("match"):
        match, length = row.match, row.match.match_rules.length
        seats = {seat.side: seat.user_id for seat in match.seats.all()}
        winner, loser = seats[match.winner], seats[Side(match.winner).other.value]
        before = {user: ratings.get(user, START) for user in (winner, loser)}
        for user, other, result in ((winner, loser, 1.0), (loser, winner, 0.0)):
            had = experience.get(user, 0)
            moved = formula(before[user], before[other], had, length, result)
            ratings[user] = before[user] + moved
            experience[user] = had + length
    return ratings


@pytest.mark.django_db(transaction=True)
def test_12_concurrent_finishes_rate_each_match_once_by_its_length() -> None:
    people = [player(f"member{number}", 5000) for number in range(2 * THREADS)]
    lock = Lock()
    for round_number in range(3):
        turned = people[round_number:] + people[:round_number]  # pairs shift by one member
        sittings = [
            StakeSitting(*turned[2 * number : 2 * number + 2], length=LENGTHS[number])
            .sit()
            .start_game()
            .both_move(FULL_TURNS)
            for number in range(THREADS)
        ]

        def finish_and_rate(number: int, sittings: list[StakeSitting] = sittings) -> int:
            """End the match; rate all finished matches, also those of other threads."""
            loser = Side.WHITE if number % 2 else Side.BLACK
            sittings[number].do("resign_match", side=loser)
            rated = rating.rate_waiting(timezone.now())
            with lock:
                return rated + rating.rate_waiting(timezone.now())

        assert sum(at_once(finish_and_rate)) == THREADS
    count = 3 * THREADS
    assert sorted(RatedMatch.objects.values_list("place", flat=True)) == list(range(1, count + 1))
    assert RatingChange.objects.count() == 2 * count
    first = RatingChange.objects.filter(experience_before=0)
    # Of two newcomers one gains as much as the other loses.
    for one in first:
        other = RatingChange.objects.get(rated=one.rated_id, result=1 - one.result)
        if other.experience_before == 0:
            assert one.change == -other.change
            assert abs(one.change) == pytest.approx(Decimal(10 * sqrt(one.length)))
    expected = by_hand()
    for row in Rating.objects.all():
        assert float(row.rating) == pytest.approx(expected[row.user_id], abs=0.01)
    assert rating.rate_waiting(timezone.now()) == 0


def test_12_gain_equals_loss_for_equal_experience_at_any_rating_and_length() -> None:
    for own in (-200, 0, 100, 600, 1500, 2900):
        for other in (-200, 100, 1500, 2900):
            for length in (1, 7, 25):
                for experience in (0, 399, 400, 9000):
                    one = Standing(Decimal(own), experience)
                    two = Standing(Decimal(other), experience)
                    won, lost = (change(one, two, length, 1, 1.0), change(two, one, length, 0, 1.0))
                    assert won == -lost
                    assert won >= 0
                    if own == other:
                        assert won > 0
                    expected = formula(own, other, experience, length, 1)
                    assert float(won) == pytest.approx(expected, abs=1e-3)
    gains = [change(Standing(), Standing(), length, 1, 1.0) for length in range(1, 26)]
    assert gains == sorted(set(gains))
