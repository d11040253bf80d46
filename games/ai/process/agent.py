"""`python -m games.ai agent`: a level plays for other programs, one JSON line in, one out.

In: `{"items": [item, ...]}`, independent of each other. Out: `{"after": [result, ...]}`, or
`{"error": text}` for a line that cannot be answered. An item is one of two:

- `[board, [d1, d2]]`, in short backgammon. The board has 26 numbers, seen by the player on roll:
  1..24 own checkers or minus the enemy's, 25 own checkers on the bar, 0 the enemy's (a count, not
  negative). The result is the board after the play, seen by the same player.
- A question of `games.engine legal`; or `[question, dice]` or `[position, dice]`, where White is on
  turn unless the question says otherwise. The result is one of the strings that `legal` would
  answer.
"""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from games.ai.bots.levels import LEVELS, Level, choose
from games.ai.kernel.bits import IntArray
from games.ai.net import weights_files
from games.ai.net.boards import board_at, position_of
from games.ai.net.player import NetPlayer
from games.engine.board.position import check_position
from games.engine.cli.json_lines import read_object
from games.engine.cli.legal import read_query
from games.engine.errors import EngineError
from games.engine.rules import Rules, Variant
from games.engine.sides import Side


def main(arguments: list[str], lines: Iterable[str], out: TextIO) -> None:
    parser = argparse.ArgumentParser(
        prog="games.ai agent",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--variant", choices=[each.value for each in Variant], required=True)
    parser.add_argument("--level", choices=list(LEVELS), default="strong")
    parser.add_argument("--net", type=Path, help="the file of another net")
    options = parser.parse_args(arguments)
    variant = Variant(options.variant)
    try:
        player, level = NetPlayer(variant, options.net), LEVELS[options.level]
    except weights_files.NetError as error:
        parser.error(str(error))
    for line in lines:
        if line.strip():
            out.write(json.dumps(answer(line, variant, player, level)) + "\n")
            out.flush()


def answer(line: str, variant: Variant, player: NetPlayer, level: Level) -> dict[str, Any]:
    """Return the answer to one line; no line raises an error."""
    try:
        items = read_object(line)["items"]
        return {"after": [_after(item, variant, player, level) for item in items]}
    except EngineError as error:
        return {"error": str(error)}
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return {"error": "unreadable"}


def _after(item: Any, variant: Variant, player: NetPlayer, level: Level) -> Any:
    if (question := _question_in(item, variant)) is not None:
        asked_variant, position, side, dice, rules, first_turn = read_query(question)
        if asked_variant is not variant:
            raise ValueError(asked_variant)
        board = board_at(position, side, variant)
        chosen = choose(player, level, board, dice, rules, first_turn)
        return position_of(chosen.after, side, variant).to_hex(variant)
    if variant is not Variant.SHORT:
        raise ValueError(variant)
    numbers, (d1, d2) = item
    if not all(type(die) is int and 1 <= die <= 6 for die in (d1, d2)):
        raise ValueError((d1, d2))
    return choose(player, level, _read_board(numbers), (d1, d2), Rules.of(variant)).after.tolist()


def _question_in(item: Any, variant: Variant) -> dict[str, Any] | None:
    """Return an item as a complete question of `games.engine legal`; None if it is a board."""
    if isinstance(item, dict):
        return {"variant": variant.value, **item}
    if not isinstance(item, list) or not item or not isinstance(item[0], dict):
        return None
    question, dice = item
    question = question if "position" in question else {"position": question}
    return {"variant": variant.value, "turn": Side.WHITE.value, **question, "dice": dice}


def _read_board(numbers: list[int]) -> IntArray:
    """Validate a board of short backgammon; the kernel would accept any numbers."""
    if len(numbers) != 26 or any(type(number) is not int for number in numbers):
        raise ValueError(numbers)
    board = np.array(numbers, np.int8)
    if board[25] < 0:
        raise ValueError(numbers)
    check_position(position_of(board, Side.WHITE, Variant.SHORT), Variant.SHORT)
    return board
