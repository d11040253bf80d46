"""The child process of bots, coach and reviews: one JSON line in, one out, until end of input.

In: `{"id", "state": a snapshot, "side": "white"|"black", "level": a name of `levels.LEVELS`}`, and
`"salt"`, any text that differs between matches, so that a weak level does not repeat its plays, and
`"offered"`, the highest factor at which the side has offered to lose this game (default: 0).
Out: `{"id", "command": {"t": "roll"|"play"|"double"|"take"|"drop"|"beaver"|"resign"|"accept"|
"refuse", ..., "hard"}}` with the fields of the socket's command, and how hard the decision was (0
to 1); `"command": null` if that side has nothing to decide. Lines with `"ask"` are questions of
coach and reviews (questions.py). The answer is `{"id", "error": code}` for a line that cannot be
read (`unreadable`, or the engine's own code) or that makes our code fail (`failed`).

Until the code is compiled, interpreted code decides for bots (`interpreted`; not on Windows) while
another process compiles. When that has finished, this process restarts between two lines; its
first answer then takes longer. Until then coach and reviews get the error `compiling`, or
`uncompiled` once compiling has failed. `RETRY_S` seconds after a failure this process ends, so that
its successor tries again. Answers of interpreted code are marked `"interpreted": true`.
"""

import json
import os
import sys
import time
import traceback
from collections.abc import Iterator
from select import select
from subprocess import Popen
from typing import Any, TextIO

from games.ai.process import compiled_code, interpreted
from games.engine.errors import EngineError
from games.engine.match.snapshot import loads
from games.engine.sides import Side

LOOK_S = 1.0  # interval at which an interpreted process checks for compiled code
RETRY_S = 600.0  # delay before compiling is tried again after a failure, say a full disk

Message = dict[str, Any]  # a question or an answer


def main(lines: TextIO, out: TextIO) -> None:
    """Answer line by line; whatever a line contains, it cannot end the process."""
    # On Windows, where `select` reads no pipes, this process compiles before its first answer.
    if compiled_code.is_done() or os.name == "nt":
        answer_all(lines, out)
        return
    interpreted.prepare()
    with compiled_code.started_beside() as compiler:
        answer_all(_until_done(lines, compiler), out, compiler)
        is_compiled = compiler.poll() == 0
    if is_compiled:
        os.execv(sys.executable, [sys.executable, "-m", "games.ai", "think"])


def answer_all(
    lines: TextIO | Iterator[str], out: TextIO, compiler: Popen[bytes] | None = None
) -> None:
    """Answer all lines; if there is a compiler, running or failed, this code is interpreted."""
    from games.ai.process.warm_up import play_once

    play_once(plies=0 if compiler else 2)  # so that the first question does not wait
    for line in lines:
        if line.strip():
            out.write(json.dumps(answer(line, compiler)) + "\n")
            out.flush()


def answer(line: str, compiler: Popen[bytes] | None = None) -> Message:
    """Return the answer to one line of input; no line raises an error."""
    asked: Any = None
    mark = {"interpreted": True} if compiler else {}
    try:
        asked = json.loads(line)
        found = _answer_question(asked, compiler) if "ask" in asked else _decide(asked, compiler)
        return {"id": asked.get("id"), **found, **mark}
    except EngineError as error:
        code = str(getattr(error, "code", "illegal"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        code = "unreadable"
    except Exception:  # one bad position must not end the process for all others
        traceback.print_exc()
        code = "failed"
    return {"id": asked.get("id") if isinstance(asked, dict) else None, "error": code, **mark}


def _answer_question(asked: Message, compiler: Popen[bytes] | None) -> Message:
    if compiler:
        return {"error": "uncompiled" if compiler.poll() else "compiling"}
    from games.ai.process import questions

    return questions.answer(asked)


def _decide(asked: Message, compiler: Popen[bytes] | None) -> Message:
    from games.ai.bots.decisions import decide
    from games.ai.bots.levels import LEVELS
    from games.ai.net.search import MAX_PLIES

    state, side, level = loads(asked["state"]), Side(asked["side"]), LEVELS[asked["level"]]
    # Compiled code searches to the level's depths: `plies` for plays, `cube_plies` for the cube.
    most_plies = 0 if compiler else MAX_PLIES
    salt, offered = str(asked.get("salt", "")), int(asked.get("offered", 0))
    found = decide(state, side, level, most_plies, salt, offered)
    return {"command": found and {**found.command, "hard": found.hard}}


def _until_done(lines: TextIO, compiler: Popen[bytes]) -> Iterator[str]:
    """Yield lines until the code is compiled, or until `RETRY_S` seconds after a failure.

    Read nothing ahead, so that the next process gets the remaining lines.
    """
    raw = lines.buffer.raw  # type: ignore[attr-defined]
    failed_at: float | None = None
    while compiler.poll() != 0:
        if compiler.returncode is not None:
            failed_at = failed_at or time.monotonic()
            if time.monotonic() - failed_at >= RETRY_S:
                return
        if select([raw], [], [], LOOK_S)[0]:
            line = raw.readline()
            if not line:
                return
            yield line.decode(errors="replace")
