"""The texts of the lessons fit the exercises, in every language of the site."""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings

from games.engine.rules import Variant
from games.lessons.course import COURSES
from games.lessons.exercises import Exercise, Grade, Question
from games.lessons.texts import CourseText, ExerciseText, texts_of

LANGUAGES = list(settings.SITE_LANGUAGES)
EVERY = [(variant, language) for variant in Variant for language in LANGUAGES]


def pairs(variant: Variant, texts: CourseText) -> Iterator[tuple[Exercise, ExerciseText]]:
    for lesson in COURSES[variant]:
        yield from zip(lesson.exercises, texts.lessons[lesson.name].exercises, strict=True)


def strings(texts: CourseText) -> Iterator[str]:
    for lesson in texts.lessons.values():
        yield from (lesson.title, *lesson.text)
        for each in lesson.exercises:
            yield from (each.ask, each.hint, each.right, each.other)
            yield from (*each.options.values(), *each.comments.values())


@pytest.mark.parametrize(("variant", "language"), EVERY)
def test_every_lesson_has_its_texts(variant, language):
    texts = texts_of(variant, language)
    assert texts.language == language
    assert list(texts.lessons) == [lesson.name for lesson in COURSES[variant]]


@pytest.mark.parametrize(("variant", "language"), EVERY)
def test_every_wrong_answer_has_a_reason(variant, language):
    for exercise, text in pairs(variant, texts_of(variant, language)):
        is_question = isinstance(exercise, Question)
        answers = exercise.options if is_question else exercise.answers
        assert text.options.keys() == (exercise.options.keys() if is_question else set())
        assert text.comments.keys() <= answers.keys()
        wrong = {answer for answer, grade in answers.items() if grade is not Grade.FULL}
        if is_question:
            assert wrong == text.comments.keys(), text.ask
        else:
            assert text.other or wrong <= text.comments.keys(), text.ask


@pytest.mark.parametrize(("variant", "language"), EVERY)
def test_texts_use_the_quotation_marks_of_their_language(variant, language):
    foreign = settings.SITE_LANGUAGES[language].foreign_quotes
    for text in strings(texts_of(variant, language)):
        assert not set(text) & (set(foreign) | {"'"}), text
        assert "!" not in text, text
        assert text == text.strip()


@pytest.mark.parametrize("variant", Variant)
def test_all_languages_name_the_same_rolls_plays_and_pips(variant):
    # Rolls, moves, and the pip counts that the questions name.
    figures = re.compile(r"\d\u2011\d|\d+/\d+|\b(?:49|66|70|77|103|124)\b")

    def named(language: str) -> list[list[str]]:
        found = pairs(variant, texts_of(variant, language))
        return [sorted(figures.findall(text.ask + text.right)) for _exercise, text in found]

    english = named("en")
    assert {language: named(language) for language in LANGUAGES} == dict.fromkeys(
        LANGUAGES, english
    )


def test_a_language_without_lessons_gets_the_english_ones():
    assert texts_of(Variant.SHORT, "xx").language == "en"
