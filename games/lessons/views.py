"""The pages of the lessons: the list of a variant's lessons, and a lesson with its exercises."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.shared import rate_limits
from accounts.shared.prose import reader_language
from games.engine.rules import Variant
from games.lessons import progress
from games.lessons.course import COURSES, find_lesson, lesson_after
from games.lessons.exercises import Lesson
from games.lessons.judging import judge
from games.lessons.pages import Answered, exercises_of, rows_of
from games.lessons.stars import stars_of
from games.lessons.texts import CourseText, texts_of

LIMIT = "lesson"  # key of ACCOUNT_RATE_LIMITS, with guest_ before it for guests


@never_cache
@require_safe
def lessons(request: HttpRequest, variant: str) -> HttpResponse:
    """List a variant's lessons with the visitor's stars."""
    asked = Variant(variant)
    texts = _texts(asked)
    rows = rows_of(asked, texts, progress.results_of(request, asked))
    done = sum(row.stars > 0 for row in rows)
    context = {
        "variant": variant,
        "language": texts.language,
        "rows": rows,
        "done": done,
        "is_done": done == len(rows),
        "next": next((row for row in rows if not row.stars), None),
    }
    return render(request, "lessons/list.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def lesson(request: HttpRequest, variant: str, name: str) -> HttpResponse:
    """Show a lesson; a POST answers one of its exercises."""
    asked = Variant(variant)
    found = find_lesson(asked, name)
    if found is None:
        raise Http404
    answered = None
    if request.method == "POST":
        if limit := rate_limits.count_start(request, LIMIT):
            return rate_limits.refuse(request, limit)
        answered = _answer(request, asked, found)
    context = _context(request, asked, found, answered)
    is_unreadable = answered is not None and answered.judgment is None
    return render(request, "lessons/lesson.html", context, status=422 if is_unreadable else 200)


def _answer(request: HttpRequest, variant: Variant, lesson: Lesson) -> Answered:
    """Judge the answer and store the result. Raises Http404 for an exercise that does not exist."""
    sent = request.POST.get("exercise", "")
    numbers = {str(number): number for number in range(1, len(lesson.exercises) + 1)}
    if sent not in numbers:
        raise Http404
    number, answer = numbers[sent], request.POST.get("answer", "")
    judgment = judge(lesson.exercises[number - 1], variant, answer)
    if judgment is not None:
        progress.record(request, variant, lesson.result_keys()[number - 1], judgment.grade)
    return Answered(number, answer, judgment)


def _context(
    request: HttpRequest, variant: Variant, lesson: Lesson, answered: Answered | None
) -> dict[str, Any]:
    texts = _texts(variant)
    results = progress.results_of(request, variant)
    text = texts.lessons[lesson.name]
    rows = rows_of(variant, texts, results)
    return {
        "variant": variant.value,
        "language": texts.language,
        "lesson": lesson,
        "text": text,
        "number": COURSES[variant].index(lesson) + 1,
        "exercises": list(exercises_of(lesson, variant, text.exercises, results, answered)),
        "stars": stars_of(lesson, results),
        "next": lesson_after(variant, lesson),
        "done": sum(row.stars > 0 for row in rows),
        "is_course_done": all(row.stars for row in rows),
    }


def _texts(variant: Variant) -> CourseText:
    return texts_of(variant, reader_language())
