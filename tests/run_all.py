"""Run every check and test of the site, with a summary at the end.

`python3 run.py test` sets up the environment and calls this script. `--quick` leaves out tests that
need a database, a browser, the compiled opponents or many seconds, and the check for known faults
of packages; `--long` runs long tests in their long form (tests/support/lengths.py). Any other
arguments are passed to pytest, and nothing runs but the tests that they select. With CI=true in the
environment, a check that cannot run on this machine counts as failed.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
# Exit statuses of pytest.
SOME_FAILED = 1  # but all tests ran
NOTHING_COLLECTED = 5
MAX_PROCESSES = 8
STOP_TIMEOUT_S = 20
DURATIONS = "--durations=60"
# The only folder of browser tests; other runs need not collect it.
BROWSER = "tests/journeys"
NO_BROWSER = f"--ignore={BROWSER}"
# Greatest number of failed browser tests that are tried again. On a busy machine one test of
# hundreds fails now and then. The summary names it: look for its race condition, which may be in
# the site.
MOST_TRIED_AGAIN = 3
# Left out by --quick: they take most of the time of the tests that need no database.
SLOW_FOLDERS = ("tests/games/ai", "tests/games/oracle")

IN_CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")
# Settings of the site on this machine, which must not reach the tests.
SITE_VARIABLES = ("DATABASE_URL", "REDIS_URL", "DEBUG", "DEMO", "BOT_PACE_MS", "SECRET_KEY")


def call(command: list[str], env: dict[str, str]) -> int:
    """Run a check and return its exit status; on a signal to stop, let the check clean up first."""
    child = subprocess.Popen(command, cwd=ROOT, env=env)
    try:
        return child.wait()
    except (KeyboardInterrupt, SystemExit):
        end(child)
        raise


def end(child: subprocess.Popen[bytes]) -> None:
    # SIGINT is the only signal on which pytest tears down its fixtures, and so ends the servers
    # that they started. On Windows it cannot be sent to a single process; there the console sends
    # Ctrl-C to the child.
    if os.name != "nt":
        child.send_signal(signal.SIGINT)
    try:
        child.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        child.kill()


def own_environment(more: dict[str, str] | None = None) -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in SITE_VARIABLES} | (more or {})


def cpu_s() -> float:
    """Return the CPU seconds of all ended children; 0 on Windows, which does not count them."""
    times = os.times()
    return times.children_user + times.children_system


class Report:
    """Runs the checks; keeps the result, seconds and CPU seconds of each."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.failed = False

    def run(
        self,
        name: str,
        command: list[str],
        env: dict[str, str] | None = None,
        failed_tests: Callable[[], list[str]] = list,
    ) -> int:
        """Run a check. If at most MOST_TRIED_AGAIN `failed_tests` failed, run these again."""
        print(f"\n=== {name}", flush=True)
        began, used = time.monotonic(), cpu_s()
        code, ok = call(command, own_environment(env)), "ok"
        failed = failed_tests() if code == SOME_FAILED else []
        if 0 < len(failed) <= MOST_TRIED_AGAIN:
            print(f"\n=== {name}: failed ones again", flush=True)
            code = call(pytest_command(*failed), own_environment(env))
            ok = "ok at the second try: " + ", ".join(failed)
        self._note(name, began, used, code, ok)
        return code

    @contextmanager
    def beside(self, name: str, command: list[str]) -> Iterator[None]:
        """Run a check in parallel with those of the `with` block; print its output after theirs."""
        began = time.monotonic()
        with tempfile.TemporaryFile() as output:
            child = subprocess.Popen(
                command, cwd=ROOT, env=own_environment(), stdout=output, stderr=subprocess.STDOUT
            )
            try:
                yield
                # `cpu_s` counts a child only after the wait for it, so the difference is the
                # child's time.
                used = cpu_s()
                code = child.wait()
            except BaseException:
                end(child)
                raise
            output.seek(0)
            print(f"\n=== {name}\n{output.read().decode(errors='replace')}", flush=True)
        self._note(name, began, used, code)

    def _note(self, name: str, began: float, used: float, code: int, ok: str = "ok") -> None:
        seconds = f"{time.monotonic() - began:.0f} s, CPU {cpu_s() - used:.0f} s"
        self._add(name, ok if code == 0 else "FAILED", seconds, code)

    def skip(self, name: str, why: str) -> None:
        print(f"\n=== {name}: not run: {why}", flush=True)
        self._add(name, "FAILED (not run)" if IN_CI else "not run", why, int(IN_CI))

    def _add(self, name: str, how: str, detail: str, code: int) -> None:
        self.failed = self.failed or code != 0
        self.lines.append(f"  {name:<28} {how} ({detail})")

    def close(self) -> int:
        print("\n=== Summary\n" + "\n".join(self.lines))
        print("Something failed." if self.failed else "All well.", flush=True)
        return int(self.failed)


def static_checks(report: Report) -> None:
    report.run("lint (ruff)", [f"{BIN}/ruff", "check", "."])
    report.run("imports (import-linter)", [f"{BIN}/lint-imports"])
    report.run("types (mypy)", [f"{BIN}/mypy", "."])
    report.run("templates (djlint)", [f"{BIN}/djlint", "templates", "locale", "--lint", "--quiet"])
    demo = {"DEMO": "1", "SECRET_KEY": "only-for-checks"}
    missing = [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"]
    report.run("migrations complete", missing, demo)


def script_tests(report: Report) -> None:
    node = shutil.which("node")
    tests = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("tests/js/**/*.test.*js"))
    if not node:
        report.skip("scripts (node --test)", "Node.js is not installed")
    elif tests:
        report.run("scripts (node --test)", [node, "--test", *tests])


def pytest_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pytest", *arguments]


def parallel(more: int = 0) -> list[str]:
    """Return pytest's options for one process per core and `more` further processes.

    Further processes help where tests wait for PostgreSQL's processes, Chromium or clocks. At most
    MAX_PROCESSES cores count; on a single core no tests run in parallel.
    """
    cores = min(os.cpu_count() or 1, MAX_PROCESSES)
    return ["-n", str(cores + more), "--dist", "worksteal"] if cores > 1 else []


def database_servers() -> dict[str, str]:
    """Return the URLs of PostgreSQL and Redis for tests; empty unless both are set."""
    postgres, redis = os.environ.get("TEST_POSTGRES_URL"), os.environ.get("TEST_REDIS_URL")
    return {"DATABASE_URL": postgres, "REDIS_URL": redis} if postgres and redis else {}


def unit_tests(report: Report, *, quick: bool = False) -> None:
    # Tests that start their own PostgreSQL run once, among the tests on PostgreSQL.
    which = ["-m", "not browser and not postgres", NO_BROWSER]
    if database_servers():
        which[1] += " and (not database or portable or both)"
    if quick:
        which[1] += " and not database and not slow"
        which += [f"--ignore={folder}" for folder in SLOW_FOLDERS]
    report.run("unit tests", pytest_command(*which, DURATIONS, *parallel()))


def database_tests(report: Report) -> None:
    """Run the tests whose outcome may depend on the database, on PostgreSQL and Redis."""
    name = "on PostgreSQL and Redis"
    servers = database_servers()
    if not servers:
        report.skip(name, "set TEST_POSTGRES_URL and TEST_REDIS_URL to try it")
        return
    pure = ["tests/games/engine", "tests/games/oracle", "tests/games/ai", "tests/bench"]
    left_out = [NO_BROWSER, *(f"--ignore={folder}" for folder in pure)]
    which = "not browser and (database and not portable or postgres)"
    report.run(name, pytest_command("-m", which, DURATIONS, *left_out, *parallel(more=1)), servers)


def browser_tests(report: Report) -> None:
    # In a separate run: Playwright and asyncio tests cannot share a process.
    with tempfile.TemporaryDirectory() as cache:  # the usual one keeps failures of other runs
        options = ["-m", "browser", BROWSER, DURATIONS, "-o", f"cache_dir={cache}"]
        command = pytest_command(*options, *parallel(more=1))
        report.run("browser tests", command, failed_tests=lambda: last_failed(cache))


def last_failed(cache: str) -> list[str]:
    """Return the ids of the tests that failed in the run that wrote pytest's cache."""
    kept = Path(cache, "v/cache/lastfailed")
    return sorted(json.loads(kept.read_text())) if kept.exists() else []


def chosen_tests(arguments: list[str]) -> int:
    """Run the tests that the arguments choose, browser tests in a separate run."""
    report = Report()
    codes = [
        report.run(name, pytest_command("-m", marker, *arguments))
        for name, marker in (("unit tests", "not browser"), ("browser tests", "browser"))
    ]
    bad = [code for code in codes if code not in (0, NOTHING_COLLECTED)]
    return bad[0] if bad else min(codes)


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # A background job of a shell ignores SIGINT, and pytest, which end() ends by SIGINT, would too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if "--long" in arguments:
        arguments = [argument for argument in arguments if argument != "--long"]
        os.environ["LONG"] = "1"  # own_environment passes it to every check
    quick = arguments == ["--quick"]
    if arguments and not quick:
        return chosen_tests(arguments)
    report = Report()
    if quick:
        static_checks(report)
        script_tests(report)
        unit_tests(report, quick=True)
        return report.close()
    with report.beside("opponents compiled", [sys.executable, "-m", "games.ai", "compile"]):
        # The opponents are compiled once for all tests, while static checks use the other cores.
        static_checks(report)
        script_tests(report)
        report.run("known faults of packages", [sys.executable, "tests/dependency_audit.py"])
        report.run("migrations", [sys.executable, "-m", "tests.support.migrated"])
    unit_tests(report)
    database_tests(report)
    browser_tests(report)
    return report.close()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
