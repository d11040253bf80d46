"""The site as a process of its own, on a free port, with a test's database file."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

from tests.support.migrated import migrated_file

ROOT = Path(__file__).parents[2]
START_TIMEOUT_S = 180


class SiteProcess:
    """`manage.py serve` in a folder; it can be killed and restarted on the same database."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.environment = {
            **{name: value for name, value in os.environ.items() if "PYTEST" not in name},
            "SECRET_KEY": "only-for-this-test" * 4,
            "DEMO": "1",
            "MINIMUM_AGE": "0",  # members of tests have confirmed no age
            "ASK_TO_ACCEPT_TERMS": "0",  # nor accepted any terms
            "DEBUG": "1",  # static files are served uncollected
            "BOT_PACE_MS": "0",
            "REDIS_URL": "",
            "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
            **variables,
        }
        self.errors = folder / "errors.txt"
        self.base = ""
        self._process: subprocess.Popen[str] | None = None
        if "DATABASE_URL" not in variables:
            migrated_file(folder / "site.sqlite3")
        else:
            self.manage("migrate", "--verbosity=0")

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a manage.py command to its end; the caller checks the exit code."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=START_TIMEOUT_S,
            check=arguments[0] == "migrate",
        )

    def start(self, *arguments: str) -> "SiteProcess":
        with self.errors.open("a") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--port", "0", *arguments],
                cwd=ROOT,
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self.base = self._address()
        return self

    def _address(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline:
            if select.select([self._process.stdout], [], [], 0.2)[0]:
                line = self._process.stdout.readline()
                if "http://" in line:
                    return "http://" + line.split("http://")[1].split("/")[0]
            assert self._process.poll() is None, self.errors.read_text()
        raise AssertionError("the server did not come up")

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Kill the process with SIGKILL, without any cleanup."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()

    def __enter__(self) -> "SiteProcess":
        return self if self.base else self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                self.kill()
        if kind is None:
            books = self.manage("reconcile", "--skip-checks")
            assert books.returncode == 0, books.stderr
