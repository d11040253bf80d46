"""Run workers of the site, kill one of them at intervals, and start a new one in its place.

    python -m tests.load.farm --workers 2 --kill-every 1

It ends when its standard input does. Django is loaded once and the workers are forked, so that a
new one is ready at once. The workers drive no bots. With `--empty FILE` one more process wakes up
at the times in the file (JSON, seconds since the epoch), does nothing, and finally prints its
delays in seconds as a line of JSON.
"""

import argparse
import asyncio
import json
import os
import select
import signal
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class NoBots:
    """Replaces `BotDriver`."""

    async def start(self) -> None: ...

    async def drive(self, now: datetime) -> None: ...

    async def stop(self) -> None: ...


def fork(work) -> int:  # type: ignore[no-untyped-def]
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(0)
    return pid


def keep_deadlines() -> None:
    from config.background import worker

    worker.BotDriver = NoBots  # type: ignore[assignment,misc]
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
    options = parser.parse_args()
    import django

    django.setup()
    empty_loop_pid = 0
    if options.empty:
        moments = json.loads(options.empty.read_text())
        empty_loop_pid = fork(lambda: run_empty_loop(moments))
    workers = [fork(keep_deadlines) for _ in range(options.workers)]
    killed = 0
    try:
        while not select.select([sys.stdin], [], [], options.kill_every or None)[0]:
            if options.kill_every:
                oldest = workers.pop(0)
                os.kill(oldest, signal.SIGKILL)
                os.waitpid(oldest, 0)
                killed += 1
                workers.append(fork(keep_deadlines))
    finally:
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        if empty_loop_pid:
            os.waitpid(empty_loop_pid, 0)
    sys.stderr.write(f"{killed} workers were killed\n")


if __name__ == "__main__":
    main()
