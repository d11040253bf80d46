"""The strengths: how much a level may lose in one play, and how it handles the cube.

A weaker level sees the same dice and the same position. It picks among the plays that lose no
more than its cap, in units of a game at cube 1, the better ones more often. The pick is a hash
of the position, so that a level is deterministic and a match can be thought over again.
"""

import hashlib
from dataclasses import dataclass
from types import MappingProxyType

from games.ai import outlook
from games.ai.race import effective_pips
from games.engine.legal import legal_plays
from games.engine.moves import Play, play_to_text
from games.engine.position import Position
from games.engine.predicates import is_first_turn
from games.engine.rules import Rules
from games.engine.sides import Side
from games.engine.state import MatchState


@dataclass(frozen=True, slots=True)
class Level:
    """`cap` = the most that one play may lose; `race_cap` likewise once the sides have passed.

    `nerve` = by how much of the cube's value the level misses the right moment to double.
    """

    name: str
    cap: float
    race_cap: float
    nerve: float


LEVELS = MappingProxyType(
    {
        level.name: level
        for level in (
            Level("beginner", cap=0.30, race_cap=0.10, nerve=0.15),
            Level("casual", cap=0.16, race_cap=0.04, nerve=0.05),
            Level("strong", cap=0.0, race_cap=0.0, nerve=0.0),
        )
    }
)


def choose_play(state: MatchState, side: Side, level: Level) -> Play:
    """The play of the dice on the board that the level makes; the empty play is a pass."""
    assert state.dice is not None
    salt = state.proof.commitment or ""
    return choose(
        state.position, side, state.dice, state.rules, level, is_first_turn(state), salt=salt
    )


def choose(
    position: Position,
    side: Side,
    dice: tuple[int, int],
    rules: Rules,
    level: Level,
    first_turn: bool = False,
    *,
    salt: str = "",
) -> Play:
    """As `choose_play`, from the parts of a state; `salt` makes matches differ."""
    plays = legal_plays(position, side, dice, rules, first_turn)
    if len(plays) == 1:
        return next(iter(plays.values()))
    ranked = sorted(_ranked(side, rules, after, play) for after, play in plays.items())
    is_race = outlook.player_of(rules).is_race(position.white, position.black)
    cap = level.race_cap if is_race else level.cap
    best = ranked[0][0]
    weights = [1.0 - (loss - best) / cap for loss, *_ in ranked if loss - best < cap]
    if len(weights) < 2:
        return ranked[0][-1]
    seed = f"{salt} {level.name} {position.to_text()} {side} {dice[0]}{dice[1]}"
    return ranked[_pick(weights, seed)][-1]


def _ranked(
    side: Side, rules: Rules, after: Position, play: Play
) -> tuple[float, float, str, Play]:
    """The best sorts first; where all is won or lost already, the fewest pips left."""
    equity = outlook.after_play(after, side, rules).equity()
    return -equity, effective_pips(after.of(side)), play_to_text(play), play


def _pick(weights: list[float], seed: str) -> int:
    """An index, the heavier ones more often, decided by the text alone."""
    digest = hashlib.sha256(seed.encode()).digest()
    mark = int.from_bytes(digest[:8], "big") / 2**64 * sum(weights)
    for index, weight in enumerate(weights):
        mark -= weight
        if mark < 0:
            return index
    return 0
