"""Run workers of the site, kill one of them at intervals, and start a new one in its place.

    python -m tests.load.farm --workers 2 --kill-every 1

The program ends when its standard input ends. Django is loaded once and the workers are forked, so
that a new one is ready at once. The workers move no bots. With `--empty FILE` one more process
wakes up at the times in the file (JSON, seconds since the epoch), does nothing, and finally prints
its delays in seconds as a line of JSON. With `--ahead FILE` the workers' clock is ahead by the
seconds in the file, which may change at any time (`Ahead`). The exit status is 1 if a worker ended
by itself or the empty loop failed.
"""

import argparse
import asyncio
import json
import mmap
import os
import select
import signal
import struct
import sys
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class Ahead:
    """The time by which a simulated clock is ahead, in a file that processes share."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(struct.pack("d", 0.0))
        with path.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), 8)

    @property
    def time(self) -> timedelta:
        return timedelta(seconds=struct.unpack("d", self._shared[:8])[0])

    def advance(self, by: timedelta) -> None:
        self._shared[:8] = struct.pack("d", (self.time + by).total_seconds())

    def now(self) -> datetime:
        return datetime.now(UTC) + self.time


class NoBots:
    """Replaces `BotDriver`."""

    async def start(self) -> None: ...

    async def drive(self, now: datetime) -> None: ...

    async def stop(self) -> None: ...


def fork(work: Callable[[], object]) -> int:
    """Call `work` in a child process, and return its id.

    After an exception the child prints the traceback and ends with status 1.
    """
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return pid


def status_of(pid: int) -> int:
    """Wait for the end of a child process; return its exit status, or minus its fatal signal."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def kill(pid: int) -> bool:
    """Kill a child process; return False if it had ended by itself."""
    os.kill(pid, signal.SIGKILL)
    return status_of(pid) == -signal.SIGKILL


def keep_deadlines(ahead: Ahead | None = None) -> None:
    from accounts.shared.database_clock import CLOCK

    if ahead is not None:  # before the worker's functions take the clock as their default
        CLOCK.now = CLOCK.read = ahead.now  # type: ignore[method-assign]
    from config.background import worker

    worker.BotDriver = NoBots  # type: ignore[assignment,misc]
    if ahead is not None:
        worker.LONGEST_NAP_S = worker.POLL_S  # a jump of the clock must be noticed soon
    asyncio.run(worker.run(asyncio.Event()))


def run_empty_loop(moments: list[float]) -> None:
    """Wait for the times as the worker does, do no work, and print the delays."""
    from config.background.worker import nap, nap_length

    async def wait() -> list[float]:
        late, stop = [], asyncio.Event()
        waiting = sorted(moments, reverse=True)
        while waiting:
            now = time.time()
            while waiting and waiting[-1] <= now:
                late.append(now - waiting.pop())
            due = datetime.fromtimestamp(waiting[-1], UTC) if waiting else None
            await nap(stop, nap_length(datetime.fromtimestamp(time.time(), UTC), due))
        return late

    sys.stdout.write(json.dumps(asyncio.run(wait())) + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kill-every", type=float, default=0)
    parser.add_argument("--empty", type=Path)
    parser.add_argument("--ahead", type=Path)
    options = parser.parse_args()
    import django

    django.setup()
    empty_loop_pid = 0
    if options.empty:
        moments = json.loads(options.empty.read_text())
        empty_loop_pid = fork(lambda: run_empty_loop(moments))
    ahead = Ahead(options.ahead) if options.ahead else None

    def keep() -> None:
        keep_deadlines(ahead)

    workers = [fork(keep) for _ in range(options.workers)]
    killed, are_sound = 0, True
    try:
        while not select.select([sys.stdin], [], [], options.kill_every or None)[0]:
            if options.kill_every:
                are_sound &= kill(workers.pop(0))
                killed += 1
                workers.append(fork(keep))
    finally:
        for pid in workers:
            are_sound &= kill(pid)
        if empty_loop_pid:
            are_sound &= status_of(empty_loop_pid) == 0
    sys.stderr.write(f"{killed} workers were killed\n")
    sys.exit(not are_sound)


if __name__ == "__main__":
    main()
