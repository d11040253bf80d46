"""A slow search in plain Python; tests compare the results of the compiled search with it.

It evaluates every position in full. It counts turns to recognize first turns and, under parity, the
side that began. The results of a roll come from the kernel, which other tests compare with the
engine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from games.ai.kernel import game
from games.ai.kernel.bits import IntArray
from games.ai.net import weights_files
from games.ai.net.player import NetPlayer
from games.ai.net.search import Filters, Stakes
from games.engine.board.position import Counts
from games.engine.rules import Rules

ROLLS = list(product(range(1, 7), repeat=2))
Turns = tuple[int, int]  # turns finished by the side on roll and by the other side
Chances = tuple[float, ...]


@dataclass(frozen=True)
class Result:
    """A result of a turn; equity and chances are those of the side that played it."""

    after: IntArray
    equity: float
    chances: Chances
    over: bool
    plies: int = 0


def flipped(chances: Chances) -> Chances:
    win, mars, koks, lose_mars, lose_koks = chances
    return 1 - win, lose_mars, lose_koks, mars, koks


class PlainSearch:
    """The search. `side` is 0 for the searching side, which owns `stakes`, and 1 for the other."""

    def __init__(self, player: NetPlayer, rules: Rules, stakes: Stakes, filters: Filters) -> None:
        self.player, self.rules, self.filters = player, rules, filters
        self.module = game.MODULES[weights_files.VARIANTS[rules.variant]]
        self.kinds = self.module.kinds_of(rules)
        self.stakes = stakes

    def worth(self, chances: Chances, side: int) -> float:
        """Return the mean value to `side` of its chances, at the stakes of side 0."""
        if side == 1:
            return -self.worth(flipped(chances), 0)
        win, mars, koks, lose_mars, lose_koks = chances
        shares = (win - mars, mars - koks, koks)
        shares += (1 - win - lose_mars, lose_mars - lose_koks, lose_koks)
        return sum(share * value for share, value in zip(shares, self.stakes, strict=True))

    def turn(self, board: IntArray, dice: tuple[int, int], turns: Turns, side: int) -> list[Result]:
        """Return all results of a roll, evaluated without lookahead."""
        out = np.empty((game.MAX_AFTERSTATES, 26), np.int8)
        flags = self.module.turn_flags(self.rules, turns[0] == 0)
        count = self.module.afterstates(board, *dice, flags, out)
        return [self.judged(after.copy(), turns, side) for after in out[:count]]

    def judged(self, after: IntArray, turns: Turns, side: int) -> Result:
        points = self.module.finished(after, self.kinds)
        if self.rules.parity and self.is_last(after):
            chances: Chances = flipped(self.last_turn(after))
            return Result(after, self.worth(chances, side), chances, True)
        if self.rules.parity and points and turns[0] == turns[1]:
            chances = self.before_last_turn(after, turns)
        elif points:
            chances = (1.0, float(points > 1), float(points > 2), 0.0, 0.0)
        else:
            chances = flipped(self.player.chances(self.flipped_board(after)))
        return Result(after, self.worth(chances, side), chances, points > 0)

    def before_last_turn(self, after: IntArray, turns: Turns) -> Chances:
        """Return the chances, before the last turn, of the side that began and has borne off."""
        board, total = self.flipped_board(after), np.zeros(5)
        out = np.empty((game.MAX_AFTERSTATES, 26), np.int8)
        flags = self.module.turn_flags(self.rules, turns[1] == 0)
        for dice in ROLLS:
            count = self.module.afterstates(board, *dice, flags, out)
            total += min((self.last_turn(each) for each in out[:count]), key=sum) / 36
        return tuple(total)

    def is_last(self, after: IntArray) -> bool:
        """Return whether the turn was the last: the other side had borne off all its checkers."""
        return self.counts(self.flipped_board(after))[0] == 15

    def counts(self, board: IntArray) -> Counts:
        """Return the counts of the side from whose view the board is."""
        mine, _theirs = self.module.counts_of(board)
        return mine

    def last_turn(self, after: IntArray) -> np.ndarray:
        """Return the chances of the side that began, after the other side's last turn."""
        if self.counts(after)[0] == 15:
            return np.array([0.5, 0, 0, 0, 0])
        points = self.module.finished(self.flipped_board(after), self.kinds)
        return np.array([1.0, points > 1, points > 2, 0, 0])

    def flipped_board(self, board: IntArray) -> IntArray:
        other = np.empty_like(board)
        self.module.flip(board, other)
        return other

    def best(self, results: list[Result], most: int, gap: float) -> list[Result]:
        ordered = sorted(results, key=lambda result: -result.equity)
        return [each for each in ordered[:most] if each.equity >= ordered[0].equity - gap]

    def deeper(self, result: Result, turns: Turns, side: int, plies: int) -> Result:
        """Return the result searched to `plies`; `turns` were finished before the result's turn."""
        if result.over:
            return replace(result, plies=plies)
        other = self.flipped_board(result.after)
        chances = flipped(self.look(other, (turns[1], turns[0] + 1), 1 - side, plies))
        worth = self.worth(chances, side)
        return replace(result, equity=worth, chances=chances, plies=plies)

    def look(self, board: IntArray, turns: Turns, side: int, plies: int) -> Chances:
        """Return the mean chances of the side on roll over all 36 rolls."""
        total = np.zeros(5)
        for dice in ROLLS:
            replies = self.turn(board, dice, turns, side)
            if plies == 2:
                kept = self.best(replies, self.filters.most_replies, self.filters.gap_replies)
                replies = [self.deeper(each, turns, side, 1) for each in kept]
            total += np.array(self.best(replies, 1, 0.0)[0].chances) / 36
        return tuple(total)

    def ranked(
        self, board: IntArray, dice: tuple[int, int], turns: Turns, plies: int
    ) -> list[Result]:
        results = self.turn(board, dice, turns, 0)
        kept = results
        filters = self.filters
        limits = ((filters.most_1, filters.gap_1), (filters.most_2, filters.gap_2))
        for ply in range(1, plies + 1):
            kept = self.best(kept, *limits[ply - 1])
            kept = [self.deeper(each, turns, 0, ply) for each in kept]
            searched = {each.after.tobytes(): each for each in kept}
            results = [searched.get(each.after.tobytes(), each) for each in results]
        results = [replace(each, plies=plies) if each.over else each for each in results]
        return sorted(results, key=lambda each: (-each.plies, -each.equity))
