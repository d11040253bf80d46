"""The rating arithmetic: worked examples and properties."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.rating import START, Standing, chance, change, weight_of

RATINGS = st.decimals(min_value=500, max_value=3000, places=4)
LENGTHS = st.integers(min_value=1, max_value=25)


@pytest.mark.parametrize(
    ("own", "other", "length", "expected"),
    [
        (1500, 1500, 1, 0.5),
        (1500, 1500, 25, 0.5),
        (1600, 1500, 1, 0.5288),  # 1 / (1 + 10 ** -0.05)
        (1600, 1500, 25, 0.6401),  # five times the difference: 1 / (1 + 10 ** -0.25)
        (1500, 1700, 9, 0.3339),
    ],
)
def test_the_chance_depends_on_difference_and_root_of_length(own, other, length, expected):
    assert chance(Decimal(own), Decimal(other), length) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("experience", "length", "won", "lost"),
    [
        (0, 1, "10", "-10"),  # 4 x 5 x 1 x 0.5
        (400, 1, "2", "-2"),  # 4 x 1 x 1 x 0.5
        (4000, 1, "2", "-2"),
        (100, 4, "16", "-16"),  # 4 x 4 x 2 x 0.5
    ],
)
def test_change_between_equals_depends_on_experience_and_root_of_length(
    experience, length, won, lost
):
    own = Standing(START, experience)
    assert change(own, Standing(), length, 1.0, 1.0) == Decimal(won)
    assert change(own, Standing(), length, 0.0, 1.0) == Decimal(lost)


def test_draw_between_equals_changes_nothing():
    assert change(Standing(), Standing(), 7, 0.5, 1.0) == 0


def test_draw_raises_the_weaker_player():
    weaker, stronger = Standing(Decimal(1400)), Standing(Decimal(1600))
    assert change(weaker, stronger, 1, 0.5, 1.0) > 0 > change(stronger, weaker, 1, 0.5, 1.0)


@given(RATINGS, RATINGS, LENGTHS, st.sampled_from([0.0, 0.5, 1.0]))
def test_gain_equals_loss_at_equal_experience(one, two, length, result):
    first, second = Standing(one, 50), Standing(two, 50)
    won = change(first, second, length, result, 1.0)
    lost = change(second, first, length, 1 - result, 1.0)
    assert abs(won + lost) <= Decimal("0.0001")


@given(RATINGS, RATINGS, LENGTHS)
def test_chances_of_both_players_sum_to_one(one, two, length):
    assert chance(one, two, length) + chance(two, one, length) == pytest.approx(1)


def test_the_fourth_match_of_a_pair_in_a_day_counts_half_and_the_fifth_a_quarter():
    assert [weight_of(number) for number in range(1, 6)] == [1, 1, 1, 0.5, 0.25]


def test_a_rating_is_provisional_until_20_points_of_experience():
    assert Standing(START, 19).is_provisional
    assert not Standing(START, 20).is_provisional
