"""`python -m games.engine legal`: every position that a whole turn can lead to."""

from collections.abc import Iterable
from typing import TextIO

from games.engine.board.legal import Dice, legal_results
from games.engine.board.position import Position
from games.engine.cli.json_lines import (
    Answer,
    Query,
    answer_lines,
    read_position,
    read_rules,
    read_side,
    read_variant,
)
from games.engine.errors import InvalidAction
from games.engine.rules import Rules, Variant
from games.engine.sides import Side


def main(lines: Iterable[str], out: TextIO) -> None:
    answer_lines(lines, out, answer)


def answer(query: Query) -> Answer:
    """Return `{"results": [...]}`: sorted distinct positions in the form of `Position.to_hex`."""
    variant, position, side, dice, rules, first_turn = read_query(query)
    results = legal_results(position, side, dice, rules, first_turn)
    return {"results": sorted([result.to_hex(variant) for result in results])}


def read_query(query: Query) -> tuple[Variant, Position, Side, Dice, Rules, bool]:
    """Read the fields of a query; raise an `EngineError` for the first bad one."""
    variant = read_variant(query)
    position = read_position(query, variant)
    side = read_side(query, "turn")
    dice = _dice(query)
    rules = read_rules(query, variant, ("profile", "head", "block", "hit"))
    return variant, position, side, dice, rules, _first_turn(query)


def _dice(query: Query) -> Dice:
    dice = query.get("dice")
    if not isinstance(dice, list) or len(dice) != 2:
        raise InvalidAction("dice", "dice is a list of two numbers")
    first, second = dice
    for die in dice:
        if not isinstance(die, int) or isinstance(die, bool) or not 1 <= die <= 6:
            raise InvalidAction("dice", "a die shows 1 to 6")
    return first, second


def _first_turn(query: Query) -> bool:
    first_turn = query.get("first_turn", False)
    if not isinstance(first_turn, bool):
        raise InvalidAction("first_turn", "first_turn is true or false")
    return first_turn
