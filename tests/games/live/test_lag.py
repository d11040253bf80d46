"""The server sends numbers and times the answers, so that a client cannot claim a lag."""

import pytest

from games.live.lag import MAX_MS, VALID_S, Lag


def measured(*passed_ms: float) -> Lag:
    """Return the lag of a connection with these measurements, one per second."""
    lag = Lag()
    for number, ms in enumerate(passed_ms):
        lag.record_answer(lag.ask(number), number + ms / 1000)
    return lag


def test_the_first_measurement_is_the_mean() -> None:
    assert measured(240).mean_ms(1) == 240


def test_later_measurements_move_the_mean_by_a_tenth() -> None:
    assert measured(200, 300).mean_ms(2) == 210
    assert measured(200, 300, 110).mean_ms(3) == 200


def test_a_measured_lag_of_zero_is_not_replaced_by_the_next_measurement() -> None:
    assert measured(0, 300).mean_ms(2) == 30


def test_one_slow_answer_is_capped_and_moves_the_mean_by_a_tenth() -> None:
    assert measured(50, 5_000).mean_ms(7) == round(50 + (MAX_MS - 50) / 10)


def test_unmeasured_connection_has_no_lag() -> None:
    lag = Lag()
    assert lag.mean_ms(0) == 0
    lag.ask(0)
    assert lag.mean_ms(5) == 0


def test_answer_with_an_unknown_number_is_ignored() -> None:
    lag = Lag()
    number = lag.ask(0)
    lag.record_answer(number ^ 1, 0.9)
    assert lag.mean_ms(1) == 0
    lag.record_answer(number, 1.0)
    assert lag.mean_ms(1) == 1000


def test_repeated_answer_counts_once() -> None:
    lag = Lag()
    number = lag.ask(0)
    lag.record_answer(number, 0.1)
    lag.record_answer(number, 1.9)
    assert lag.mean_ms(2) == 100


def test_answer_to_an_earlier_number_is_ignored() -> None:
    lag = Lag()
    first = lag.ask(0)
    second = lag.ask(1)
    lag.record_answer(first, 1.9)
    assert lag.mean_ms(2) == 0
    lag.record_answer(second, 1.2)
    assert lag.mean_ms(2) == 200


def test_measurement_expires_and_the_next_one_starts_a_new_mean() -> None:
    lag = measured(300)
    assert lag.mean_ms(0.3 + VALID_S) == 300
    assert lag.mean_ms(0.4 + VALID_S) == 0
    lag.record_answer(lag.ask(100), 100.05)
    assert lag.mean_ms(101) == 50


def test_numbers_of_questions_do_not_repeat() -> None:
    lag = Lag()
    assert len({lag.ask(0) for _ in range(100)}) == 100


@pytest.mark.parametrize("ms", [0, 1, 999])
def test_mean_of_equal_measurements_is_their_value(ms: int) -> None:
    assert measured(*[ms] * 5).mean_ms(5) == ms
