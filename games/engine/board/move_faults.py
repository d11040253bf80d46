"""The rules against one checker moving by one die."""

from dataclasses import dataclass

from games.engine.board.position import Position
from games.engine.board.six_block import forbidden_points
from games.engine.board.variants import BAR, HOME_END, OFF, TRAITS
from games.engine.errors import Reason
from games.engine.rules import Rules, Variant
from games.engine.sides import Side


@dataclass(frozen=True, slots=True)
class Refusal:
    """The rule that forbids a move; `points` are those at fault, in the mover's own numbering."""

    reason: Reason
    points: tuple[int, ...] = ()


def source_fault(position: Position, side: Side, rules: Rules, source: int) -> Refusal | None:
    own, enemy = position.of(side), position.of(side.other)
    if own[source] == 0:
        opposite = TRAITS[rules.variant].opposite[source]
        is_enemy = source != BAR and enemy[opposite] > 0
        return Refusal(Reason.NOT_YOUR_CHECKER if is_enemy else Reason.POINT_EMPTY, (source,))
    if own[BAR] and source != BAR:
        return Refusal(Reason.BAR_FIRST, (BAR,))
    return None


def is_closed(position: Position, side: Side, rules: Rules, target: int) -> bool:
    traits = TRAITS[rules.variant]
    return position.of(side.other)[traits.opposite[target]] > int(traits.has_hits)


def move_fault(position: Position, side: Side, rules: Rules, source: int, die: int) -> Refusal:
    """Return the rule against a move of one checker by one die, which is known to be illegal."""
    own = position.of(side)
    target = source - die
    if target > OFF and is_closed(position, side, rules, target):
        return Refusal(Reason.POINT_CLOSED, (target,))
    if target <= OFF and not position.is_home(side):
        outside = tuple(point for point in range(BAR, HOME_END, -1) if own[point])
        return Refusal(Reason.NOT_HOME, outside)
    if target < OFF:
        higher = tuple(point for point in range(HOME_END, source, -1) if own[point])
        if higher:
            return Refusal(Reason.HIGHER_CHECKER, higher)
    if rules.variant is Variant.SHORT:
        return Refusal(Reason.HIT_AND_RUN, (source, target))
    blocked = forbidden_points(_moved(position, side, source, max(target, OFF)), side)
    return Refusal(Reason.BLOCK, blocked) if blocked else Refusal(Reason.HEAD_TAKEN, (source,))


def _moved(position: Position, side: Side, source: int, target: int) -> Position:
    counts = list(position.of(side))
    counts[source] -= 1
    counts[target] += 1
    own = tuple(counts)
    return Position(own, position.black) if side is Side.WHITE else Position(position.white, own)
