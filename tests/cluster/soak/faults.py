"""Break one part of a cluster at a time during a soak, and repair it again."""

import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.cluster.proxy import SLOW_S
from tests.cluster.release import make_release
from tests.cluster.servers import Postgres, Redis
from tests.cluster.topology import Cluster
from tests.support.own_process import children_of

DATABASE_PAUSE_S = 3.0
LONG_S = 10.0  # time for which PostgreSQL is slow, or a worker stopped


class Faults:
    """The faults of a cluster.

    Each method starts the processes again that it has stopped. The site itself must replace lost
    connections, the data of Redis and killed child processes.
    """

    def __init__(self, cluster: Cluster, postgres: Postgres, redis: Redis, releases: Path) -> None:
        self.cluster, self.postgres, self.redis = cluster, postgres, redis
        self._releases, self._release_count = releases, 0

    def upgrade(self) -> None:
        self._release_count += 1
        folder = self._releases / str(self._release_count)
        self.cluster.upgrade(make_release(folder, self._release_count))

    def kill_web(self) -> None:
        number = random.randrange(len(self.cluster.webs))
        self.cluster.webs[number].kill()
        self.cluster.start_web(number)

    def kill_worker(self) -> None:
        worker = random.choice(self.cluster.workers)
        worker.kill()
        worker.start()

    def kill_children(self) -> None:
        for worker in self.cluster.workers:
            for pid in children_of(worker.pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def pause_worker(self) -> None:
        worker = random.choice(self.cluster.workers)
        worker.pause()
        time.sleep(LONG_S)
        worker.resume()

    def pause_database(self) -> None:
        self.cluster.postgres.pause()
        time.sleep(DATABASE_PAUSE_S)
        self.cluster.postgres.resume()

    def slow_database(self) -> None:
        self.cluster.postgres.delay_s = SLOW_S
        time.sleep(LONG_S)
        self.cluster.postgres.delay_s = 0


FAULTS: dict[str, Callable[[Faults], object]] = {
    "a web process is killed": Faults.kill_web,
    "a worker is killed": Faults.kill_worker,
    "all child processes of the workers are killed": Faults.kill_children,
    "a worker is stopped for a moment": Faults.pause_worker,
    "Redis is killed": lambda faults: faults.redis.restart_after_kill(),
    "Redis is flushed": lambda faults: faults.redis.flush(),
    "Redis loses its connections": lambda faults: faults.cluster.redis.cut(),
    "PostgreSQL is restarted": lambda faults: faults.postgres.restart(),
    "PostgreSQL is paused": Faults.pause_database,
    "PostgreSQL is slow": Faults.slow_database,
    "PostgreSQL loses its connections": lambda faults: faults.cluster.postgres.cut(),
    "all players lose their connections": lambda faults: faults.cluster.balancer.cut(),
    "all web processes are replaced": lambda faults: faults.cluster.replace_webs(),
    "a release with a migration comes": Faults.upgrade,
}
