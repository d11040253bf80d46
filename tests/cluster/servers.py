"""Throwaway PostgreSQL and Redis on loopback, which a test may kill."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg
import redis

from tests.support.own_process import START_TIMEOUT_S, OwnProcess

USER = "gammon"


def postgres_folder() -> Path | None:
    """Return the folder of the programs of the newest PostgreSQL, if one is installed."""
    found = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    versions = sorted(found, key=lambda path: int(path.parts[-3]))
    return versions[-1].parent if versions else None


def has_redis() -> bool:
    return shutil.which("redis-server") is not None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server(OwnProcess):
    """A server on a port that stays the same when it is started again."""

    end_signal = signal.SIGTERM

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "errors.txt")
        self.folder = folder
        self.port = free_port()

    def start(self) -> None:
        raise NotImplementedError

    def answers(self) -> bool:
        raise NotImplementedError

    def restart(self) -> None:
        self.end(self.end_signal)
        self.start()

    def _wait(self) -> None:
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self.answers():
            assert self.is_alive, self.errors.read_text()
            assert time.monotonic() < deadline
            time.sleep(0.1)

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.end(self.end_signal)


class Redis(Server):
    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        at = ["--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self.folder)]
        keeps_nothing = ["--save", "", "--appendonly", "no", "--logfile", "redis.log"]
        self._launch(["redis-server", *at, *keeps_nothing], os.environ)
        self._wait()

    def answers(self) -> bool:
        with redis.Redis(port=self.port) as client:
            try:
                return bool(client.ping())
            except redis.ConnectionError:
                return False

    def restart_after_kill(self) -> None:
        self.kill()
        self.start()

    def flush(self) -> None:
        with redis.Redis(port=self.port) as client:
            client.flushall()


class Postgres(Server):
    """A PostgreSQL with its own data folder; SIGINT ends it and its connections at once."""

    end_signal = signal.SIGINT

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        programs = postgres_folder()
        assert programs is not None
        self._programs = programs
        # PostgreSQL refuses to run as root, and its user may not enter the folder of a test.
        self._as: dict[str, str] = {"user": "postgres"} if os.geteuid() == 0 else {}
        self._data = Path(tempfile.mkdtemp(prefix="cluster-"))
        if self._as:
            shutil.chown(self._data, "postgres")
        trusting = ["-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
        subprocess.run(
            [programs / "initdb", "-D", self._data, *trusting],
            cwd="/", check=True, stdout=subprocess.DEVNULL, **self._as,
        )  # fmt: skip

    @property
    def url(self) -> str:
        return f"postgres://{USER}@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        chosen = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "max_connections": 200,
        }
        options = [part for name, value in chosen.items() for part in ("-c", f"{name}={value}")]
        command = [str(self._programs / "postgres"), "-D", str(self._data), *options]
        self._launch(command, os.environ, cwd="/", **self._as)
        self._wait()

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        shutil.rmtree(self._data, ignore_errors=True)
