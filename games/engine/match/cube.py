"""The doubling cube: its value, its owner and the side that may turn it."""

from dataclasses import dataclass, replace
from typing import Self

from games.engine.errors import Reason
from games.engine.rules import Rules
from games.engine.sides import Side

MAX_VALUE = 64


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube; `owner` None = centered, `auto` counts this game's automatic doubles.

    Between an offer and its answer the value is still the one before the offer.
    """

    value: int = 1
    owner: Side | None = None
    auto: int = 0

    @property
    def is_turned(self) -> bool:
        """Return True if a double was taken in this game; automatic ones do not count (Jacoby)."""
        return self.owner is not None

    def taken_by(self, side: Side) -> Self:
        """Return the cube after `side` took a double."""
        return replace(self, value=self.value * 2, owner=side)

    def beavered_by(self, side: Side) -> Self:
        """Return the cube after `side` answered a double by a beaver and the doubler took it."""
        return replace(self, value=self.value * 4, owner=side)

    def auto_doubled(self) -> Self:
        """Return the cube after equal opening dice: twice the value, still centered."""
        return replace(self, value=self.value * 2, auto=self.auto + 1)


CENTERED = Cube()


def auto_double(cube: Cube, rules: Rules) -> Cube:
    """Return the cube after a tied opening throw; doubled unless the limit is reached."""
    return cube.auto_doubled() if cube.auto < rules.auto_doubles else cube


def is_dead(cube: Cube, own_score: int, length: int | None) -> bool:
    """Return True if doubling could gain nothing: the present value already wins the match.

    That is so if the doubler's score plus the cube's present value reaches the match length.
    A money session has no length, so its cube is never dead.
    """
    return length is not None and own_score + cube.value >= length


def cube_refusal_of_double(
    cube: Cube, side: Side, rules: Rules, *, own_score: int, crawford: bool, first_turn: bool
) -> Reason | None:
    """Return the rule that keeps `side` from doubling now, None when doubling is allowed.

    `first_turn` = neither side has played a turn in this game. The caller checks that the side is
    on turn and has not rolled.
    """
    if not rules.cube:
        return Reason.CUBE_OFF
    if crawford:
        return Reason.CUBE_CRAWFORD
    if cube.owner not in (None, side):
        return Reason.CUBE_NOT_YOURS
    if first_turn:
        return Reason.CUBE_FIRST_TURN
    if cube.value * 2 > MAX_VALUE:
        return Reason.CUBE_MAX
    if is_dead(cube, own_score, rules.length):
        return Reason.CUBE_DEAD
    return None


def cube_refusal_of_beaver(cube: Cube, rules: Rules) -> Reason | None:
    """Return the rule against answering the pending double with a beaver, or None."""
    if not rules.beaver:
        return Reason.BEAVER_OFF
    if cube.value * 4 > MAX_VALUE:
        return Reason.CUBE_MAX
    return None
