"""From a position and a roll to a `Turn` that can be searched: where the rules are joined."""

from operator import itemgetter
from typing import Any, TypeAlias

from games.engine.blocks import block_zone, is_forbidden
from games.engine.errors import InvalidAction
from games.engine.head import head_limits
from games.engine.hitters import NO_HITTERS, hit_and_run_steps
from games.engine.packed import held, long_unpacker, pack_own, pack_short, short_unpacker
from games.engine.position import Position
from games.engine.rules import BlockRule, HitRule, Rules, Variant
from games.engine.search import Outcome, Turn, search
from games.engine.sides import Side
from games.engine.steps import long_steps, short_steps

Dice = tuple[int, int]
AnyTurn: TypeAlias = Turn[Any]
AnyOutcome: TypeAlias = Outcome[Any]


def searched_turn(
    position: Position, side: Side, dice: Dice, rules: Rules, first_turn: bool
) -> tuple[AnyTurn, AnyOutcome]:
    """The turn and where its legal plays end. Raises `InvalidAction("dice")`."""
    order = _dice_order(dice)
    if rules.variant is Variant.SHORT:
        turn = _short_turn(position, side, order, rules)
        return turn, search(turn)
    limits = head_limits(rules, dice, first_turn)
    best: tuple[AnyTurn, AnyOutcome] | None = None
    for limit in limits:
        turn = _long_turn(position, side, order, rules, limit)
        outcome = search(turn)
        if best is None or outcome.dice_used > best[1].dice_used:
            best = turn, outcome
        if outcome.dice_used == len(order):
            break
    assert best is not None
    return best


def _dice_order(dice: Dice) -> tuple[int, ...]:
    first, second = dice
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise InvalidAction("dice", "a die shows 1 to 6")
    return (first,) * 4 if first == second else (max(dice), min(dice))


def _short_turn(position: Position, side: Side, order: tuple[int, ...], rules: Rules) -> AnyTurn:
    own, enemy = position.of(side), position.of(side.other)
    start = pack_short(own, enemy)
    steps = short_steps(enemy)
    unpack = short_unpacker(side)
    if rules.hit is HitRule.FREE:
        return Turn(start, order, steps, _itself, unpack)
    return Turn((start, NO_HITTERS), order, hit_and_run_steps(steps), itemgetter(0), unpack)


def _long_turn(
    position: Position, side: Side, order: tuple[int, ...], rules: Rules, head_limit: int
) -> AnyTurn:
    own, enemy = position.of(side), position.of(side.other)
    judges_moves = rules.block is BlockRule.EVERY_MOVE
    steps = long_steps(own, enemy, head_limit, judges_moves)
    zone = 0 if judges_moves else block_zone(enemy)
    may_end = (lambda board: not is_forbidden(held(board), zone)) if zone else None
    return Turn(pack_own(own), order, steps, _itself, long_unpacker(side, enemy), may_end)


def _itself(board: int) -> int:
    return board
