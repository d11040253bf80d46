"""The cache and pages while Redis cannot be used, and the cache after Redis has come back."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache, caches
from django.core.cache.backends.redis import RedisCache
from django.test import Client
from redis.exceptions import ResponseError

from config.http.failover_cache import FailoverCache
from tests.accounts.factories import member
from tests.cluster.servers import Redis, has_redis

NOWHERE = "redis://127.0.0.1:1/0"  # nothing listens there


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Begin as if Redis had never been lost; clear the cache in memory afterwards."""
    monkeypatch.setattr(FailoverCache, "_down_until", 0.0)
    monkeypatch.setattr(FailoverCache, "_refuses_writes", False)
    yield
    FailoverCache(NOWHERE, {})._local.clear()


@pytest.fixture
def without_redis(settings: Any) -> Iterator[None]:
    backend = {"BACKEND": "config.http.failover_cache.FailoverCache", "LOCATION": NOWHERE}
    settings.CACHES = {**settings.CACHES, "default": backend}
    yield
    del caches["default"]


def test_methods_of_the_cache_work_without_redis(without_redis: None) -> None:
    assert cache.get("a", "none") == "none"
    assert cache.add("a", 1, 60)
    assert not cache.add("a", 2, 60)
    assert cache.incr("a", 2) == 3
    assert cache.set_many({"b": [1], "c": None}) == []
    assert cache.get_many(["a", "b", "missing"]) == {"a": 3, "b": [1]}
    assert cache.get_or_set("d", "made") == "made"
    assert cache.touch("d", 60)
    assert "d" in cache
    assert cache.delete("d")
    assert "d" not in cache
    cache.delete_many(["a", "b"])
    assert cache.get_many(["a", "b"]) == {}
    with pytest.raises(ValueError):
        cache.incr("missing")


def test_a_count_is_not_lost_among_those_of_other_visitors(without_redis: None) -> None:
    """Otherwise passwords could be tried without end while Redis is away."""
    cache.set("attempts", 4, 300)
    for number in range(2000):
        cache.set(f"visitor:{number}", 1, 300)
    assert cache.incr("attempts") == 5


@pytest.mark.slow
@pytest.mark.skipif(not has_redis(), reason="needs redis-server")
def test_cache_follows_redis_when_it_is_lost_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Redis(tmp_path) as server:
        assert isinstance(server, Redis)
        ours, others = FailoverCache(server.url, {}), FailoverCache(server.url, {})
        ours.set("a", "in Redis")
        assert others.get("a") == "in Redis"
        server.kill()
        assert ours.get("a") is None
        ours.set("a", "in memory")
        assert others.get("a") == "in memory"
        server.start()
        assert ours.get("a") == "in memory"  # Redis is tried again after a while
        monkeypatch.setattr(FailoverCache, "_down_until", 0.0)
        assert ours.get("a") is None
        ours.set("a", "in Redis again")
        assert others._cache.get(others.make_key("a"), None) == "in Redis again"


@pytest.mark.slow
@pytest.mark.skipif(not has_redis(), reason="needs redis-server")
@pytest.mark.parametrize(
    ("setting", "undone"),
    [
        (("CONFIG", "SET", "maxmemory", "1"), ("CONFIG", "SET", "maxmemory", "0")),
        (("REPLICAOF", "127.0.0.1", "1"), ("REPLICAOF", "NO", "ONE")),
        (
            ("CONFIG", "SET", "min-replicas-to-write", "1"),
            ("CONFIG", "SET", "min-replicas-to-write", "0"),
        ),
    ],
    ids=["full", "replica", "without replicas"],
)
def test_attempts_are_counted_while_redis_refuses_writes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    setting: tuple[str, ...],
    undone: tuple[str, ...],
) -> None:
    def try_redis_again() -> None:
        monkeypatch.setattr(FailoverCache, "_down_until", 0.0)

    with Redis(tmp_path) as server:
        assert isinstance(server, Redis)
        ours = FailoverCache(server.url, {})
        redis = ours._cache.get_client()
        ours.set("attempts", 7)
        redis.execute_command(*setting)
        for number in (1, 2):
            ours.set("attempts", number)
            try_redis_again()
            assert ours.get("attempts") == number  # not the old value in Redis
            assert ours.incr("attempts") == number + 1
        redis.execute_command(*undone)
        try_redis_again()
        ours.set("attempts", 5)
        assert redis.get(ours.make_and_validate_key("attempts")) == b"5"
        assert ours.get("attempts") == 5


@pytest.mark.slow
@pytest.mark.skipif(not has_redis(), reason="needs redis-server")
def test_attempts_are_counted_while_redis_cannot_save_its_snapshot(tmp_path: Path) -> None:
    folder = tmp_path / "redis"
    folder.mkdir()
    with Redis(folder) as server:
        assert isinstance(server, Redis)
        ours = FailoverCache(server.url, {})
        redis = ours._cache.get_client()
        redis.execute_command("CONFIG", "SET", "save", "3600 1")
        shutil.rmtree(folder)
        redis.execute_command("BGSAVE")
        while redis.info("persistence")["rdb_bgsave_in_progress"]:
            pass
        assert ours.add("attempts", 1)
        assert ours.incr("attempts") == 2
        with pytest.raises(ResponseError, match="MISCONF"):
            redis.set("attempts", 1)


def test_other_errors_of_redis_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: RedisCache, *args: Any, **kwargs: Any) -> None:
        raise ResponseError("WRONGTYPE Operation against a key holding the wrong kind of value")

    monkeypatch.setattr(RedisCache, "set", refuse)
    with pytest.raises(ResponseError):
        FailoverCache(NOWHERE, {}).set("a", 1)


@pytest.mark.slow
@pytest.mark.skipif(not has_redis(), reason="needs redis-server")
def test_a_paused_redis_delays_one_request(tmp_path: Path, caplog: Any) -> None:
    with Redis(tmp_path) as server:
        ours = FailoverCache(server.url, {"OPTIONS": {"socket_timeout": 0.1}})
        ours.set("a", 1)
        server.pause()
        try:
            assert [ours.get("a") for _ in range(3)] == [None, None, None]
        finally:
            server.resume()
    assert caplog.text.count("Redis cannot be used") == 1


@pytest.mark.django_db
def test_pages_and_limits_work_without_redis(without_redis: None) -> None:
    client = Client()
    client.force_login(member("anna"))
    for path in ("/play/", "/shop/", "/tournaments/", "/credits/"):
        assert client.get(path).status_code == 200
    visitor = Client()
    wrong = {"login": "anna", "password": "not the password"}
    answers = [visitor.post("/account/login/", wrong).status_code for _ in range(12)]
    assert answers[0] == 422
    assert answers[-1] == 429
