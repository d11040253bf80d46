"""PostgreSQL and Redis for a site of several processes."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.servers import Postgres, Redis, has_redis, postgres_folder
from tests.cluster.topology import Cluster
from tests.support.lengths import IS_LONG

# These tests take minutes, so only the long form runs them. On two cores shared with other tests, a
# slow machine would look like a fault of the site.
collect_ignore_glob = [] if IS_LONG else ["test_*.py"]


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[Redis]:
    """Start a Redis that the test may kill and flush."""
    if not has_redis():
        pytest.skip("needs redis-server")
    folder = tmp_path / "redis"
    folder.mkdir()
    with Redis(folder) as server:
        yield server


@pytest.fixture
def postgres_server(tmp_path: Path) -> Iterator[Postgres]:
    """Start a PostgreSQL that the test may restart."""
    if postgres_folder() is None:
        pytest.skip("needs PostgreSQL's programs")
    folder = tmp_path / "postgres"
    folder.mkdir()
    with Postgres(folder) as server:
        yield server


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest) -> str:
    """Return the server of TEST_POSTGRES_URL, or start one."""
    given = os.environ.get("TEST_POSTGRES_URL")
    url: str = given or request.getfixturevalue("postgres_server").url
    return url


@pytest.fixture
def cluster(tmp_path: Path, postgres_url: str, redis_server: Redis) -> Iterator[Cluster]:
    folder = tmp_path / "site"
    folder.mkdir()
    with Cluster(folder, postgres_url, redis_server.url) as cluster:
        yield cluster
