"""Parity: the chance of a draw, and how a game ends after the side that began has borne off.

The net ignores parity. Where both sides bear off, the chances follow from the bear-off table.
"""

from typing import NamedTuple

import numpy as np

from games.ai.kernel import game, last_turn, net
from games.ai.kernel.bits import IntArray
from games.ai.net.chances import Chances, Estimate
from games.ai.net.player import NetPlayer
from games.ai.net.weights_files import VARIANTS
from games.engine.match.state import MatchState
from games.engine.rules import Rules

# The ends of a game: (chance, points of the side that has borne off). 0 points are a draw.
Ends = tuple[tuple[float, int], ...]

# Below this chance that a game is not drawn, its chances to win and to lose are not computed.
_LEAST = 1e-6


class Outlook(NamedTuple):
    """Chances of the side on roll to win and to draw."""

    win: float
    draw: float

    def chances(self, of_net: Chances) -> Chances:
        """Return a net's chances with the exact chance to win; a draw is half a win."""
        return (self.win + self.draw / 2, *of_net[1:])

    def decided(self, of_net: Estimate) -> Estimate:
        """Return the chances of a game that is not drawn; the net estimates the share of mars."""
        share = 1.0 - self.draw
        if share < _LEAST:
            return Estimate(0.5, 0.0, 0.0)
        win = self.win / share
        mars, against = min(of_net.mars / share, win), min(of_net.mars_against / share, 1.0 - win)
        return Estimate(win, mars, against)


def find_outlook(state: MatchState, board: IntArray, player: NetPlayer) -> Outlook | None:
    """Return the exact chances of the side on turn, which sees the board.

    None without parity, while a side is not home yet, and without the bear-off table. The net's
    chances are then used instead.
    """
    rolls = player.find_rolls_left(board) if state.rules.parity else None
    if rolls is None:
        return None
    mine, theirs = rolls
    if state.turn is not state.first:
        # The other side moved first: if it needs n turns, this side draws in its turn n + 1.
        theirs = np.concatenate([[0.0], theirs[:-1]])
    later = 1.0 - np.cumsum(theirs)  # the chance that the other side needs more turns than this one
    return Outlook(float(mine @ later), float(mine @ theirs))


def ends_of(rules: Rules, after: IntArray, *, began: bool) -> Ends:
    """Return how the game ends after a turn, seen by the side that played it; empty if it goes on.

    `began`: this side moved first in the game, so under parity the other side has one turn more.
    """
    variant = VARIANTS[rules.variant]
    module = game.MODULES[variant]
    kinds = module.kinds_of(rules)
    points = module.finished(after, kinds)
    if not points or not (rules.parity and began):
        return ((1.0, points),) if points else ()
    found = np.zeros(net.OUTPUTS, np.float32)
    last_turn.write_chances_before(variant, after, module.turn_flags(rules, False), kinds, found)
    win, mars, koks = (float(found[at]) for at in (net.WIN, net.WIN_MARS, net.WIN_KOKS))
    draw = 2.0 * (1.0 - win)
    return ((draw, 0), (1.0 - draw - mars, 1), (mars - koks, 2), (koks, 3))


def chances_of(ends: Ends) -> Chances:
    """Return the chances of the side that has borne off; a draw is half a win."""
    win = sum(share * (1.0 if points else 0.5) for share, points in ends)
    mars, koks = (sum(share for share, points in ends if points > least) for least in (1, 2))
    return (win, mars, koks, 0.0, 0.0)
