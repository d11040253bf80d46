"""Caps, rates and the token bucket."""

from accounts.shared.rate_limits import TokenBucket
from config.sockets.rate_counters import Caps, Rates


def test_bucket_lets_a_burst_through_and_then_refuses():
    bucket = TokenBucket(burst=3, per_second=1, now=0)
    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]


def test_bucket_fills_again_with_time():
    bucket = TokenBucket(burst=3, per_second=2, now=0)
    for _ in range(3):
        bucket.take(0)
    assert not bucket.take(0.4)
    assert bucket.take(0.6)
    assert not bucket.take(0.6)


def test_bucket_never_holds_more_than_its_burst():
    bucket = TokenBucket(burst=2, per_second=5, now=0)
    assert [bucket.take(1000) for _ in range(3)] == [True, True, False]


def test_cap_refuses_at_the_limit_until_a_release():
    caps = Caps()
    assert caps.take("a", 2)
    assert caps.take("a", 2)
    assert not caps.take("a", 2)
    assert caps.take("b", 2)
    caps.release("a")
    assert caps.take("a", 2)


def test_released_keys_are_forgotten():
    caps = Caps()
    caps.take("a", 1)
    caps.release("a")
    assert caps.held("a") == 0
    assert not caps._held


def test_rates_return_the_time_to_wait_and_forget_full_buckets():
    rates = Rates()
    assert [rates.take("a", 2, 0.1, 0) for _ in range(3)] == [0, 0, 10]
    assert rates.take("a", 2, 0.1, 4) == 6
    assert rates.take("b", 2, 0.1, 4) == 0
    assert rates.take("c", 2, 0.1, 30) == 0
    assert list(rates._buckets) == ["c"]
