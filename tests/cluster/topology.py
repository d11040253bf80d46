"""The production site on loopback: two web processes and two workers on PostgreSQL and Redis.

Clients connect to one proxy, which passes each on to the web process with the fewest connections.
The processes reach PostgreSQL and Redis through proxies too, so that a test can slow or cut these
connections.
"""

from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from tests.cluster.proxy import Address, Proxy
from tests.load.racing import Database
from tests.support.own_process import ROOT
from tests.support.site_process import SiteProcess, WorkerProcess

WEBS = WORKERS = 2
# Given to all processes, so that they share it although each release has a folder of its own.
DICE_SEAL_KEY = "only-for-this-cluster" * 4


def address_of(url: str) -> Address:
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


class Cluster:
    """A site in a folder; `server` is the URL of a PostgreSQL where it may create a database."""

    def __init__(self, folder: Path, server: str, redis: str, **variables: str) -> None:
        self._open = ExitStack()
        self._folder, self._variables = folder, variables
        self.database = Database(server)
        self.postgres = Proxy(lambda: [address_of(server)])
        self.redis = Proxy(lambda: [address_of(redis)])
        self.balancer = Proxy(lambda: [address_of(web.base) for web in self.serving])
        self._redis_url = redis
        self.webs: list[SiteProcess] = []
        # These take the place of `webs` at the next deploy.
        self.spare_webs: list[SiteProcess] = []
        self.workers: list[WorkerProcess] = []

    @property
    def base(self) -> str:
        """Return the one address of all web processes."""
        return f"http://127.0.0.1:{self.balancer.port}"

    @property
    def serving(self) -> list[SiteProcess]:
        return [web for web in (*self.webs, *self.spare_webs) if web.is_alive and web.base]

    def manage(self, *arguments: str):  # type: ignore[no-untyped-def]
        return self.webs[0].manage(*arguments)

    def start_web(self, number: int) -> None:
        self.webs[number].start("--no-worker")

    def replace_webs(self) -> None:
        """Start the new web processes, then end the old ones one after the other, as a deploy does.

        So the players of each old process are spread over all new ones.
        """
        for web in self.spare_webs:
            web.start("--no-worker")
        for web in self.webs:
            web.end()
        self.webs, self.spare_webs = self.spare_webs, self.webs

    def upgrade(self, release: Path) -> None:
        """Upgrade to the release in a folder (config/README.md): migrate, then replace all."""
        for process in (*self.webs, *self.spare_webs, *self.workers):
            process.working_folder = release
        self.manage("migrate", "--noinput", "--verbosity=0")
        self.replace_webs()
        for worker in self.workers:
            worker.end()
            worker.start()

    def __enter__(self) -> "Cluster":
        with ExitStack() as stack:
            database = stack.enter_context(self.database)
            for proxy in (self.postgres, self.redis, self.balancer):
                stack.enter_context(proxy)
            variables = {
                "DATABASE_URL": self.postgres.url(database.url),
                "REDIS_URL": self.redis.url(self._redis_url),
                "DICE_SEAL_KEY": DICE_SEAL_KEY,
                "NUMBA_CACHE_DIR": str(ROOT / "var" / "numba"),
                **self._variables,
            }
            for number in range(2 * WEBS):
                web = SiteProcess(self._own_folder(f"web{number}"), **variables)
                stack.callback(web.end)
                (self.webs if number < WEBS else self.spare_webs).append(web)
            for number in range(WEBS):
                self.start_web(number)
            for number in range(WORKERS):
                errors = self._own_folder(f"worker{number}") / "errors.txt"
                worker = WorkerProcess(self.webs[0].environment, errors)
                self.workers.append(stack.enter_context(worker))
            self._open = stack.pop_all()
        return self

    def _own_folder(self, name: str) -> Path:
        folder = self._folder / name
        folder.mkdir()
        return folder

    def __exit__(self, *error: object) -> None:
        self._open.close()
