"""Content of the lessons' pages: rows of a course, exercises with boards and verdicts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.board_svg import Drawing
from games.engine.board.position import Position
from games.engine.rules import Variant
from games.lessons.course import COURSES
from games.lessons.exercises import Exercise, Grade, Lesson, Question, Task
from games.lessons.judging import Judgment, graph_of, position_of
from games.lessons.stars import Result, Results, stars_of
from games.lessons.texts import CourseText, ExerciseText
from games.rulebook import boards


@dataclass(frozen=True, slots=True)
class Row:
    """A lesson in the list."""

    name: str
    title: str
    stars: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The page's verdict on an answer. `grade` is "" for an answer that could not be read."""

    grade: str
    comment: str = ""
    is_legal: bool = True


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """An exercise on the page.

    `board` is the data of the board on which a task is played, None for a question or after a full
    solution.
    """

    number: int
    text: ExerciseText
    choices: list[Choice]
    stars: int
    drawing: Drawing
    board: dict[str, Any] | None
    verdict: Verdict | None = None

    @property
    def is_play(self) -> bool:
        return not self.text.options

    @property
    def is_solved_now(self) -> bool:
        return self.verdict is not None and self.verdict.grade == Grade.FULL


@dataclass(frozen=True, slots=True)
class Answered:
    """The exercise that was just answered (by its number), the answer, and its judgment."""

    number: int
    answer: str
    judgment: Judgment | None


def rows_of(variant: Variant, texts: CourseText, results: Results) -> list[Row]:
    return [
        Row(lesson.name, texts.lessons[lesson.name].title, stars_of(lesson, results))
        for lesson in COURSES[variant]
    ]


def exercises_of(
    lesson: Lesson,
    variant: Variant,
    texts: tuple[ExerciseText, ...],
    results: Results,
    answered: Answered | None,
) -> Iterator[Shown]:
    keys = lesson.result_keys()
    for number, exercise in enumerate(lesson.exercises, start=1):
        answered_here = answered if answered and answered.number == number else None
        stars = results.get(keys[number - 1], Result()).stars
        yield _shown(number, exercise, variant, texts[number - 1], stars, answered_here)


def _shown(
    number: int,
    exercise: Exercise,
    variant: Variant,
    text: ExerciseText,
    stars: int,
    answered: Answered | None,
) -> Shown:
    verdict = verdict_of(text, answered.judgment) if answered else None
    is_over = verdict is not None and verdict.grade == Grade.FULL
    judgment = answered.judgment if answered and is_over else None
    after = judgment.after if judgment else None
    board = _board(exercise, variant) if isinstance(exercise, Task) and not is_over else None
    return Shown(
        number,
        text,
        [] if is_over else _choices(exercise, text, answered.answer if answered else ""),
        stars,
        draw(exercise, variant, after),
        board,
        verdict,
    )


def verdict_of(text: ExerciseText, judgment: Judgment | None) -> Verdict:
    if judgment is None:
        return Verdict("")
    return Verdict(judgment.grade.value, _comment(text, judgment), judgment.is_legal)


def _comment(text: ExerciseText, judgment: Judgment) -> str:
    """Return the lesson's comment on the answer; "" for an illegal play without its own comment."""
    if judgment.answer in text.comments:
        return text.comments[judgment.answer]
    if judgment.grade is Grade.FULL:
        return text.right
    return text.other if judgment.is_legal else ""


def _choices(exercise: Exercise, text: ExerciseText, chosen: str) -> list[Choice]:
    """Return the choices; plays are sorted by text, so that their order does not give a hint."""
    if isinstance(exercise, Question):
        labels = {name: text.options[name] for name in exercise.options}
    else:
        labels = {play: play for play in sorted(exercise.answers)}
    return [Choice(value, label, value == chosen) for value, label in labels.items()]


def draw(exercise: Exercise, variant: Variant, after: Position | None = None) -> Drawing:
    """Draw the exercise's position with its roll, or the position after a play."""
    cube = exercise.cube if isinstance(exercise, Question) else None
    position = after or position_of(exercise, variant)
    return boards.draw(position, variant, exercise.dice, cube=cube, is_played=after is not None)


def _board(task: Task, variant: Variant) -> dict[str, Any]:
    position = position_of(task, variant)
    return boards.live_board(position, variant, task.dice, graph_of(task, variant))
