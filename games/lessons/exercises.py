"""The parts of a lesson. Its texts are in locale/<language>/lessons/, by the same names."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from games.engine.board.position import Position
from games.engine.board.turn_search import Dice

Goal = Callable[[Position], bool]


class Grade(StrEnum):
    """The grade of an answer to an exercise: right, right in part, or wrong (AGAIN)."""

    FULL = "full"
    PARTIAL = "partial"
    AGAIN = "again"


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a position, answered by choosing one of its options.

    `cube` is the value of the centered cube, None if there is no cube.
    """

    position: str
    options: Mapping[str, Grade]
    cube: int | None = None
    dice: Dice | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A roll for White to play so that `goal` is reached.

    `answers` are the plays, with their grades, from which a visitor without script chooses. An
    illegal play among them shows what the rules refuse. A legal play that is not among them is
    judged by the goal alone.
    """

    position: str
    dice: Dice
    goal: Goal
    answers: Mapping[str, Grade]
    is_first_turn: bool = False


Exercise = Question | Task


@dataclass(frozen=True, slots=True)
class Lesson:
    name: str
    exercises: tuple[Exercise, ...] = field(default=())

    def result_keys(self) -> list[str]:
        """Return the names under which results of the exercises are kept."""
        return [f"{self.name}-{number}" for number, _each in enumerate(self.exercises, start=1)]
