"""Why not? One reason and its culprits for any move that a player may not make."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.blocks import forbidden_points
from games.engine.errors import InvalidAction, Reason
from games.engine.graph import Roll, TurnGraph, Web, build_web
from games.engine.moves import Step
from games.engine.position import Position
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.engine.turn import Dice
from games.engine.variants import BAR, HOME_END, OFF, TRAITS

# A state of the search and the dice left there.
_Node = tuple[Any, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The rule in the way; `points` are the culprits in the mover's own numbering."""

    reason: Reason
    points: tuple[int, ...] = ()


# Of several reasons (one per die) the player is told the one nearest to a legal move.
_NEAREST_FIRST = (
    Reason.MUST_USE_LARGER,
    Reason.MUST_USE_BOTH,
    Reason.MORE_DICE_POSSIBLE,
    Reason.HIT_AND_RUN,
    Reason.BLOCK,
    Reason.HEAD_TAKEN,
    Reason.HIGHER_CHECKER,
    Reason.POINT_CLOSED,
    Reason.NOT_HOME,
)


def why_not(
    position: Position,
    side: Side,
    dice: Dice,
    rules: Rules,
    first_turn: bool,
    played: Sequence[tuple[int, int]],
    source: int,
    target: int | None,
) -> Refusal | None:
    """Why the checker on `source` may not move (to `target`, when one is given).

    `played` are the moves already made in this turn; when they are themselves not the start
    of a legal play, the answer is about the first bad one. A target may be several dice away.
    None = nothing is in the way. Raises `InvalidAction("place")` for places off the board.
    """
    if not (1 <= source <= BAR and (target is None or OFF <= target < BAR)):
        raise InvalidAction("place", "no such place")
    web = build_web(Roll(position, side, dice, rules, first_turn))
    nodes: list[_Node] = [(web.turn.start, web.turn.dice)]
    for start, end in played:
        following = _after(web, nodes, Step(start, end, False))
        if not following:
            return _explain(web, rules, side, nodes, start, end)
        nodes = following
    return _explain(web, rules, side, nodes, source, target)


def refusal_of_play(graph: TurnGraph, steps: Sequence[Step]) -> Refusal:
    """Why the steps, in this order, are not a complete legal play of the graph's roll."""
    roll = graph.roll
    if graph.is_pass:
        return Refusal(Reason.NO_LEGAL_MOVE)
    web = build_web(roll)
    nodes: list[_Node] = [(web.turn.start, web.turn.dice)]
    for step in steps:
        following = _after(web, nodes, step)
        if not following:
            refusal = _explain(web, roll.rules, roll.side, nodes, step.source, step.target)
            # Nothing in the way of the move: then it was the hit mark that is wrong.
            return refusal or Refusal(Reason.POINT_EMPTY, (step.target,))
        nodes = following
    return Refusal(Reason.INCOMPLETE_PLAY)


def _after(web: Web[Any], nodes: list[_Node], step: Step) -> list[_Node]:
    """The live nodes that the step leads to, by one die or by several of the same checker."""
    found: dict[_Node, None] = {}
    todo = [(node, step.source) for node in nodes]
    while todo:
        node, source = todo.pop()
        for move, after in web.links[node]:
            if after not in web.alive or move.source != source or move.target < step.target:
                continue
            if move.target > step.target:
                todo.append((after, move.target))
            elif move.is_hit or not step.is_hit:
                found[after] = None
    return list(found)


def _explain(
    web: Web[Any], rules: Rules, side: Side, nodes: list[_Node], source: int, target: int | None
) -> Refusal | None:
    refusals: list[Refusal] = []
    for node in nodes:
        case = _Case(web, rules, side, node)
        refusal = case.explain(source, target)
        if refusal is None:
            return None
        refusals.append(refusal)
    return nearest(refusals)


def nearest(refusals: list[Refusal]) -> Refusal:
    ranks = {reason: rank for rank, reason in enumerate(_NEAREST_FIRST)}
    return min(refusals, key=lambda refusal: ranks.get(refusal.reason, len(ranks)))


@dataclass(frozen=True, slots=True)
class _Case:
    """One moment of the turn about which the question is asked."""

    web: Web[Any]
    rules: Rules
    side: Side
    node: _Node

    def explain(self, source: int, target: int | None) -> Refusal | None:
        state, left = self.node
        position = self.web.turn.unpack(self.web.turn.board(state))
        refusal = _source_fault(position, self.side, self.rules, source)
        if refusal is not None:
            return refusal
        if target is not None and not _adds_up(left, source, target):
            return Refusal(Reason.WRONG_DIE)
        if target and _is_closed(position, self.side, self.rules, target):
            return Refusal(Reason.POINT_CLOSED, (target,))
        refusals: list[Refusal] = []
        for refusal in self._faults(source, target):
            if refusal is None:
                return None
            refusals.append(refusal)
        return nearest(refusals) if refusals else Refusal(Reason.WRONG_DIE)

    def _faults(self, source: int, target: int | None) -> Iterator[Refusal | None]:
        """What is in the way of each die in turn, None where a die is playable."""
        state, left = self.node
        for die in dict.fromkeys(left):
            stop = max(source - die, OFF)
            rest = _without(left, die)
            if target is not None and (stop < target or not _adds_up(rest, stop, target)):
                continue
            refusal = self._fault(source, die)
            if refusal is not None or target is None or stop == target:
                yield refusal
                continue
            for bit, after in self.web.turn.steps(state, die):
                if bit.bit_length() >> 3 == source:
                    yield from _Case(self.web, self.rules, self.side, (after, rest))._faults(
                        stop, target
                    )

    def _fault(self, source: int, die: int) -> Refusal | None:
        """What is in the way of one die, None when it is the start of a legal play."""
        state, left = self.node
        for bit, after in self.web.turn.steps(state, die):
            if bit.bit_length() >> 3 == source:
                node = (after, _without(left, die))
                return None if node in self.web.alive else self._play_fault(node)
        position = self.web.turn.unpack(self.web.turn.board(state))
        return _move_fault(position, self.side, self.rules, source, die)

    def _play_fault(self, node: _Node) -> Refusal:
        """Why a move that is possible by itself starts no legal play."""
        web = self.web
        ends = _ends(web, node)
        if ends and web.turn.may_end is not None:
            forbidden = [board for board in ends if not web.turn.may_end(board)]
            if len(forbidden) == len(ends):
                worst = web.turn.unpack(forbidden[-1])
                return Refusal(Reason.BLOCK, forbidden_points(worst, self.side))
        if web.turn.is_doublet:
            return Refusal(Reason.MORE_DICE_POSSIBLE)
        if web.outcome.dice_used == 1:
            return Refusal(Reason.MUST_USE_LARGER)
        return Refusal(Reason.MUST_USE_BOTH)


def _source_fault(position: Position, side: Side, rules: Rules, source: int) -> Refusal | None:
    own, enemy = position.of(side), position.of(side.other)
    if own[source] == 0:
        opposite = TRAITS[rules.variant].opposite[source]
        is_enemys = source != BAR and enemy[opposite] > 0
        return Refusal(Reason.NOT_YOUR_CHECKER if is_enemys else Reason.POINT_EMPTY, (source,))
    if own[BAR] and source != BAR:
        return Refusal(Reason.BAR_FIRST, (BAR,))
    return None


def _is_closed(position: Position, side: Side, rules: Rules, target: int) -> bool:
    traits = TRAITS[rules.variant]
    return position.of(side.other)[traits.opposite[target]] > int(traits.has_hits)


def _move_fault(position: Position, side: Side, rules: Rules, source: int, die: int) -> Refusal:
    """The rule against one checker moving by one die, for a move that is not possible."""
    own = position.of(side)
    target = source - die
    if target > OFF and _is_closed(position, side, rules, target):
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


def _ends(web: Web[Any], node: _Node) -> list[int]:
    """The boards after at least as many dice as the best plays use, shortest first."""
    level: dict[_Node, None] = {node: None}
    boards: list[int] = []
    while level:
        following: dict[_Node, None] = {}
        for state, left in level:
            if len(web.turn.dice) - len(left) >= web.outcome.dice_used:
                boards.append(web.turn.board(state))
            for die in dict.fromkeys(left):
                rest = _without(left, die)
                for _bit, after in web.turn.steps(state, die):
                    following[(after, rest)] = None
        level = following
    return boards


def _without(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]


def _adds_up(dice: tuple[int, ...], source: int, target: int) -> bool:
    """Whether some of the dice take one checker from source to target; no die = no way."""
    if source == target:
        return True
    return any(
        _adds_up(_without(dice, die), max(source - die, OFF), target)
        for die in dict.fromkeys(dice)
        if max(source - die, OFF) >= target
    )
