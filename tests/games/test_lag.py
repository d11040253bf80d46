"""The server's own measure of a line: nothing that the client claims counts."""

import pytest

from games.live.lag import MAX_MS, VALID_S, Lag


def measured(*passed_ms: float) -> Lag:
    """A line that was measured so, one second after the other."""
    lag = Lag()
    for number, ms in enumerate(passed_ms):
        lag.hear(lag.ask(number), number + ms / 1000)
    return lag


def test_the_first_measure_is_the_mean() -> None:
    assert measured(240).mean_ms(1) == 240


def test_later_ones_move_it_by_a_tenth() -> None:
    assert measured(200, 300).mean_ms(2) == 210
    assert measured(200, 300, 110).mean_ms(3) == 200


def test_one_bad_second_is_not_the_line() -> None:
    assert measured(50, 5_000).mean_ms(7) == round(50 + (MAX_MS - 50) / 10)


def test_nothing_is_known_of_a_line_that_was_never_measured() -> None:
    lag = Lag()
    assert lag.mean_ms(0) == 0
    lag.ask(0)
    assert lag.mean_ms(5) == 0


def test_a_number_that_was_not_sent_measures_nothing() -> None:
    lag = Lag()
    number = lag.ask(0)
    lag.hear(number ^ 1, 0.9)
    assert lag.mean_ms(1) == 0
    lag.hear(number, 1.0)
    assert lag.mean_ms(1) == 1000


def test_an_answer_counts_once() -> None:
    lag = Lag()
    number = lag.ask(0)
    lag.hear(number, 0.1)
    lag.hear(number, 1.9)
    assert lag.mean_ms(2) == 100


def test_an_earlier_number_counts_no_longer() -> None:
    lag = Lag()
    first = lag.ask(0)
    second = lag.ask(1)
    lag.hear(first, 1.9)
    assert lag.mean_ms(2) == 0
    lag.hear(second, 1.2)
    assert lag.mean_ms(2) == 200


def test_an_old_measure_says_nothing_of_the_line_now() -> None:
    lag = measured(300)
    assert lag.mean_ms(0.3 + VALID_S) == 300
    assert lag.mean_ms(0.4 + VALID_S) == 0
    lag.hear(lag.ask(100), 100.05)
    assert lag.mean_ms(101) == 50


def test_nobody_can_guess_what_will_be_sent() -> None:
    lag = Lag()
    assert len({lag.ask(0) for _ in range(100)}) == 100


@pytest.mark.parametrize("ms", [0, 1, 999])
def test_a_quick_line_has_a_small_mean(ms: int) -> None:
    assert measured(*[ms] * 5).mean_ms(5) == ms
