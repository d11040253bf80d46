"""The hand-made player of long nardy, in plain Python: head, walls, room to move, the race.

While the sides are in contact, the player weights features (`features`); afterwards it uses the
race formula and the bear-off table.
"""

import math
from collections.abc import Sequence
from operator import mul

from games.ai.net.chances import Estimate
from games.engine.board.position import Counts
from games.engine.board.variants import OFF
from tests.bench.ladder import race
from tests.bench.ladder.features import features
from tests.bench.ladder.weights import LOSE_MARS, WIN, WIN_MARS

_LIMIT = 30.0  # the largest exponent, so that exp cannot overflow


def is_race(mine: Counts, theirs: Counts) -> bool:
    """Return whether neither side can block the other any more."""
    return not any(mine[13:]) and not any(theirs[13:])


def estimate(mine: Counts, theirs: Counts) -> Estimate:
    """Return the chances of `mine`, who has just played; the other side rolls next."""
    if mine[OFF] == 15:
        return Estimate(1.0, float(not theirs[OFF]), 0.0)
    if is_race(mine, theirs):
        return race.estimate(mine, theirs)
    numbers = features(mine, theirs)
    win = logistic(weighed(WIN, numbers))
    return Estimate(
        win,
        0.0 if theirs[OFF] else win * logistic(weighed(WIN_MARS, numbers)),
        0.0 if mine[OFF] else (1.0 - win) * logistic(weighed(LOSE_MARS, numbers)),
    )


def logistic(log_odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-_LIMIT, min(_LIMIT, log_odds))))


def weighed(weights: Sequence[float], numbers: Sequence[float]) -> float:
    """Return the sum of products (math.sumprod needs Python 3.12)."""
    return float(sum(map(mul, weights, numbers)))
