"""The stars of a lesson, computed from the stars of its exercises."""

import pytest

from games.lessons.exercises import Lesson
from games.lessons.short import LESSONS
from games.lessons.stars import Result, stars_of


def lesson_of(count: int) -> Lesson:
    return next(lesson for lesson in LESSONS if len(lesson.result_keys()) == count)


@pytest.mark.parametrize(
    ("stars", "expected"),
    [([3], 3), ([2, 1], 2), ([3, 2], 3), ([1, 1], 1), ([3, 1], 2), ([3, 0], 0), ([0, 0], 0)],
)
def test_halves_of_the_mean_are_rounded_up(stars: list[int], expected: int) -> None:
    lesson = lesson_of(len(stars))
    results = {key: Result(each, 1) for key, each in zip(lesson.result_keys(), stars, strict=True)}
    assert stars_of(lesson, results) == expected
