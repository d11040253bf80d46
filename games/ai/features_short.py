"""Short: what a player looks at in a position with contact, as numbers.

Everything is said of one side (`mine`) against the other, in own numbering. The list of a
position is the mover's own features, the enemy's, and then what the two share, with the enemy
on roll.
"""

from games.ai.race import effective_pips, on_roll_sigma, pips
from games.ai.shots import exposure
from games.engine.position import Counts
from games.engine.variants import BAR, OFF

SIDE_FEATURES = (
    "pips", "off", "bar", "bar_against_board", "board", "point_7", "point_6", "point_5",
    "point_4", "point_3", "point_2", "point_1", "points_8_11", "points_12_16", "anchor_20_21",
    "anchor_18_19", "anchor_22_24", "back", "back_blocked", "last_blocked", "prime_4",
    "prime_5", "prime_6", "blots_home", "blots_outer", "stack", "deep", "builders", "spread",
    "landed_board",
)  # fmt: skip
SHARED_FEATURES = (
    "exposure", "hit_chance", "return_exposure", "return_chance", "hit_chance_board", "race",
    "race_late", "even",
)  # fmt: skip
NAMES = (
    *(f"mine_{name}" for name in SIDE_FEATURES),
    *(f"theirs_{name}" for name in SIDE_FEATURES),
    *SHARED_FEATURES,
)


def features(mine: Counts, theirs: Counts) -> list[float]:
    """One number for each of `NAMES`; `mine` has just played, the enemy rolls next."""
    my_board = sum(1 for point in range(1, 7) if mine[point] > 1)
    their_board = sum(1 for point in range(1, 7) if theirs[point] > 1)
    cost, chance = exposure(mine, theirs, _costs(mine, their_board))
    back_cost, back_chance = exposure(theirs, mine, _costs(theirs, my_board))
    lead = -on_roll_sigma(effective_pips(theirs), effective_pips(mine))
    late = 1.0 - min(1.0, (sum(mine[13:]) + sum(theirs[13:])) / 8)
    return [
        *_side(mine, theirs, my_board, their_board),
        *_side(theirs, mine, their_board, my_board),
        cost,
        chance,
        back_cost,
        back_chance,
        chance * their_board / 6,
        lead,
        lead * late,
        1.0,
    ]


def _costs(mine: Counts, their_board: int) -> list[float]:
    """What a hit on each own point costs, in hundreds of pips: the way back and the danger."""
    danger = (0.08, 0.09, 0.11, 0.15, 0.22, 0.35, 0.55)[their_board]
    if any(mine[point] > 1 for point in range(19, 25)):
        danger *= 0.7
    return [(25 - point) / 100 + danger for point in range(26)]


def _side(mine: Counts, theirs: Counts, my_board: int, their_board: int) -> list[float]:
    back = sum(mine[19:26])
    last = max(point for point in range(26) if mine[point]) if mine[OFF] < 15 else 0
    # Points on the enemy's way out are worth more, the more of his checkers are behind them.
    trapped = min(3, sum(theirs[19:26])) / 2
    longest = _prime(mine, theirs)
    blocked = [_blocked(theirs, point) if mine[point] else 0 for point in range(19, 26)]
    made = [count > 1 for count in mine]
    return [
        pips(mine) / 100,
        mine[OFF] / 15,
        float(mine[BAR]),
        mine[BAR] * their_board * their_board / 36,
        my_board * trapped / 6,
        made[7] * trapped,
        made[6] * trapped,
        made[5] * trapped,
        made[4] * trapped,
        made[3] * trapped,
        made[2] * trapped,
        made[1] * trapped,
        (made[8] + made[9] + made[10] + made[11]) * trapped / 2,
        float(sum(made[12:17])),
        float(made[20] or made[21]),
        float(made[18] or made[19]),
        float(made[22] or made[23] or made[24]),
        back / 2,
        sum(cost * min(2, mine[19 + i]) for i, cost in enumerate(blocked)) / 10,
        (_blocked(theirs, last) if last > 12 else 0) / 6,
        float(longest >= 4),
        float(longest >= 5),
        float(longest >= 6),
        float(sum(1 for point in range(1, 7) if mine[point] == 1)),
        float(sum(1 for point in range(7, 19) if mine[point] == 1)),
        sum(max(0, count - 3) for count in mine[1:25]) / 5,
        (mine[1] + mine[2]) / 5,
        sum(1 for point in range(7, 12) if mine[point]) / 3,
        last / 24,
        my_board * my_board * (1.0 if theirs[BAR] else 0.0) / 36,
    ]


def _blocked(theirs: Counts, point: int) -> int:
    """How many of the six points ahead the enemy holds; a whole six weighs double."""
    # My point p is their 25 - p.
    held = sum(1 for p in range(max(1, point - 6), point) if theirs[25 - p] > 1)
    return 12 if held == 6 else held


def _prime(mine: Counts, theirs: Counts) -> int:
    """The most points I hold of six in a row with an enemy checker behind them."""
    rear = next((point for point in range(25, 12, -1) if theirs[point]), 0)
    low = 26 - rear  # the lowest own point still ahead of their rearmost checker
    if not rear:
        return 0
    made = [1 if count > 1 else 0 for count in mine]
    return max((sum(made[k : k + 6]) for k in range(max(1, low), 14)), default=0)
