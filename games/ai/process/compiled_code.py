"""`python -m games.ai compile`: compile what bots and judges need, once for each machine.

A marker file beside the compiled code says that the code is complete and valid for these sources,
this processor and this version of numba. If several processes start to compile, one compiles and
the others wait.
"""

import contextlib
import hashlib
import os
import platform
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import llvmlite.binding
import numba

from games.ai.kernel import jit

_AI = Path(__file__).resolve().parent.parent
QUIETLY = "--quietly"


def is_done() -> bool:
    """Return whether everything needed is compiled."""
    try:
        return mark().exists()
    except OSError:
        return False


def main(arguments: list[str]) -> int:
    """Compile everything.

    With `--quietly`, run at the lowest priority and stop when standard input is closed.
    """
    quietly = arguments == [QUIETLY]
    if quietly:
        os.nice(19)
        threading.Thread(target=_end_with_input, daemon=True).start()
    elif arguments:
        sys.stderr.write("usage: python -m games.ai compile\n")
        return 2
    begun = time.monotonic()
    with _alone():
        if is_done():
            return 0
        if not quietly:
            sys.stdout.write("Compiling: this takes one to three minutes.\n")
            sys.stdout.flush()
        from games.ai.process.warm_up import use_everything

        use_everything()
        mark().touch()
    if not quietly:
        took = time.monotonic() - begun
        sys.stdout.write(f"Compiled in {took:.0f} s, kept in {jit.kept_folder()}.\n")
    return 0


@contextlib.contextmanager
def started_beside() -> Iterator["subprocess.Popen[bytes]"]:
    """Compile in another process, which is killed at the end of the `with` block.

    If this process dies first, the standard input of the other one is closed, and it ends too.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "games.ai", "compile", QUIETLY],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@cache
def mark() -> Path:
    """Return the path of the marker file.

    Its name is a hash of everything by which numba accepts or rejects cached code, and of the text
    of the sources, of which numba compares time and size only.
    """
    digest = hashlib.sha256()
    for part in (
        str(_AI),
        platform.python_version(),
        numba.__version__,
        llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
    ):
        digest.update(part.encode() + b"\n")
    for source in sorted([*_AI.glob("kernel/**/*.py"), _AI / "process" / "warm_up.py"]):
        text = source.read_bytes()
        if b"\n@njit" in text or b"\n@thin" in text or source.name == "warm_up.py":
            about = source.stat()
            digest.update(
                f"{source.relative_to(_AI)} {about.st_mtime_ns} {about.st_size}\n".encode() + text
            )
    return jit.kept_folder() / f"compiled-{digest.hexdigest()[:12]}"


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Hold the lock file that lets one process compile at a time; on Windows there is no lock."""
    if os.name == "nt":
        yield
        return
    import fcntl

    with (jit.kept_folder() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _end_with_input() -> None:
    # Read unbuffered: a thread that holds the buffer's lock would crash the interpreter at exit.
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os._exit(1)
