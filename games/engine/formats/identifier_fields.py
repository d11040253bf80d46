"""The contents of a position identifier: a position of short backgammon with cube and score."""

from dataclasses import dataclass
from typing import Self

from games.engine.board.position import Position
from games.engine.errors import InvalidAction
from games.engine.match.state import MatchState, Phase
from games.engine.rules import Variant
from games.engine.sides import ZEROS, Pair, Side

Dice = tuple[int, int]


@dataclass(frozen=True, slots=True)
class IdentifierFields:
    """The fields of a position identifier.

    `turn` = the side that has rolled, is to roll, or has just doubled or offered to resign.
    `dice`: the larger first, since identifiers do not keep the order. `length` None = money
    session; `resigned` = the factor that `turn` offers, 0 = no offer. While a double is offered,
    the cube still has its old value and owner.
    """

    position: Position
    turn: Side
    dice: Dice | None = None
    cube_value: int = 1
    cube_owner: Side | None = None
    length: int | None = None
    score: Pair[int] = ZEROS
    crawford: bool = False
    jacoby: bool = False
    beaver: bool = False
    is_doubled: bool = False
    resigned: int = 0

    def __post_init__(self) -> None:
        if self.dice is not None and self.dice[0] < self.dice[1]:
            object.__setattr__(self, "dice", (self.dice[1], self.dice[0]))

    @property
    def side_to_act(self) -> Side:
        """Return `turn`, or the other side while an offer waits."""
        return self.turn.other if self.is_doubled or self.resigned else self.turn

    @classmethod
    def of(cls, state: MatchState) -> Self:
        """Return the fields of a match in play.

        Raises `InvalidAction` for long nardy, if neither side is on turn, and while a beaver waits
        for its answer, for which identifiers have no place.
        """
        if state.rules.variant is not Variant.SHORT:
            raise InvalidAction("identifier_variant", "only short backgammon has identifiers")
        if state.turn is None:
            raise InvalidAction("identifier_turn", "nobody is on turn yet")
        if state.phase is Phase.BEAVERED:
            raise InvalidAction("identifier_beaver", "a beaver cannot be written")
        return cls(
            position=state.position,
            turn=state.turn,
            dice=state.dice,
            cube_value=state.cube.value,
            cube_owner=state.cube.owner,
            length=state.rules.length,
            score=state.score,
            # A match of one point has no cube, so no program calls its game a Crawford game.
            crawford=state.crawford and state.rules.length != 1,
            jacoby=state.rules.jacoby,
            beaver=state.rules.beaver,
            is_doubled=state.phase is Phase.CUBE_OFFERED,
            resigned=state.offer.factor if state.offer else 0,
        )


def cube_exponent(value: int) -> int:
    """Return n for a cube that shows 2**n; raise `InvalidAction` unless n is 0 to 15."""
    exponent = value.bit_length() - 1
    if value < 1 or value != 1 << exponent or exponent > 15:
        raise InvalidAction("identifier_cube", f"no cube shows {value}")
    return exponent


def check_dice(dice: Dice) -> Dice:
    """Return the same dice; raise `InvalidAction` if one is not 1 to 6."""
    if not all(1 <= die <= 6 for die in dice):
        raise InvalidAction("identifier_dice", "a die shows 1 to 6")
    return dice
