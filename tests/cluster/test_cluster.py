"""Matches go on while the parts of a site of several processes fail one after the other."""

import asyncio
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings

from config.sockets.drain import RESTARTING
from tests.cluster.players import StubbornClient, begin_training
from tests.cluster.proxy import SLOW_S
from tests.cluster.release import make_release
from tests.cluster.servers import Redis
from tests.cluster.topology import Cluster

# The test has its own database: a run of all tests on PostgreSQL would only repeat it.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

pytestmark = pytest.mark.slow
TIMEOUT_S = 600
PAUSE_S = 2.0
# Number of actions from one fault to the next.
APART = 4


def readiness(base: str) -> dict[str, bool]:
    with urllib.request.urlopen(f"{base}/readyz") as answer:
        found: dict[str, bool] = json.load(answer)
    return found


def wait_until_ready(base: str) -> None:
    """Wait for the first heartbeat of a worker, until which the site answers 503."""
    end = time.monotonic() + TIMEOUT_S
    while True:
        try:
            assert all(readiness(base).values())
        except urllib.error.HTTPError as error:
            error.close()
            assert time.monotonic() < end
            time.sleep(0.1)
        else:
            return


async def pause_database(cluster: Cluster) -> None:
    cluster.postgres.pause()
    await asyncio.sleep(PAUSE_S)
    cluster.postgres.resume()


def faults(cluster: Cluster, redis: Redis, folder: Path) -> list[Callable[[], object]]:
    """Return the calls that cause and repair each fault, in order.

    The upgrade among them installs a later release of the site in `folder`.
    """

    def slow_down() -> None:
        cluster.postgres.delay_s = SLOW_S

    def recover() -> None:
        cluster.postgres.delay_s = 0

    def upgrade() -> None:
        cluster.upgrade(make_release(folder, 1))

    return [
        cluster.webs[0].kill,
        lambda: cluster.start_web(0),
        cluster.workers[0].kill,
        lambda: cluster.workers[0].start(),
        redis.kill,
        redis.start,
        redis.flush,
        cluster.redis.cut,
        slow_down,
        recover,
        cluster.postgres.cut,
        cluster.replace_webs,
        upgrade,
        cluster.workers[1].pause,
        cluster.workers[1].resume,
    ]


async def play(cluster: Cluster, redis: Redis, folder: Path) -> list[StubbornClient]:
    async with asyncio.timeout(TIMEOUT_S):
        clients = [
            await begin_training(cluster.base, 1, variant="short", length="3", cube="off"),
            await begin_training(cluster.base, 2, variant="long", length="3"),
        ]
        playing = [asyncio.create_task(client.play()) for client in clients]
        for number, fault in enumerate(faults(cluster, redis, folder), 1):
            for client in clients:
                await client.reach(number * APART)
            await asyncio.to_thread(fault)
        await pause_database(cluster)
        await asyncio.gather(*playing)
    return clients


def test_matches_go_on_while_every_part_of_the_site_fails_once(
    cluster: Cluster, redis_server: Redis, tmp_path: Path
) -> None:
    wait_until_ready(cluster.base)
    for client in asyncio.run(play(cluster, redis_server, tmp_path / "release")):
        assert client.state["view"]["outcome"] is not None
        assert RESTARTING in client.codes
    assert all(readiness(cluster.base).values())
    for command in ("checkreplays", "reconcile"):
        report = cluster.manage(command)
        assert report.returncode == 0, report.stderr
