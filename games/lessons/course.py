"""The ten lessons of each variant, and the functions that find one."""

from collections.abc import Mapping

from games.engine.rules import Variant
from games.lessons import long, short
from games.lessons.exercises import Lesson

COURSES: Mapping[Variant, tuple[Lesson, ...]] = {
    Variant.SHORT: short.LESSONS,
    Variant.LONG: long.LESSONS,
}


def find_lesson(variant: Variant, name: str) -> Lesson | None:
    return next((lesson for lesson in COURSES[variant] if lesson.name == name), None)


def lesson_after(variant: Variant, lesson: Lesson) -> Lesson | None:
    """Return the next lesson, or None after the last."""
    course = COURSES[variant]
    at = course.index(lesson) + 1
    return course[at] if at < len(course) else None
