"""Chances in a race, by Kleinman's formula over pip counts corrected for waste.

The correction follows Keith's count: checkers piled on low points and gaps on high points waste
pips.
"""

import math

from games.ai.net.chances import Estimate
from games.engine.board.position import Counts
from games.engine.board.variants import BAR, OFF
from tests.bench.ladder import bearoff

PIPS_PER_ROLL = 8.167  # the mean: 294 pips in 36 rolls
_ROOT2 = math.sqrt(2.0)


def pips(side: Counts) -> int:
    return sum(point * count for point, count in enumerate(side))


def effective_pips(side: Counts) -> float:
    """Return the pip count plus the pips that this distribution is expected to waste."""
    waste = 2.0 * max(0, side[1] - 1) + max(0, side[2] - 1) + max(0, side[3] - 3)
    waste += sum(1.0 for point in (4, 5, 6) if not side[point])
    # Each checker uses up a whole die to bear off, however near it is.
    return pips(side) + waste + 0.5 * (15 - side[OFF])


def on_roll_sigma(mine: float, theirs: float) -> float:
    """Return the lead of the side on roll in standard deviations; arguments in effective pips."""
    lead = theirs - mine + PIPS_PER_ROLL / 2
    return lead / math.sqrt(1.8 * max(1.0, mine + theirs - 4))


def normal_cdf(sigma: float) -> float:
    return 0.5 * (1.0 + math.erf(sigma / _ROOT2))


def mars_chance(loser: Counts, winner: Counts, *, loser_on_roll: bool) -> float:
    """Return the chance that the winner bears off all checkers before the loser bears off one."""
    if loser[OFF]:
        return 0.0
    # The loser must bring all checkers home and bear one off.
    outside = sum((point - 6) * loser[point] for point in range(7, BAR + 1))
    needed = (outside + 6.0) / PIPS_PER_ROLL + 0.7
    left = 15 - winner[OFF]
    available = max(effective_pips(winner) / PIPS_PER_ROLL, left / 2.3)
    if loser_on_roll:
        available += 0.5
    spread = 0.7 + 0.2 * math.sqrt(needed)
    return normal_cdf((needed - available) / spread)


def estimate(mine: Counts, theirs: Counts) -> Estimate:
    """Return the chances of `mine` in a race of either variant; the other side is on roll."""
    if bearoff.is_known(mine) and bearoff.is_known(theirs):
        return Estimate(1.0 - bearoff.on_roll_wins(theirs, mine), 0.0, 0.0)
    sigma = on_roll_sigma(effective_pips(theirs), effective_pips(mine))
    win = normal_cdf(-sigma)
    return Estimate(
        win,
        min(win, mars_chance(theirs, mine, loser_on_roll=True)),
        min(1.0 - win, mars_chance(mine, theirs, loser_on_roll=False)),
    )
