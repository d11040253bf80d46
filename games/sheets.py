"""The sheet of a judged match: what each side gave away, how lucky it was, how the match went.

Made of judgments (`games.ai.judge.judgments`) in the order of the log. A decision counts when it
was not forced; one of the cube when something was done, or nothing though it was close. PR, the
error rate, is 500 times the mean loss of those that count. Sums are of points normalized to the
cube; where the whole match is meant (`worth`), each point weighs what it was worth then: chances to
win the match, or points without a match length.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Judgment = Mapping[str, Any]

PR_FACTOR = 500
# A loss from here on has a name.
DOUBTFUL, BAD, VERY_BAD = 0.02, 0.06, 0.12


@dataclass(slots=True)
class Sheet:
    """Of one side."""

    plays: int = 0
    cubes: int = 0
    loss_of_plays: float = 0.0
    loss_of_cubes: float = 0.0
    doubtful: int = 0
    bad: int = 0
    very_bad: int = 0
    luck: float = 0.0
    luck_worth: float = 0.0

    @property
    def decisions(self) -> int:
        return self.plays + self.cubes

    @property
    def loss(self) -> float:
        return self.loss_of_plays + self.loss_of_cubes

    @property
    def pr(self) -> float | None:
        """None when nothing was decided."""
        return PR_FACTOR * self.loss / self.decisions if self.decisions else None


@dataclass(frozen=True, slots=True)
class Point:
    """Of the graph: White's chance to win the game, and what the match is worth to him, after `at`.

    `worth` is his chance to win the match; without a match length the points of the game.
    """

    at: int
    win: float
    worth: float


@dataclass(frozen=True, slots=True)
class Totals:
    """`adjusted` is White's result less all luck, in the unit of `worth`; None without a result."""

    white: Sheet
    black: Sheet
    adjusted: float | None
    points: list[Point]

    def of(self, side: str) -> Sheet:
        return self.white if side == "white" else self.black


def totals(
    judged: Iterable[tuple[int, Judgment]], result: float | None, length: int | None
) -> Totals:
    """Of pairs (number of the action in the log, its judgment), in order.

    `result` is what White got: 1 for the match won, 0 lost, 0.5 drawn, None unfinished; without a
    match length his points less Black's.
    """
    sheets = {"white": Sheet(), "black": Sheet()}
    points = []
    for at, judgment in judged:
        sheet = sheets[judgment["side"]]
        _count(sheet, judgment)
        points.append(_point(at, judgment, length))
    luck = sheets["white"].luck_worth - sheets["black"].luck_worth
    adjusted = None if result is None else result - luck
    return Totals(sheets["white"], sheets["black"], adjusted, points)


def counts(judgment: Judgment) -> bool:
    """Whether it is a decision that counts for the error rate."""
    if judgment["kind"] == "play":
        return not judgment["forced"]
    if judgment["kind"] == "cube":
        return judgment["done"] != "roll" or judgment["close"] or judgment["best"] != "roll"
    return False


def _count(sheet: Sheet, judgment: Judgment) -> None:
    luck = judgment.get("luck", 0.0)
    sheet.luck += luck
    sheet.luck_worth += judgment["stake"] * luck
    if not counts(judgment):
        return
    loss = judgment["loss"]
    if judgment["kind"] == "play":
        sheet.plays += 1
        sheet.loss_of_plays += loss
    else:
        sheet.cubes += 1
        sheet.loss_of_cubes += loss
    sheet.very_bad += loss >= VERY_BAD
    sheet.bad += BAD <= loss < VERY_BAD
    sheet.doubtful += DOUBTFUL <= loss < BAD


def _point(at: int, judgment: Judgment, length: int | None) -> Point:
    win, worth = judgment["chances"][0], judgment["worth"]
    if judgment["kind"] == "play":
        made = next(each for each in judgment["plays"] if each["play"] == judgment["played"])
        win = made["chances"][0]
    if judgment["side"] == "white":
        return Point(at, win, worth)
    return Point(at, 1 - win, -worth if length is None else 1 - worth)
