"""Features of a contact position of long nardy.

Each side numbers the points from its own view: its point p is the other side's p + 12 or p - 12.
There are no hits in long nardy, so the features are about room: leaving the head, walls ahead of
the other side, dice that can still be played.
"""

from games.engine.board.position import Counts
from games.engine.board.variants import HEAD, OFF
from tests.bench.ladder.race import effective_pips, on_roll_sigma, pips

SIDE_FEATURES = (
    "pips", "off", "head", "head_full", "points_19_23", "points_13_18", "points_7_12",
    "points_1_6", "checkers_13_23", "checkers_7_12", "checkers_1_6", "wall_3", "wall_4", "wall_5",
    "wall_6", "mobility", "dead_small", "dead_4", "dead_5", "dead_6", "hemmed", "stuck", "rear",
    "rear_blocked", "stack", "head_blocked",
)  # fmt: skip
SHARED_FEATURES = ("race", "race_late", "even")
NAMES = (
    *(f"mine_{name}" for name in SIDE_FEATURES),
    *(f"theirs_{name}" for name in SIDE_FEATURES),
    *SHARED_FEATURES,
)


def features(mine: Counts, theirs: Counts) -> list[float]:
    """Return one number for each of `NAMES`; `mine` has just played, the other side rolls next."""
    lead = -on_roll_sigma(effective_pips(theirs), effective_pips(mine))
    late = (sum(mine[:13]) + sum(theirs[:13])) / 30
    return [*_side(mine, theirs), *_side(theirs, mine), lead, lead * late, 1.0]


def _side(mine: Counts, theirs: Counts) -> list[float]:
    # closed[p]: whether the other side holds the point that this side numbers p.
    closed = [False, *(count > 0 for count in (*theirs[13:25], *theirs[1:13]))]
    rear = max((point for point in range(1, 25) if mine[point]), default=0)
    dice = _playable(mine, closed, rear)
    ahead = [sum(closed[max(1, p - 6) : p]) if mine[p] else 0 for p in range(25)]
    occupied = [count > 0 for count in mine]
    walls = _walls(mine, theirs)
    # In the order of SIDE_FEATURES.
    return [
        pips(mine) / 100,
        mine[OFF] / 15,
        mine[HEAD] / 15,
        max(0, mine[HEAD] - 6) / 9,
        sum(occupied[19:24]) / 5,
        sum(occupied[13:19]) / 6,
        sum(occupied[7:13]) / 6,
        sum(occupied[1:7]) / 6,
        sum(mine[13:24]) / 15,
        sum(mine[7:13]) / 15,
        sum(mine[1:7]) / 15,
        *walls,
        sum(min(3, count) for count in dice[1:]) / 18,  # at most 3 points count for a die
        sum(1 for count in dice[1:4] if not count) / 3,  # dice that cannot be played
        float(not dice[4]),
        float(not dice[5]),
        float(not dice[6]),
        # Each checker counts once for every closed point among the six ahead of it.
        sum(count * held for count, held in zip(mine, ahead, strict=False)) / 45,
        sum(mine[p] for p in range(7, 25) if ahead[p] >= 5) / 15,
        rear / 24,
        ahead[rear] / 6,
        sum(max(0, count - 2) for count in mine[7:24]) / 15,  # checkers above the second on a point
        ahead[HEAD] * mine[HEAD] / 45,
    ]


def _playable(mine: Counts, closed: list[bool], rear: int) -> list[int]:
    """Return for each die (index 1-6) the number of points from which a checker can move by it."""
    sources = [point for point in range(1, 25) if mine[point]]
    found = [0] * 7
    for die in range(1, 7):
        for point in sources:
            if point > die:
                found[die] += not closed[point - die]
            elif rear <= 6:
                found[die] += point in (die, rear)
    return found


def _walls(mine: Counts, theirs: Counts) -> list[float]:
    """Return for walls of 3 to 6 points the share of enemy checkers that still have to pass one."""
    best = [0.0, 0.0, 0.0, 0.0]
    behind = length = 0
    # Along the enemy's path from its head: its points 24..13 are ours 12..1, its 12..1 ours 24..13.
    for point in range(24, 0, -1):
        if mine[point - 12 if point > 12 else point + 12]:
            length += 1
            if length >= 3:
                # `behind` does not change inside the wall: no enemy is on it.
                step = min(length, 6) - 3
                best[step] = max(best[step], behind / 15)
        else:
            behind += theirs[point]
            length = 0
    return best
