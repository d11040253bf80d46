"""Short backgammon by what a player looks at: shots, points, primes, anchors, the race.

Contact positions are weighed features (`features_short`), races are counted (`race`), the last
few checkers are exact (`race`).
"""

from games.ai import race
from games.ai.estimate import Estimate, logistic, weighed
from games.ai.features_short import features
from games.ai.weights_short import LOSE_MARS, WIN, WIN_MARS
from games.engine.position import Counts
from games.engine.variants import OFF


def is_race(mine: Counts, theirs: Counts) -> bool:
    """Whether the two sides have passed each other."""
    return _last(mine) + _last(theirs) < 26


def estimate(mine: Counts, theirs: Counts) -> Estimate:
    """The mover's chances; `mine` has just played, the enemy rolls next."""
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


def _last(side: Counts) -> int:
    return max((point for point in range(25, 0, -1) if side[point]), default=0)
