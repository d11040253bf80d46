"""Why not? One reason and its culprits for a move that a player may not make.

What cannot be made by itself is explained by the rule of single moves; what could be made but is
part of no legal play, by the rule about the whole turn.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from games.engine.blocks import forbidden_points
from games.engine.errors import InvalidAction, Reason
from games.engine.graph import Roll, TurnGraph, turn_graph
from games.engine.head import head_limits
from games.engine.moves import Step
from games.engine.position import Counts, Position
from games.engine.rules import BlockRule, HitRule, Rules, Variant
from games.engine.sides import Side
from games.engine.variants import BAR, HEAD, HOME_END, OFF, opposite

# Of several dice that fail for different rules, the rule that tells the player most.
_TELLING = (
    Reason.NOT_YOUR_CHECKER,
    Reason.POINT_EMPTY,
    Reason.BAR_FIRST,
    Reason.HEAD_TAKEN,
    Reason.BLOCK,
    Reason.HIT_AND_RUN,
    Reason.MUST_USE_LARGER,
    Reason.MUST_USE_BOTH,
    Reason.MORE_DICE_POSSIBLE,
    Reason.POINT_CLOSED,
    Reason.HIGHER_CHECKER,
    Reason.NOT_HOME,
    Reason.WRONG_DIE,
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The rule in the way; `points` = culprits in the mover's own numbering, 25 = bar."""

    reason: Reason
    points: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Moment:
    """A turn in the middle: what stands where, which dice are left, what was done so far."""

    roll: Roll
    position: Position
    left: tuple[int, ...]
    hitters: tuple[int, ...] = ()

    @property
    def own(self) -> Counts:
        return self.position.of(self.roll.side)

    @property
    def enemy(self) -> Counts:
        return self.position.of(self.roll.side.other)

    def enemies_on(self, point: int) -> int:
        return self.enemy[opposite(self.roll.rules.variant, point)]


def why_not(
    position: Position,
    side: Side,
    dice: tuple[int, int],
    rules: Rules,
    first_turn: bool,
    played: Sequence[tuple[int, int]],
    source: int,
    target: int | None,
) -> Refusal | None:
    """Why the checker on `source` may not go to `target` (None: anywhere) after `played`.

    `played` are (source, target) pairs of single moves made so far. None when the move is legal.
    Raises `InvalidAction("played")` when those are not the beginning of a legal play.
    """
    graph = turn_graph(position, side, dice, rules, first_turn)
    node, moment = _advance(graph, played)
    legal = [move for move, _after in graph.edges[node] if move.source == source]
    if any(target in (None, move.target) for move in legal):
        return None
    if target is not None and _goes_on_to(graph, node, source, target):
        return None
    return _refusal(graph, moment, source, target)


def refusal_of_play(graph: TurnGraph, steps: Sequence[Step]) -> Refusal:
    """Why the written steps are not one whole legal play of the graph."""
    node, moment = 0, _moment(graph)
    for step in steps:
        found = next(
            (
                (move, after)
                for move, after in graph.edges[node]
                if (move.source, move.target) == (step.source, step.target)
            ),
            None,
        )
        if found is None:
            return _refusal(graph, moment, step.source, step.target)
        node, moment = found[1], _after(moment, *step[:2], found[0].die)
    return Refusal(Reason.INCOMPLETE_PLAY)


def _advance(graph: TurnGraph, played: Sequence[tuple[int, int]]) -> tuple[int, _Moment]:
    node, moment = 0, _moment(graph)
    for source, target in played:
        for move, after in graph.edges[node]:
            if (move.source, move.target) == (source, target):
                node, moment = after, _after(moment, source, target, move.die)
                break
        else:
            raise InvalidAction("played", f"{source}/{target} does not begin a legal play")
    return node, moment


def _moment(graph: TurnGraph) -> _Moment:
    first, second = graph.roll.dice
    dice = (first,) * 4 if first == second else (max(first, second), min(first, second))
    return _Moment(graph.roll, graph.roll.position, dice)


def _after(moment: _Moment, source: int, target: int, die: int) -> _Moment:
    """The moment after a single move of which the rules of single moves allow."""
    own, enemy = list(moment.own), list(moment.enemy)
    hitters = list(moment.hitters)
    is_hitter = source in hitters and own[source] == hitters.count(source)
    own[source] -= 1
    own[target] += 1
    is_hit = target != OFF and moment.enemies_on(target) == 1
    if is_hit:
        enemy[opposite(moment.roll.rules.variant, target)] -= 1
        enemy[BAR] += 1
    if is_hitter:
        hitters.remove(source)
    if target != OFF and (is_hit or is_hitter):
        hitters.append(target)
    left = list(moment.left)
    left.remove(die)
    sides = (tuple(own), tuple(enemy))
    white, black = sides if moment.roll.side is Side.WHITE else sides[::-1]
    return replace(
        moment, position=Position(white, black), left=tuple(left), hitters=tuple(hitters)
    )


def _goes_on_to(graph: TurnGraph, node: int, source: int, target: int) -> bool:
    """Whether one checker gets there by several dice."""
    return any(
        move.target == target
        or (move.target > target and _goes_on_to(graph, after, move.target, target))
        for move, after in graph.edges[node]
        if move.source == source
    )


def _refusal(graph: TurnGraph, moment: _Moment, source: int, target: int | None) -> Refusal:
    standing = _refusal_of_source(moment, source)
    if standing is not None:
        return standing
    if not moment.left:
        return Refusal(Reason.WRONG_DIE)
    dice = _dice_towards(moment, source, target)
    if not dice:
        return Refusal(Reason.WRONG_DIE)
    return _most_telling(_refusal_of_move(graph, moment, source, die) for die in dice)


def _refusal_of_source(moment: _Moment, source: int) -> Refusal | None:
    if not 1 <= source <= BAR or not moment.own[source]:
        is_enemys = 1 <= source < BAR and moment.enemies_on(source)
        reason = Reason.NOT_YOUR_CHECKER if is_enemys else Reason.POINT_EMPTY
        return Refusal(reason, (source,))
    if source != BAR and moment.own[BAR]:
        return Refusal(Reason.BAR_FIRST, (BAR,))
    return None


def _dice_towards(moment: _Moment, source: int, target: int | None) -> list[int]:
    """The dice left that could take the checker there, or on the way there."""
    dice = list(dict.fromkeys(moment.left))
    if target is None:
        return dice
    exact = [die for die in dice if source - die == target]
    if exact:
        return exact
    if target == OFF:
        return [die for die in dice if die > source] or dice
    reach = {sum(moment.left[:count]) for count in range(2, len(moment.left) + 1)}
    return dice if source - target in reach else []


def _refusal_of_move(graph: TurnGraph, moment: _Moment, source: int, die: int) -> Refusal:
    """The rule against one checker and one die; what is possible by itself breaks a turn rule."""
    target = source - die
    if target <= 0:
        refusal = _refusal_to_bear_off(moment, source, die)
    else:
        refusal = _refusal_of_landing(moment, source, target)
    return refusal or _refusal_of_turn(graph, moment, source, max(target, OFF), die)


def _refusal_to_bear_off(moment: _Moment, source: int, die: int) -> Refusal | None:
    away = tuple([point for point in range(BAR, HOME_END, -1) if moment.own[point]])
    if away:
        return Refusal(Reason.NOT_HOME, away)
    higher = tuple([point for point in range(HOME_END, source, -1) if moment.own[point]])
    return Refusal(Reason.HIGHER_CHECKER, higher) if die > source and higher else None


def _refusal_of_landing(moment: _Moment, source: int, target: int) -> Refusal | None:
    rules = moment.roll.rules
    closing = 2 if rules.variant is Variant.SHORT else 1
    if moment.enemies_on(target) >= closing:
        return Refusal(Reason.POINT_CLOSED, (target,))
    if rules.variant is Variant.LONG and source == HEAD and _head_is_used_up(moment):
        return Refusal(Reason.HEAD_TAKEN, (HEAD,))
    return None


def _head_is_used_up(moment: _Moment) -> bool:
    roll = moment.roll
    taken = roll.position.of(roll.side)[HEAD] - moment.own[HEAD]
    return taken >= max(head_limits(roll.rules, roll.dice, roll.first_turn)) or (
        taken >= 1 and not _two_may_leave(roll)
    )


def _two_may_leave(roll: Roll) -> bool:
    graph = turn_graph(roll.position, roll.side, roll.dice, roll.rules, roll.first_turn)
    head = roll.position.of(roll.side)[HEAD]
    return any(position.of(roll.side)[HEAD] <= head - 2 for position in graph.nodes)


def _refusal_of_turn(
    graph: TurnGraph, moment: _Moment, source: int, target: int, die: int
) -> Refusal:
    """The move is possible by itself, so a rule about blocks, hits or the whole turn forbids it."""
    rules = moment.roll.rules
    after = _after(moment, source, target, die)
    if rules.variant is Variant.LONG:
        block = forbidden_points(after.position, moment.roll.side)
        if block and (rules.block is BlockRule.EVERY_MOVE or not graph.edges[0] or not after.left):
            return Refusal(Reason.BLOCK, block)
    hitter = source in moment.hitters
    if rules.hit is HitRule.NO_HIT_AND_RUN and hitter and target and moment.own[target]:
        return Refusal(Reason.HIT_AND_RUN, (source, target))
    first, second = moment.roll.dice
    if first == second:
        return Refusal(Reason.MORE_DICE_POSSIBLE)
    if graph.max_dice == 1 and die == min(first, second):
        return Refusal(Reason.MUST_USE_LARGER)
    return Refusal(Reason.MUST_USE_BOTH)


def _most_telling(refusals: Iterable[Refusal]) -> Refusal:
    return min(refusals, key=lambda refusal: _TELLING.index(refusal.reason))
