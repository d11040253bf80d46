"""Find by brute force all positions that a turn can lead to.

This file is written from the rules of play alone and shares no code with ``games.engine``, since
agreement of the two is evidence only if they are independent. It prefers simple code to fast code:
it lists every sequence of single moves with copied lists, drops the sequences with an illegal end,
and keeps those that use the most dice. If sequences have used the same dice and reached the same
board, only one is continued, since their continuations are equal.

The query is an input line of ``python -m games.engine legal``, the answer is its ``results``.

A side is a list of 26 counts in that side's own numbering: 0 = borne off, 1..24 = points, 25 = bar.
The mover plays from high numbers to low ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

OFF, HEAD, BAR = 0, 24, 25
DEFAULTS = {"head": "effect", "block": "every_move", "hit": "free"}
TWO_FROM_HEAD = {3, 4, 6}  # head="fixed": doublets with which two checkers may leave the head


@dataclass
class Board:
    """The board during a turn, from the mover's side."""

    own: list[int]
    enemy: list[int]
    hitters: list[int]  # the mover's point of each checker that has hit in this turn
    left_head: int  # checkers that have left the head in this turn

    def copy(self) -> Board:
        return Board(self.own[:], self.enemy[:], self.hitters[:], self.left_head)

    def key(self) -> tuple[object, ...]:
        """Return a key that is equal for equivalent boards."""
        return bytes(self.own), bytes(self.enemy), bytes(sorted(self.hitters)), self.left_head


def results(query: dict[str, Any]) -> list[str]:
    """Return the sorted distinct positions after the turn as 52 (short) or 50 (long) hex digits."""
    rules = {**DEFAULTS, **(query.get("rules") or {})}
    mover = query["turn"]
    own = read_side(query["position"], mover)
    enemy = read_side(query["position"], opponent(mover))
    start = Board(own, enemy, [], 0)
    a, b = query["dice"]
    if query["variant"] == "short":
        endings = short_turn(start, a, b, rules)
    else:
        endings = long_turn(start, a, b, rules, bool(query.get("first_turn")))
    return sorted({write_position(board, mover, query["variant"]) for board in endings})


def opponent(side: str) -> str:
    return "black" if side == "white" else "white"


def read_side(position: dict[str, Any], side: str) -> list[int]:
    bar = (position.get("bar") or {}).get(side, 0)
    return [position["off"][side], *position[side], bar]


def write_position(board: Board, mover: str, variant: str) -> str:
    white, black = (board.own, board.enemy) if mover == "white" else (board.enemy, board.own)
    counts = white[1:25] + black[1:25]
    if variant == "short":
        counts += [white[BAR], black[BAR]]
    counts += [white[OFF], black[OFF]]
    return bytes(counts).hex()[1::2]  # one digit for each count, since it is at most 15


# --- whole turns -------------------------------------------------------------------------------


def short_turn(start: Board, a: int, b: int, rules: dict[str, str]) -> list[Board]:
    def step(board: Board, die: int) -> list[Board]:
        return short_steps(board, die, rules["hit"] == "no_hit_and_run")

    return best_endings(list(all_plays(start, a, b, step)))


def long_turn(start: Board, a: int, b: int, rules: dict[str, str], first_turn: bool) -> list[Board]:
    if not first_turn:
        return best_endings(long_plays(start, a, b, rules, head_limit=1))
    if rules["head"] == "fixed":
        limit = 2 if a == b and a in TWO_FROM_HEAD else 1
        return best_endings(long_plays(start, a, b, rules, head_limit=limit))
    with_one = long_plays(start, a, b, rules, head_limit=1)
    with_two = long_plays(start, a, b, rules, head_limit=2)
    needs_two = most_dice(with_two) > most_dice(with_one)
    return best_endings(with_two if needs_two else with_one)


def long_plays(
    start: Board, a: int, b: int, rules: dict[str, str], head_limit: int
) -> list[tuple[tuple[int, ...], Board]]:
    """Return all plays that the block rule allows, including the empty one."""
    each_move = rules["block"] == "every_move"

    def step(board: Board, die: int) -> list[Board]:
        after = long_steps(board, die, head_limit)
        return [x for x in after if not has_forbidden_block(x)] if each_move else after

    plays = list(all_plays(start, a, b, step))
    if not each_move:
        plays = [(d, board) for d, board in plays if not d or not has_forbidden_block(board)]
    return plays


def all_plays(start: Board, a: int, b: int, step: Any) -> Iterator[tuple[tuple[int, ...], Board]]:
    """Yield the dice used and the board of every sequence of single moves, complete or not."""
    orders = [(a, a, a, a)] if a == b else [(a, b), (b, a)]
    for order in orders:
        boards = [start]
        for count in range(len(order) + 1):
            for board in boards:
                yield order[:count], board
            if count < len(order):
                made = [after for board in boards for after in step(board, order[count])]
                boards = list({board.key(): board for board in made}.values())


def most_dice(plays: list[tuple[tuple[int, ...], Board]]) -> int:
    return max(len(dice) for dice, _ in plays)


def best_endings(plays: list[tuple[tuple[int, ...], Board]]) -> list[Board]:
    """Return the boards of the plays with the most dice; if that is one die, with the larger."""
    most = most_dice(plays)
    plays = [(dice, board) for dice, board in plays if len(dice) == most]
    if most == 1:
        larger = max(dice[0] for dice, _ in plays)
        plays = [(dice, board) for dice, board in plays if dice[0] == larger]
    return [board for _, board in plays]


# --- single moves ------------------------------------------------------------------------------


def short_steps(board: Board, die: int, no_hit_and_run: bool) -> list[Board]:
    """Return the boards after one move by this die in short backgammon."""
    after = []
    sources = [BAR] if board.own[BAR] else range(1, 25)
    for source in sources:
        target = target_of(board.own, source, die)
        if target is None:
            continue
        if target != OFF and board.enemy[25 - target] >= 2:
            continue
        for is_hitter in movers_on(board, source):
            joins = target != OFF and board.own[target] > 0
            if no_hit_and_run and is_hitter and joins:
                continue
            after.append(short_move(board, source, target, is_hitter))
    return after


def movers_on(board: Board, source: int) -> list[bool]:
    """List False if a checker on ``source`` has not hit in this turn, and True if one has."""
    hitters = board.hitters.count(source)
    found = []
    if hitters < board.own[source]:
        found.append(False)
    if hitters:
        found.append(True)
    return found


def short_move(board: Board, source: int, target: int, is_hitter: bool) -> Board:
    after = board.copy()
    after.own[source] -= 1
    after.own[target] += 1
    if is_hitter:
        after.hitters.remove(source)
    if target != OFF:
        place = 25 - target
        hits = after.enemy[place] == 1
        if hits:
            after.enemy[place] = 0
            after.enemy[BAR] += 1
        if hits or is_hitter:
            after.hitters.append(target)
    return after


def long_steps(board: Board, die: int, head_limit: int) -> list[Board]:
    """Return the boards after one move in long nardy, including those with a forbidden block."""
    after = []
    for source in range(1, 25):
        target = target_of(board.own, source, die)
        if target is None:
            continue
        if target != OFF and board.enemy[long_enemy_point(target)]:
            continue
        if source == HEAD and board.left_head == head_limit:
            continue
        new = board.copy()
        new.own[source] -= 1
        new.own[target] += 1
        if source == HEAD:
            new.left_head += 1
        after.append(new)
    return after


def target_of(own: list[int], source: int, die: int) -> int | None:
    """Return the target of a move by ``die`` from ``source``; None if the move is not possible."""
    if not own[source]:
        return None
    target = source - die
    if target > 0:
        return target
    if any(own[7:26]):
        return None  # not all checkers are home
    if target < 0 and any(own[die:7]):
        return None  # a checker stands on the die's point or above
    if target < 0 and any(own[source + 1 : 7]):
        return None  # ``source`` is not the highest point
    return OFF


def long_enemy_point(point: int) -> int:
    return point + 12 if point <= 12 else point - 12


# The mover's points by the enemy's numbers 1 to 24; `long_enemy_point` maps both ways.
ENEMYS_WALK = [long_enemy_point(place) for place in range(1, 25)]


def has_forbidden_block(board: Board) -> bool:
    """Return whether the mover has six points in a row on the enemy's way, with no enemy ahead."""
    held = [False, *(board.own[point] > 0 for point in ENEMYS_WALK), False]
    run_start = None
    for place in range(1, 26):  # 25 is never held, so it ends the last run
        if held[place]:
            if run_start is None:
                run_start = place
        elif run_start is not None:
            # Enemy checkers that are borne off, at place 0, are ahead too.
            if place - run_start >= 6 and not any(board.enemy[:run_start]):
                return True
            run_start = None
    return False
