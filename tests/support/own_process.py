"""A process that a test starts, kills, pauses and starts again."""

import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
START_TIMEOUT_S = 180
STOP_TIMEOUT_S = 60


def children_of(pid: int) -> list[int]:
    """Return the ids of the child processes on Linux, and an empty list on other systems."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


class OwnProcess:
    """One program; what it writes to standard error is appended to the file `errors`.

    `working_folder` is the folder in which the program is launched; a change counts from the next
    launch on.
    """

    def __init__(self, errors: Path) -> None:
        self.errors = errors
        self.working_folder = ROOT
        self._process: subprocess.Popen[str] | None = None

    def _launch(self, command: Sequence[str], environment: Mapping[str, str], **more: Any) -> None:
        with self.errors.open("a") as errors:
            self._process = subprocess.Popen(
                command,
                cwd=more.pop("cwd", self.working_folder),
                env=environment,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                **more,
            )

    def _wait_for(self, wanted: str) -> str:
        """Return the first line of the output that contains `wanted`."""
        process = self._running()
        assert process.stdout is not None
        deadline = time.monotonic() + START_TIMEOUT_S
        # `select.select` fails on descriptors above 1023, and a test may have thousands of sockets.
        with selectors.DefaultSelector() as output:
            output.register(process.stdout, selectors.EVENT_READ)
            while time.monotonic() < deadline:
                if output.select(timeout=0.2):
                    line = process.stdout.readline()
                    if wanted in line:
                        return line
                assert process.poll() is None, self.errors.read_text()
        raise AssertionError(f"no {wanted!r} from the process")

    def _running(self) -> subprocess.Popen[str]:
        assert self._process is not None
        return self._process

    @property
    def pid(self) -> int:
        return self._running().pid

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def send_signal(self, number: int) -> None:
        self._running().send_signal(number)

    def kill(self) -> None:
        """Kill the process with SIGKILL, without any cleanup."""
        self.send_signal(signal.SIGKILL)
        self._running().communicate()

    def pause(self) -> None:
        self.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.send_signal(signal.SIGCONT)

    def wait(self, timeout_s: float) -> int:
        """Wait for the process to end by itself; return its exit status."""
        process = self._running()
        process.communicate(timeout=timeout_s)
        return process.returncode

    def end(self, number: int = signal.SIGTERM) -> None:
        """Ask the process to end, if it runs; kill it if it has not ended after STOP_TIMEOUT_S."""
        if not self.is_alive:
            return
        self.send_signal(number)
        self.resume()  # a paused process would not act on the signal
        try:
            self._running().communicate(timeout=STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()
