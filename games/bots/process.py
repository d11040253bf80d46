"""The child process `python -m games.ai think`, used from an event loop.

The child is started with exec, never forked: a forked child would keep the server's port. Its
environment holds none of the site's secrets. It ends by itself when our end of its pipe closes.
"""

import asyncio
import contextlib
import json
import logging
import os
import subprocess
import sys
from typing import Any
from uuid import uuid4

from django.conf import settings

logger = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "games.ai", "think")
TIMEOUT_S = 5.0
# Seconds added to the timeout of a child's first answer: it comes after all code is loaded, which
# takes one second, or several on a busy machine.
START_S = 30.0
_INHERITED = (
    "PATH", "LANG", "LC_ALL", "SYSTEMROOT", "VIRTUAL_ENV", "TMPDIR", "NUMBA_CACHE_DIR",
)  # fmt: skip


class NoAnswer(Exception):
    """The child died, gave no valid answer in time, or declined to answer (`Declined`)."""


class Declined(NoAnswer):
    """The child works but has no answer. It is not replaced, and the question is not repeated."""


class StillCompiling(Declined):
    """The code for this question is not compiled yet: ask again later."""


class Uncompiled(Declined):
    """The code for this question could not be compiled."""


class RefusedQuestion(Declined):
    """The child cannot read the question, or fails at it."""


_DECLINED = {"compiling": StillCompiling, "uncompiled": Uncompiled}


class ChildInThreads:
    """A child whose pipes are used in threads, for an event loop that cannot start processes.

    The loop of `manage.py serve` on Windows is such a loop, because the web server there needs one
    that uses `select`.
    """

    def __init__(self, command: tuple[str, ...], environment: dict[str, str]) -> None:
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=settings.BASE_DIR,
            env=environment,
        )
        self.pid = self._child.pid

    @property
    def returncode(self) -> int | None:
        return self._child.poll()

    async def exchange(self, line: bytes) -> bytes:
        return await asyncio.to_thread(self._exchange, line)

    def kill(self) -> None:
        self._child.kill()

    async def communicate(self) -> None:
        """Wait for the end of the child, and close its pipes."""
        await asyncio.to_thread(self._close)

    def _exchange(self, line: bytes) -> bytes:
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(line)
        self._child.stdin.flush()
        return self._child.stdout.readline()

    def _close(self) -> None:
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            with contextlib.suppress(OSError):  # the last question was not read
                if pipe is not None:
                    pipe.close()


class AiProcess:
    """One child, asked one question at a time; started on demand, replaced when it fails."""

    def __init__(self, command: tuple[str, ...] = COMMAND, timeout_s: float = TIMEOUT_S) -> None:
        self.command = command
        self.timeout_s = timeout_s
        self.start_s = START_S
        self._process: asyncio.subprocess.Process | ChildInThreads | None = None
        self._has_answered = False
        self._one_at_a_time = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The child's process id while it runs."""
        process = self._process
        return process.pid if process is not None and process.returncode is None else None

    async def ask(self, question: dict[str, Any], wanted: str = "command") -> dict[str, Any] | None:
        """Return the `wanted` field of the answer: command, hint or judgment; it may be None.

        A child that fails is replaced, and its successor is asked once. Raises `NoAnswer` if both
        fail; `Declined`, without asking again, if the child declines.
        """
        async with self._one_at_a_time:
            try:
                return await self._ask_or_end(question, wanted)
            except Declined:
                raise
            except NoAnswer as error:
                logger.warning("the bots' process failed (%s): starting another", error)
            return await self._ask_or_end(question, wanted)

    async def start(self) -> None:
        """Start the child now, so that the first question does not wait for it."""
        async with self._one_at_a_time:
            await self._running_child()

    async def stop(self) -> None:
        async with self._one_at_a_time:
            await self._end()

    async def _ask_or_end(self, question: dict[str, Any], wanted: str) -> dict[str, Any] | None:
        try:
            return await self._ask_once(question, wanted)
        except Declined:
            raise
        except NoAnswer:
            await self._end()
            raise

    async def _ask_once(self, question: dict[str, Any], wanted: str) -> dict[str, Any] | None:
        question = {**question, "id": str(uuid4())}
        try:
            async with asyncio.timeout(
                self.timeout_s + (0 if self._has_answered else self.start_s)
            ):
                line = await self._exchange(json.dumps(question).encode() + b"\n")
            answer = json.loads(line)
        except TimeoutError as error:
            raise NoAnswer("no answer in time") from error
        except (OSError, ValueError) as error:
            raise NoAnswer(str(error)) from error
        if not isinstance(answer, dict) or answer.get("id") != question["id"]:
            raise NoAnswer("not the answer to the question")
        # A child that interprets its code restarts once there is compiled code; its next answer
        # then takes as long as a first one.
        self._has_answered = not answer.get("interpreted")
        if wanted not in answer:
            if "error" not in answer:
                raise NoAnswer("neither an answer nor an error")
            code = str(answer["error"])
            raise _DECLINED.get(code, RefusedQuestion)(f"refused: {code}")
        found: dict[str, Any] | None = answer[wanted]
        return found

    async def _exchange(self, line: bytes) -> bytes:
        process = await self._running_child()
        if isinstance(process, ChildInThreads):
            answer = await process.exchange(line)
        else:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(line)
            await process.stdin.drain()
            answer = await process.stdout.readline()
        if not answer.endswith(b"\n"):
            raise NoAnswer("it ended")
        return answer

    async def _running_child(self) -> asyncio.subprocess.Process | ChildInThreads:
        process = self._process
        if process is None or process.returncode is not None:
            self._has_answered = False
            process = self._process = await self._new_child()
        return process

    async def _new_child(self) -> asyncio.subprocess.Process | ChildInThreads:
        environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        try:
            return await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                cwd=settings.BASE_DIR,
                env=environment,
            )
        except NotImplementedError:
            return ChildInThreads(self.command, environment)

    async def _end(self) -> None:
        """Kill the child and wait for its end; it holds no state."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()
