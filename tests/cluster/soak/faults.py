"""Break one part of a cluster at a time during a soak, and repair it again."""

import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.cluster.release import make_release
from tests.cluster.servers import Postgres, Redis
from tests.cluster.topology import Cluster
from tests.support.own_process import children_of

SLOW_S = 0.02  # added to each chunk from and to PostgreSQL
DATABASE_PAUSE_S = 3.0
LONG_S = 10.0  # for which PostgreSQL is slow, or a worker stopped
Fault = Callable[[], None]


class Faults:
    """The faults of a cluster by name.

    Each starts again what it has stopped. The site itself must replace lost connections, the data
    of Redis and killed child processes.
    """

    def __init__(self, cluster: Cluster, postgres: Postgres, redis: Redis, releases: Path) -> None:
        self._cluster, self._postgres, self._redis = cluster, postgres, redis
        self._releases, self._release_count = releases, 0
        self.all: dict[str, Fault] = {
            "a web process is killed": self.kill_web,
            "a worker is killed": self.kill_worker,
            "all child processes of the workers are killed": self.kill_children,
            "a worker is stopped for a moment": self.pause_worker,
            "Redis is killed": redis.restart_after_kill,
            "Redis is flushed": redis.flush,
            "Redis loses its connections": cluster.redis.cut,
            "PostgreSQL is restarted": postgres.restart,
            "PostgreSQL is paused": self.pause_database,
            "PostgreSQL is slow": self.slow_database,
            "PostgreSQL loses its connections": cluster.postgres.cut,
            "all players lose their connections": cluster.balancer.cut,
            "all web processes are replaced": cluster.replace_webs,
            "a release with a migration comes": self.upgrade,
        }

    def upgrade(self) -> None:
        self._release_count += 1
        folder = self._releases / str(self._release_count)
        self._cluster.upgrade(make_release(folder, self._release_count))

    def kill_web(self) -> None:
        number = random.randrange(len(self._cluster.webs))
        self._cluster.webs[number].kill()
        self._cluster.start_web(number)

    def kill_worker(self) -> None:
        worker = random.choice(self._cluster.workers)
        worker.kill()
        worker.start()

    def kill_children(self) -> None:
        for worker in self._cluster.workers:
            for pid in children_of(worker.pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def pause_worker(self) -> None:
        worker = random.choice(self._cluster.workers)
        worker.pause()
        time.sleep(LONG_S)
        worker.resume()

    def pause_database(self) -> None:
        self._cluster.postgres.pause()
        time.sleep(DATABASE_PAUSE_S)
        self._cluster.postgres.resume()

    def slow_database(self) -> None:
        self._cluster.postgres.delay_s = SLOW_S
        time.sleep(LONG_S)
        self._cluster.postgres.delay_s = 0
