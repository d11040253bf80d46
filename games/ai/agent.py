"""`python -m games.ai agent`: a net plays for strangers, one JSON line in, one JSON line out.

In: `{"items": [item, ...]}`, each on its own; out: `{"after": [result, ...]}`. An item is
`[board, [d1, d2]]`, short only: 26 numbers seen by the player on roll, 1..24 own checkers and minus
the enemy's, 25 own ones on the bar, 0 the enemy's there; its result is such a board, not turned
round. Or an item is a question of `games.engine legal` and its result one of the strings that this
would answer. `{"error": text}` for a line that cannot be answered.
"""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from games.ai.net_player import NetPlayer
from games.engine.cli_legal import read_question
from games.engine.errors import EngineError
from games.engine.rules import Rules, Variant

LEVELS = {"strong": 0, "expert": 1, "master": 2}  # plies


def main(arguments: list[str], lines: Iterable[str], out: TextIO) -> None:
    parser = argparse.ArgumentParser(prog="games.ai agent")
    parser.add_argument("--variant", choices=[v.value for v in Variant], required=True)
    parser.add_argument("--level", choices=list(LEVELS), default="strong")
    parser.add_argument("--net", type=Path, help="the file of another net")
    asked = parser.parse_args(arguments)
    player = NetPlayer(Variant(asked.variant), asked.net, LEVELS[asked.level])
    for line in lines:
        if line.strip():
            out.write(json.dumps(answer(line, Variant(asked.variant), player)) + "\n")
            out.flush()


def answer(line: str, variant: Variant, player: NetPlayer) -> dict[str, Any]:
    """The answer to one line."""
    try:
        items = json.loads(line)["items"]
        return {"after": [_after(item, variant, player) for item in items]}
    except EngineError as error:
        return {"error": str(error)}
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return {"error": "unreadable"}


def _after(item: Any, variant: Variant, player: NetPlayer) -> Any:
    if isinstance(item, dict):
        asked_variant, position, side, dice, rules, first_turn = read_question(item)
        if asked_variant is not variant:
            raise ValueError(asked_variant)
        after = player.choose_position(position, side, dice, rules, first_turn)
        return after.to_hex(variant)
    if variant is not Variant.SHORT:
        raise ValueError(variant)
    numbers, (d1, d2) = item
    board = np.array(numbers, np.int8)
    if board.shape != (26,) or not {d1, d2} <= set(range(1, 7)):
        raise ValueError(numbers)
    return player.choose(board, (d1, d2), Rules.of(variant), False).tolist()
