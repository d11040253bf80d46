"""Short: how exposed blots are to the roll that comes next.

Arrays are the engine's: 26 counts in their owner's numbering, [0] = off, [25] = bar.
"""

from games.engine.position import Counts
from games.engine.variants import BAR

# The 21 distinct rolls, and how many of the 36 each stands for.
ROLLS: tuple[tuple[int, int], ...] = tuple((a, b) for a in range(1, 7) for b in range(1, a + 1))
ROLL_WEIGHTS: tuple[int, ...] = tuple(1 if a == b else 2 for a, b in ROLLS)

_INDEX = {roll: index for index, roll in enumerate(ROLLS)}
_WITH_DIE: tuple[tuple[int, ...], ...] = tuple(
    tuple(index for index, roll in enumerate(ROLLS) if die in roll) for die in range(7)
)
_Combination = tuple[int, tuple[int, ...]]


def _combinations(distance: int) -> tuple[_Combination, ...]:
    """(roll, steps after which the checker touches down) of every way beyond a single die."""
    found: list[_Combination] = []
    for index, (high, low) in enumerate(ROLLS):
        if high != low and high + low == distance:
            found += [(index, (high,)), (index, (low,))]
        elif high == low and distance in (2 * high, 3 * high, 4 * high):
            found.append((index, tuple(range(high, distance, high))))
    return tuple(found)


_COMBINATIONS = tuple(_combinations(distance) for distance in range(25))


def exposure(mine: Counts, theirs: Counts, costs: list[float]) -> tuple[float, float]:
    """What the enemy's next roll hits: (expected cost, chance that any blot is hit).

    `costs[p]` is what losing a blot on my point p costs. When one roll hits several, the
    dearest counts.
    """
    blots = [point for point in range(1, 25) if mine[point] == 1]
    if not blots:
        return 0.0, 0.0
    worst = [0.0] * len(ROLLS)
    if theirs[BAR]:
        _mark_from_bar(mine, theirs[BAR], blots, costs, worst)
    else:
        for point in blots:
            _mark(mine, theirs, point, costs[point], worst)
    cost = chance = 0.0
    for index, value in enumerate(worst):
        if value:
            cost += value * ROLL_WEIGHTS[index]
            chance += ROLL_WEIGHTS[index]
    return cost / 36, chance / 36


def _mark(mine: Counts, theirs: Counts, point: int, cost: float, worst: list[float]) -> None:
    target = 25 - point
    for source in range(target + 1, 25):
        if not theirs[source]:
            continue
        distance = source - target
        if distance <= 6:
            for index in _WITH_DIE[distance]:
                worst[index] = max(worst[index], cost)
        for index, stops in _COMBINATIONS[distance]:
            # The enemy's source - stop is my point 25 - source + stop.
            if cost > worst[index] and all(mine[25 - source + stop] < 2 for stop in stops):
                worst[index] = cost


def _mark_from_bar(
    mine: Counts, waiting: int, blots: list[int], costs: list[float], worst: list[float]
) -> None:
    """A checker on the bar enters first: only hits while entering, and one die on from there.

    My point d is where the die d enters.
    """
    for index, (high, low) in enumerate(ROLLS):
        dice = {high, low}
        enters = {die for die in dice if mine[die] < 2}
        hit = [point for point in blots if point in enters]
        if waiting == 1 and high != low and enters:
            total = high + low
            hit += [point for point in blots if point == total]
        for point in hit:
            worst[index] = max(worst[index], costs[point])
