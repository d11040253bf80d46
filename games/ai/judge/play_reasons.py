"""The main reason why a play is better than another, from a comparison of the two results.

Only reasons that hold for the two positions are considered (`reason_codes` defines them); the one
with the greatest weight is chosen. Weights are rough estimates in points of a game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from games.ai.judge.reason_codes import Reason
from games.ai.kernel import game
from games.ai.kernel.bits import IntArray
from games.ai.kernel.long import shape
from games.ai.kernel.short import turns as short
from games.ai.net.boards import board_at
from games.ai.net.chances import Chances
from games.ai.net.rolls import ROLL_WEIGHTS, ROLLS
from games.ai.net.search import Stakes
from games.ai.net.weights_files import VARIANTS
from games.engine.board.position import Counts, Position
from games.engine.board.variants import BAR, FIRST_QUARTER, HEAD, HOME_END, LONG, OFF
from games.engine.rules import Rules, Variant
from games.engine.sides import Side

# Equity; plays closer than this count as equally good.
LEAST_GAP = 0.004

Found = Iterator[tuple[float, Reason]]

# Weights of each checker, roll or point by which the best play is ahead of the other one.
_HIT, _ESCAPE, _BORNE_OFF, _OFF_THE_HEAD = 0.2, 0.09, 0.12, 0.09
_BLOCKED_ROLL, _PLAYABLE_ROLL, _HELD, _LONGER = 0.008, 0.005, 0.03, 0.08
# Weights of a point made in or next to home, or of an anchor, by its number.
_POINTS = {7: 0.12, 6: 0.1, 5: 0.16, 4: 0.13, 3: 0.07, 2: 0.03}
_ANCHORS = {19: 0.06, 20: 0.15, 21: 0.13, 22: 0.07, 23: 0.03, 24: 0.02}
# Weights of a play that breaks or keeps contact, and of one that is faster in a race.
_CONTACT, _RACE = 0.15, 0.05
# The cost of being hit, in equity: a tempo, and the number of lost pips that cost 1.
_TEMPO, _PIPS_PER_EQUITY = 0.03, 80
# Least length of a wall (players read: prime) that is worth naming, in points.
_LONG_ENOUGH = {Variant.SHORT: 4, Variant.LONG: 3}
# Least difference that counts, in rolls of 36.
_ROLLS_APART = 3
# Least share of the difference in equity that must come from mars.
_SHARE_OF_MARS = 0.6


def why(
    before: Position, best: Position, other: Position, side: Side, rules: Rules,
    chances: Chances, other_chances: Chances, gap: float, stakes: Stakes | None = None,
) -> Reason | None:  # fmt: skip
    """Return the main reason why the play to `best` is better by `gap` than that to `other`.

    None if `gap` is below `LEAST_GAP` or no reason holds. `stakes` are those of the side; default:
    points.
    """
    if gap < LEAST_GAP or best == other:
        return None
    old, new, rival = (SideView(position, side, rules) for position in (before, best, other))
    counted = stakes or Stakes.of(rules)
    found = [*_of_any(new, rival), *_of_chances(chances, other_chances, counted)]
    found += _of_race(new, rival, chances, other_chances)
    if not new.is_race and not rival.is_race:
        of_variant = _of_short if rules.variant is Variant.SHORT else _of_long
        found += [*of_variant(old, new, rival), *_of_rolls(new, rival)]
    return max(found)[1] if found else None


@dataclass(frozen=True)
class SideView:
    """A position as one side sees it, in that side's numbering."""

    position: Position
    side: Side
    rules: Rules

    @cached_property
    def mine(self) -> Counts:
        return self.position.of(self.side)

    @cached_property
    def theirs(self) -> Counts:
        return self.position.of(self.side.other)

    @cached_property
    def board(self) -> IntArray:
        """The kernel's board."""
        return board_at(self.position, self.side, self.rules.variant)

    @cached_property
    def flipped(self) -> IntArray:
        seen = np.empty(26, np.int8)
        game.MODULES[VARIANTS[self.rules.variant]].flip(self.board, seen)
        return seen

    @cached_property
    def is_race(self) -> bool:
        return bool(game.phase(VARIANTS[self.rules.variant], self.board) == game.RACE)

    @property
    def lead(self) -> int:
        """The side's lead in pips."""
        return self.position.pips(self.side.other) - self.position.pips(self.side)

    @cached_property
    def points(self) -> set[int]:
        """Points held by two checkers or more."""
        return {point for point in range(1, BAR) if self.mine[point] > 1}

    @cached_property
    def shots(self) -> tuple[int, float]:
        """The number of the other side's 36 rolls that hit, and the expected cost (short)."""
        on_bar, pips = self.flipped[0], _pips(self.board)
        count, cost = 0, 0.0
        for weight, results in self._results_by_roll(self.flipped):
            hits = results[results[:, 0] > on_bar]
            if len(hits):
                seen = np.empty(26, np.int8)
                short.flip(hits[np.argmax(_enemy_pips(hits))], seen)
                count += weight
                cost += weight / 36 * (_TEMPO + (_pips(seen) - pips) / _PIPS_PER_EQUITY)
        return count, cost

    @cached_property
    def wall(self) -> int:
        """Length of the longest wall, points held in a row, that an enemy still has to pass."""
        if self.rules.variant is Variant.LONG:
            return _wall_of_long(self.board)[0]
        longest = length = 0
        for point in range(1, BAR):
            length = length + 1 if self.mine[point] > 1 else 0
            behind = self.theirs[BAR] + sum(
                self.theirs[25 - lower] for lower in range(1, point - length + 1)
            )
            if behind:
                longest = max(longest, length)
        return longest

    @cached_property
    def ahead_of_enemies(self) -> int:
        """Number of points held that an enemy still has to pass (long)."""
        rear = max(point for point in range(BAR) if self.theirs[point])
        return sum(self.mine[point] > 0 and LONG.opposite[point] < rear for point in range(1, BAR))

    @cached_property
    def back(self) -> int:
        """Number of checkers that the enemy can hold back.

        In short backgammon those on the bar or in the enemy's home; in long nardy those behind four
        enemy points in a row.
        """
        if self.rules.variant is Variant.LONG:
            return _wall_of_long(self.flipped)[1]
        return sum(self.mine[point] for point in (*FIRST_QUARTER, BAR))

    def playable(self, *, ours: bool) -> int:
        """Count how many of the 36 rolls the side (`ours`) or the other side could play in full."""
        board = self.board if ours else self.flipped
        before = _pips(board)
        return sum(
            weight
            for (d1, d2), (weight, results) in zip(ROLLS, self._results_by_roll(board), strict=True)
            if before - _pips(results[0]) == (d1 + d2) * (2 if d1 == d2 else 1)
        )

    def _results_by_roll(self, board: IntArray) -> Iterator[tuple[int, IntArray]]:
        """Yield for each roll its weight (1 or 2 of 36) and the board after each of its plays."""
        variant = VARIANTS[self.rules.variant]
        flags = game.MODULES[variant].turn_flags(self.rules, False)
        afters = np.empty((game.MAX_AFTERSTATES, 26), np.int8)
        for (d1, d2), weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
            yield weight, afters[: game.MODULES[variant].afterstates(board, d1, d2, flags, afters)]


def _pips(board: IntArray) -> int:
    """Return the pips of the side that sees the board.

    In long nardy the sum is too high by 25 for each enemy checker that is off. A play of the side
    does not change that excess, so the pips that it plays come out right.
    """
    return sum(place * max(0, int(board[place])) for place in range(1, 26))


def _enemy_pips(hits: IntArray) -> IntArray:
    """Return the enemy's pips on each of the boards, which the hitter sees."""
    on_board = np.minimum(hits[:, 1:25], 0).astype(np.int64)
    found: IntArray = hits[:, 0] * 25 - on_board @ (25 - np.arange(1, 25))
    return found


def _wall_of_long(board: IntArray) -> tuple[int, int]:
    """Return the longest wall (3-6 points, 0 for none) and the enemies behind four in a row."""
    behind = np.zeros(4, np.int64)
    shape.walls(board, behind)
    longest = max((length for length in range(3, 7) if behind[length - 3]), default=0)
    return longest, int(behind[1])


def _of_any(new: SideView, rival: SideView) -> Found:
    if _is_won(new) and not _is_won(rival) and not new.rules.parity:
        yield 1.0, Reason.WINS
    borne_off = new.mine[OFF] - rival.mine[OFF]
    if borne_off > 0:
        yield _BORNE_OFF * borne_off, Reason.BEARS_OFF
    if new.is_race and not rival.is_race and new.lead > 0:
        yield _CONTACT, Reason.BREAKS_CONTACT
    if rival.is_race and not new.is_race and rival.lead < 0:
        yield _CONTACT, Reason.KEEPS_CONTACT


def _is_won(view: SideView) -> bool:
    return view.mine[OFF] == sum(view.mine)


def _of_chances(new: Chances, rival: Chances, stakes: Stakes) -> Found:
    """Attribute the difference in equity to mars won, mars lost, or wins of any kind.

    Mars and koks count as in `stakes`: nothing at a score at which a single win is worth as much
    as they are.
    """
    point = (stakes.win - stakes.loss) / 2 or 1.0
    won = 2 * (new[0] - rival[0])
    mars = (stakes.win_mars - stakes.win) / point * (new[1] - rival[1])
    mars += (stakes.win_koks - stakes.win_mars) / point * (new[2] - rival[2])
    lost = (stakes.loss - stakes.loss_mars) / point * (rival[3] - new[3])
    lost += (stakes.loss_mars - stakes.loss_koks) / point * (rival[4] - new[4])
    whole = won + mars + lost
    if mars > 0 and mars >= _SHARE_OF_MARS * whole:
        yield mars, Reason.WINS_MARS
    if lost > 0 and lost >= _SHARE_OF_MARS * whole:
        yield lost, Reason.PREVENTS_MARS
    if won > 0:
        yield 0.0, Reason.WINS_MORE


def _of_race(new: SideView, rival: SideView, chances: Chances, other: Chances) -> Found:
    """Give speed as the reason: in a race, a play changes nothing else."""
    if new.is_race and rival.is_race and chances[0] > other[0]:
        yield _RACE, Reason.RACES


def _of_short(old: SideView, new: SideView, rival: SideView) -> Found:
    hits = new.theirs[BAR] - rival.theirs[BAR]
    if hits > 0:
        yield _HIT * hits, Reason.HITS
    (shots, cost), (rival_shots, rival_cost) = new.shots, rival.shots
    if rival_shots - shots >= _ROLLS_APART and rival_cost > cost:
        yield rival_cost - cost, Reason.SAFER
    made = new.points - rival.points - old.points
    if made & _POINTS.keys():
        yield sum(_POINTS.get(point, 0.0) for point in made), Reason.MAKES_POINT
    if made & _ANCHORS.keys():
        yield max(_ANCHORS.get(point, 0.0) for point in made), Reason.MAKES_ANCHOR
    kept = old.points & new.points & _ANCHORS.keys()
    if kept and not rival.points & _ANCHORS.keys():
        yield max(_ANCHORS[point] for point in kept), Reason.KEEPS_ANCHOR
    yield from _of_walls(new, rival)


def _of_long(old: SideView, new: SideView, rival: SideView) -> Found:
    freed = rival.mine[HEAD] - new.mine[HEAD]
    if freed > 0:
        yield _OFF_THE_HEAD * freed, Reason.FREES_HEAD
    held = new.ahead_of_enemies - rival.ahead_of_enemies
    if held > 0:
        yield _HELD * held, Reason.HOLDS_MORE
    yield from _of_walls(new, rival)


def _of_walls(new: SideView, rival: SideView) -> Found:
    enough = _LONG_ENOUGH[new.rules.variant]
    if new.wall > rival.wall and new.wall >= enough:
        yield _LONGER * (new.wall - max(rival.wall, enough - 1)), Reason.BUILDS_PRIME
    escaped = rival.back - new.back
    if escaped > 0:
        yield _ESCAPE * escaped, Reason.ESCAPES


def _of_rolls(new: SideView, rival: SideView) -> Found:
    # While bearing off, a die that is larger than needed plays fewer pips than it shows, so
    # `playable` would not count it as played in full.
    blocked = rival.playable(ours=False) - new.playable(ours=False)
    if blocked >= _ROLLS_APART and not _is_home(new.theirs):
        yield _BLOCKED_ROLL * blocked, Reason.BLOCKS
    playable = new.playable(ours=True) - rival.playable(ours=True)
    if playable >= _ROLLS_APART and not _is_home(new.mine):
        yield _PLAYABLE_ROLL * playable, Reason.MORE_WAYS


def _is_home(counts: Counts) -> bool:
    """Return whether all checkers of the side are in its home or off."""
    return not any(counts[HOME_END + 1 : BAR + 1])
