"""The search of one turn: the rules of a variant joined into a `Turn`."""

from operator import itemgetter
from typing import Any, TypeAlias

from games.engine.board.bitboard import held, long_unpacker, pack_own, pack_short, short_unpacker
from games.engine.board.head_rule import head_limits
from games.engine.board.hit_and_run import NO_HITTERS, without_hit_and_run
from games.engine.board.position import Position
from games.engine.board.search import SearchResult, Turn, search
from games.engine.board.single_moves import long_moves, short_moves
from games.engine.board.six_block import block_zone, is_forbidden
from games.engine.errors import InvalidAction
from games.engine.rules import BlockRule, HitRule, Rules, Variant
from games.engine.sides import Side

Dice = tuple[int, int]
AnyTurn: TypeAlias = Turn[Any]
AnyResult: TypeAlias = SearchResult[Any]


def search_legal_ends(
    position: Position, side: Side, dice: Dice, rules: Rules, first_turn: bool
) -> tuple[AnyTurn, AnyResult]:
    """Return the turn and its search result; raise `InvalidAction("dice")` for impossible dice."""
    order = _dice_order(dice)
    if rules.variant is Variant.SHORT:
        turn = _short_turn(position, side, order, rules)
        return turn, search(turn)
    limits = head_limits(rules, dice, first_turn)
    best: tuple[AnyTurn, AnyResult] | None = None
    for limit in limits:
        turn = _long_turn(position, side, order, rules, limit)
        result = search(turn)
        if best is None or result.dice_used > best[1].dice_used:
            best = turn, result
        if result.dice_used == len(order):
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
    moves = short_moves(enemy)
    unpack = short_unpacker(side)
    if rules.hit is HitRule.FREE:
        return Turn(start, order, moves, _itself, unpack)
    return Turn((start, NO_HITTERS), order, without_hit_and_run(moves), itemgetter(0), unpack)


def _long_turn(
    position: Position, side: Side, order: tuple[int, ...], rules: Rules, head_limit: int
) -> AnyTurn:
    own, enemy = position.of(side), position.of(side.other)
    judges_moves = rules.block is BlockRule.EVERY_MOVE
    moves = long_moves(own, enemy, head_limit, judges_moves)
    zone = 0 if judges_moves else block_zone(enemy)
    may_end = (lambda board: not is_forbidden(held(board), zone)) if zone else None
    return Turn(pack_own(own), order, moves, _itself, long_unpacker(side, enemy), may_end)


def _itself(board: int) -> int:
    return board
