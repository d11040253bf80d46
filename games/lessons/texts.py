"""The texts of the lessons: `locale/<language>/lessons/<variant>.toml`.

Each variant and language has one file: coherent prose is easier to translate there than in the
gettext catalogs. A language without a file gets the English texts.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from accounts.shared.prose import file_of
from games.engine.rules import Variant

# The hyphen of a roll such as "6-5"; it is replaced by one at which no line breaks.
_ROLL = re.compile(r"(?<=\d)-(?=\d)")


@dataclass(frozen=True, slots=True)
class ExerciseText:
    """The texts of an exercise.

    `comments` are those on single answers. Without one, a right answer gets `right`, a legal answer
    that is not right gets `other`. `options` are the labels of a question's options.
    """

    ask: str
    hint: str
    right: str
    other: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    comments: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LessonText:
    title: str
    text: tuple[str, ...]
    exercises: tuple[ExerciseText, ...]


@dataclass(frozen=True, slots=True)
class CourseText:
    """The texts of a course by the name of the lesson, and the language they are in."""

    language: str
    lessons: Mapping[str, LessonText]


@cache
def texts_of(variant: Variant, language: str) -> CourseText:
    path, written_in = file_of(f"lessons/{variant.value}.toml", language)
    found = tomllib.loads(_ROLL.sub("\u2011", path.read_text(encoding="utf-8")))
    return CourseText(written_in, {name: _lesson(each) for name, each in found.items()})


def _lesson(found: dict[str, Any]) -> LessonText:
    exercises = tuple(ExerciseText(**each) for each in found["exercises"])
    return LessonText(found["title"], tuple(found["text"]), exercises)
