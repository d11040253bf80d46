"""The child process of the bots: one JSON line in, one JSON line out, until the end of input.

In: `{"id", "state": a snapshot, "side": "white"|"black", "level": "beginner"|"casual"|"strong"}`.
Out: `{"id", "command": {"t": "roll"|"play"|"double"|"take"|"drop"|"beaver"|"resign"|"accept"|
"refuse", ...}}` with the fields of the socket's command, `"command": null` when it is not that
side's move, or `{"id", "error": code}` for a line that cannot be read.

What has `"ask"` is for the coach and for reviews: study.py says what comes back.
"""

import json
from typing import Any, TextIO

from games.ai import cube, resigning
from games.ai.levels import LEVELS, Level, choose_play
from games.ai.outlook import efficiency, outlook
from games.engine.errors import EngineError
from games.engine.moves import play_to_text
from games.engine.predicates import may_beaver, may_double, on_turn
from games.engine.sides import Side
from games.engine.snapshot import loads
from games.engine.state import MatchState, Phase

Command = dict[str, Any]


def main(lines: TextIO, out: TextIO) -> None:
    """Answers line by line; nothing that a line holds can end the process."""
    for line in lines:
        if line.strip():
            out.write(json.dumps(answer(line)) + "\n")
            out.flush()


def answer(line: str) -> dict[str, Any]:
    """The answer to one line of input."""
    asked: Any = None
    try:
        asked = json.loads(line)
        if "ask" in asked:
            return {"id": asked.get("id"), **_study(asked)}
        state, side, level = loads(asked["state"]), Side(asked["side"]), LEVELS[asked["level"]]
        return {"id": asked.get("id"), "command": decide(state, side, level)}
    except EngineError as error:
        code = str(getattr(error, "code", "illegal"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        code = "unreadable"
    return {"id": asked.get("id") if isinstance(asked, dict) else None, "error": code}


def _study(asked: dict[str, Any]) -> dict[str, Any]:
    """The answer to `hint` and `judge`; numba comes in with the first."""
    from games.ai import study

    return study.answer(asked)


def decide(state: MatchState, side: Side, level: Level) -> Command | None:
    """What the level does as `side`; None when it has nothing to do."""
    if on_turn(state) is not side:
        return None
    if state.offer is not None:
        return {"t": "accept" if resigning.should_accept(_model(state, side)) else "refuse"}
    if state.phase is Phase.TO_PLAY:
        return {"t": "play", "d": play_to_text(choose_play(state, side, level))}
    if state.phase is Phase.TO_ROLL:
        return _before_roll(state, side, level)
    options = cube.options(_model(state, state.turn or side))
    if state.phase is Phase.BEAVERED:
        return {"t": "take" if cube.should_take_beaver(options) else "drop"}
    if may_beaver(state, side) and cube.should_beaver(options):
        return {"t": "beaver"}
    return {"t": "take" if cube.should_take(options, level.nerve) else "drop"}


def _before_roll(state: MatchState, side: Side, level: Level) -> Command:
    factor = resigning.certain_loss(state, side)
    if factor is not None:
        return {"t": "resign", "factor": factor}
    if may_double(state, side):
        options = cube.options(_model(state, side))
        if cube.should_double(options, level.nerve):
            return {"t": "double"}
    return {"t": "roll"}


def _model(state: MatchState, side: Side) -> cube.CubeModel:
    return cube.CubeModel(state, side, outlook(state, side), efficiency(state))
