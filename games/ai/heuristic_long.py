"""Long nardy by what a player looks at: head, walls, room to move, the race.

While the sides meet, weighed features (`features_long`); afterwards the same race and bear-off
as in the short game.
"""

from games.ai import race
from games.ai.estimate import Estimate, logistic, weighed
from games.ai.features_long import features
from games.ai.weights_long import LOSE_MARS, WIN, WIN_MARS
from games.engine.position import Counts
from games.engine.variants import OFF


def is_race(mine: Counts, theirs: Counts) -> bool:
    """Whether neither side can stand in the other's way any more."""
    return not any(mine[13:]) and not any(theirs[13:])


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
