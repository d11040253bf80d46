"""The six levels: search depth, and how much equity one play may lose.

A weaker level sees the same dice and the same position. It picks among the plays whose loss is
below its cap (in points normalized to the cube), better ones more often. The pick is a hash of the
position and the match, so a level is deterministic and a match can be replayed.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from games.ai.kernel import game
from games.ai.kernel.bits import IntArray
from games.ai.net import weights_files
from games.ai.net.player import NetPlayer
from games.ai.net.search import Stakes
from games.engine.board.legal import Dice
from games.engine.rules import Rules, Variant

# Share of the cap that applies in a race; with all checkers at home the cap is 0.
IN_A_RACE = 0.25


@dataclass(frozen=True, slots=True)
class Level:
    """The strength of a bot.

    `caps`: the most equity one play may lose, by variant; empty at full strength.
    `margin`: the gain that the level wants before it doubles or takes, in parts of `Options.stake`
    of games/ai/cube/doubling.py; so a weak level doubles too late and drops too early.
    `cube_plies`: search depth of cube decisions.
    """

    name: str
    plies: int = 0
    cube_plies: int = 0
    margin: float = 0.0
    caps: Mapping[Variant, float] = field(default_factory=dict)


def _caps(short: float, long: float) -> dict[Variant, float]:
    return {Variant.SHORT: short, Variant.LONG: long}


LEVELS = MappingProxyType(
    {
        level.name: level
        for level in (
            Level("beginner", margin=0.15, caps=_caps(0.45, 0.60)),
            Level("casual", margin=0.08, caps=_caps(0.20, 0.27)),
            Level("club", margin=0.03, caps=_caps(0.09, 0.12)),
            Level("strong"),
            Level("expert", plies=1, cube_plies=2),
            Level("master", plies=2, cube_plies=2),
        )
    }
)


@dataclass(frozen=True, slots=True)
class Choice:
    """The board after the play, and how hard the choice was.

    `hard`: 0 = the best play is clearly ahead, 1 = the best two plays are equal.
    """

    after: IntArray
    hard: float


# Equity; a best play ahead by this much or more is an easy choice (`hard` = 0).
_CLEAR = 0.1


def choose(
    player: NetPlayer,
    level: Level,
    board: IntArray,
    dice: Dice,
    rules: Rules,
    first_turn: bool = False,
    stakes: Stakes | None = None,
    *,
    began: bool | None = None,
    plies: int | None = None,
    salt: str = "",
) -> Choice:
    """Return the level's play; its board is in the mover's view, like the given one.

    `salt` makes the pick differ between matches; `began` is that of `search.parity_flags`;
    `plies` replaces the level's depth.
    """
    stakes = stakes or Stakes.of(rules)
    plies = level.plies if plies is None else plies
    ranked = player.ranked(board, dice, rules, first_turn, plies, stakes, began)
    if len(ranked) == 1:
        return Choice(ranked[0].after, 0.0)
    stake = (stakes.win - stakes.loss) / 2 or 1.0
    losses = [(ranked[0].equity - each.equity) / stake for each in ranked]
    cap = level.caps.get(rules.variant, 0.0) * _share_of_cap(board, rules.variant)
    weights = [1.0 - loss / cap for loss in losses if loss < cap] if cap else []
    picked = 0
    if len(weights) > 1:
        picked = _pick(weights, f"{salt} {level.name} {board.tolist()} {dice[0]}{dice[1]}")
    return Choice(ranked[picked].after, _hardness(losses[1]))


def _hardness(loss: float) -> float:
    """Return `hard` of a choice; `loss` is that of the second best play.

    The loss is negative if that play was searched less deeply and seemed better there.
    """
    return min(1.0, max(0.0, 1.0 - loss / _CLEAR))


def _share_of_cap(board: IntArray, variant: Variant) -> float:
    """Return the part of its cap, from 0 to 1, that a level may use on this board."""
    if not (board[7:25] > 0).any() and (variant is Variant.LONG or not board[25]):
        return 0.0
    module = game.MODULES[weights_files.VARIANTS[variant]]
    return IN_A_RACE if module.phase(board) == game.RACE else 1.0


def _pick(weights: list[float], seed: str) -> int:
    """Return an index chosen by weight, determined by the seed text."""
    digest = hashlib.sha256(seed.encode()).digest()
    mark = int.from_bytes(digest[:8], "big") / 2**64 * sum(weights)
    for index, weight in enumerate(weights):
        mark -= weight
        if mark < 0:
            return index
    return 0
