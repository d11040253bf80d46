"""Run the site in separate processes on a test's database: `manage.py serve`, and a worker."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from tests.support.migrated import migrated_file
from tests.support.own_process import START_TIMEOUT_S, OwnProcess
from tests.support.secrets_in_logs import secrets_in, secrets_of


class SiteProcess(OwnProcess):
    """`manage.py serve`, which can be killed and restarted on the same database.

    The folder holds `errors.txt`, the standard error of the process, and the database, unless
    `variables` name a DATABASE_URL. Leaving the context without an exception checks that
    `errors.txt` holds no secret and that the ledger balances.
    """

    def __init__(self, folder: Path, **variables: str) -> None:
        super().__init__(folder / "errors.txt")
        self.environment = {
            **{name: value for name, value in os.environ.items() if "PYTEST" not in name},
            "SECRET_KEY": "only-for-this-test" * 4,
            "DEMO": "1",
            "MINIMUM_AGE": "0",  # members of tests have not confirmed their age
            "ASK_TO_ACCEPT_TERMS": "0",  # nor accepted any terms
            "DEBUG": "1",  # serves static files without collectstatic
            "BOT_PACE_MS": "0",
            "REDIS_URL": "",
            "MEDIA_ROOT": str(folder / "media"),
            "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
            **variables,
        }
        self.base = ""
        if "DATABASE_URL" not in variables:
            migrated_file(folder / "site.sqlite3")
        else:
            self.manage("migrate", "--verbosity=0")

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a manage.py command to its end; only the exit status of `migrate` is checked here."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=self.working_folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=START_TIMEOUT_S,
            check=arguments[0] == "migrate",
        )

    def start(self, *arguments: str) -> "SiteProcess":
        command = [sys.executable, "manage.py", "serve", "--port", "0", *arguments]
        self._launch(command, self.environment)
        self.base = "http://" + self._wait_for("http://").split("http://")[1].split("/")[0]
        return self

    def __enter__(self) -> "SiteProcess":
        return self if self.base else self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()
        if kind is None:
            known = secrets_of(self.environment)
            assert secrets_in(self.errors.read_text(), known) == []
            books = self.manage("reconcile", "--skip-checks")
            assert books.returncode == 0, books.stderr


class WorkerProcess(OwnProcess):
    """`manage.py worker` in the environment of a site."""

    def __init__(self, environment: Mapping[str, str], errors: Path) -> None:
        super().__init__(errors)
        self._environment = environment

    def start(self) -> "WorkerProcess":
        command = [sys.executable, "-u", "manage.py", "worker"]
        self._launch(command, self._environment)
        self._wait_for("keeps deadlines")
        return self

    def __enter__(self) -> "WorkerProcess":
        return self.start()

    def __exit__(self, *error: object) -> None:
        self.end()
