"""Run commands of the site as processes in tests: start, wait for a line, end."""

import os
import queue
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]


class Process:
    """Run a child process and read its output all the time, so that its pipe never fills."""

    def __init__(self, command, env=None):
        self.output = []
        self._lines = queue.Queue()
        self._child = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self):
        return self._child.pid

    def _read(self):
        for line in self._child.stdout:
            self.output.append(line)
            self._lines.put(line)
        self._lines.put(None)

    def wait_for_line(self, text):
        """Return the next line that contains the text."""
        end = time.monotonic() + PATIENCE_S
        while True:
            line = self._lines.get(timeout=max(0.1, end - time.monotonic()))
            assert line is not None, "".join(self.output)
            if text in line:
                return line

    def end(self, number=15):
        """Send a signal; return the exit status (negative: ended by that signal)."""
        self._child.send_signal(number)
        return self.wait()

    def wait(self):
        status = self._child.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        self._child.stdout.close()
        return status

    def kill_if_alive(self):
        if self._child.poll() is None:
            self.end(9)


def own_port():
    """Return a free port below those that the system assigns, so that no other process gets it."""
    for step in range(10_000):
        port = 20_000 + (os.getpid() + step) % 10_000
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


def manage(*arguments, env):
    """Run a manage.py command to its end."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def get(url):
    """Return (status, body) after following redirects."""
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
