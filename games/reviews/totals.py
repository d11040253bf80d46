"""Totals of a judged match: equity lost, luck, and the chart of winning chances.

They are computed from judgments (`games.ai.judge.judgments`) in the order of the log. A play counts
as a decision if it was not forced. A cube decision counts if the side acted on the cube, or rolled
when a double was right or nearly right. The error rate (PR) is 500 times the mean loss of the
decisions that count. An answer to an offer to resign is judged like a cube decision and
counts, but not among those with the cube. Losses and luck are in points normalized to the cube.
Values for the whole match (`worth`) are match winning chances, or points in a money session.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.ai.judge.grades import grade_of

Judgment = Mapping[str, Any]

PR_FACTOR = 500

# Answers to an offer to resign; their judgments are of the kind "cube".
ANSWERS = ("accept", "refuse")


@dataclass(slots=True)
class SideTotals:
    """Totals of one side: numbers of decisions and of errors, equity lost, luck.

    `plays`, `cubes` and `answers` (to offers to resign) are the numbers of its decisions that
    count; `luck_worth` is its luck in the unit of `worth`.
    """

    plays: int = 0
    cubes: int = 0
    answers: int = 0
    loss_of_plays: float = 0.0
    loss_of_cubes: float = 0.0
    loss_of_answers: float = 0.0
    doubtful: int = 0
    mistakes: int = 0
    blunders: int = 0
    luck: float = 0.0
    luck_worth: float = 0.0

    @property
    def decisions(self) -> int:
        return self.plays + self.cubes + self.answers

    @property
    def loss(self) -> float:
        return self.loss_of_plays + self.loss_of_cubes + self.loss_of_answers

    @property
    def pr(self) -> float | None:
        """The error rate; None without decisions."""
        return PR_FACTOR * self.loss / self.decisions if self.decisions else None


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """A point of the chart, for the action `at`.

    `worth` is White's chance to win the match or, in a money session, White's expected points of
    the game. It is the value after the action or, for a roll, before it. `win` is White's chance to
    win the game: after a play, but before a roll or a cube action.
    """

    at: int
    win: float
    worth: float


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals of a match.

    `adjusted` is White's result less the luck, in the unit of `worth`; None without a result.
    """

    white: SideTotals
    black: SideTotals
    adjusted: float | None
    points: list[ChartPoint]

    def of(self, side: str) -> SideTotals:
        return self.white if side == "white" else self.black


def totals_of(
    judged: Iterable[tuple[int, Judgment]], result: float | None, length: int | None
) -> Totals:
    """Add up pairs (number of the action in the log, its judgment), in order.

    `result` is White's: 1 for the match won, 0 lost, 0.5 drawn, None for a void or unfinished
    one; in a money session, White's points less Black's.
    """
    found = list(judged)
    by_side = sides_of(judgment for _at, judgment in found)
    points = [_point(at, judgment, length) for at, judgment in found]
    luck = by_side["white"].luck_worth - by_side["black"].luck_worth
    adjusted = None if result is None else result - luck
    return Totals(by_side["white"], by_side["black"], adjusted, points)


def sides_of(judgments: Iterable[Judgment]) -> dict[str, SideTotals]:
    """Add up the judgments of each side."""
    by_side = {"white": SideTotals(), "black": SideTotals()}
    for judgment in judgments:
        _count(by_side[judgment["side"]], judgment)
    return by_side


def is_counted(judgment: Judgment) -> bool:
    """Return whether the judgment is one of a decision that counts for the error rate."""
    if judgment["kind"] == "play":
        return not judgment["forced"]
    if judgment["kind"] == "cube":
        return judgment["done"] != "roll" or judgment["close"] or judgment["best"] != "roll"
    return False


def _count(side: SideTotals, judgment: Judgment) -> None:
    luck = judgment.get("luck", 0.0)
    side.luck += luck
    side.luck_worth += judgment["stake"] * luck
    if not is_counted(judgment):
        return
    loss = judgment["loss"]
    if judgment["kind"] == "play":
        side.plays += 1
        side.loss_of_plays += loss
    elif judgment["done"] in ANSWERS:
        side.answers += 1
        side.loss_of_answers += loss
    else:
        side.cubes += 1
        side.loss_of_cubes += loss
    grade = grade_of(loss)
    side.doubtful += grade == "doubtful"
    side.mistakes += grade == "mistake"
    side.blunders += grade == "blunder"


def _point(at: int, judgment: Judgment, length: int | None) -> ChartPoint:
    win, worth = judgment["chances"][0], judgment["worth"]
    if judgment["kind"] == "play":
        made = next(each for each in judgment["plays"] if each["play"] == judgment["played"])
        win = made["chances"][0]
    if judgment["side"] == "white":
        return ChartPoint(at, win, worth)
    return ChartPoint(at, 1 - win, -worth if length is None else 1 - worth)
