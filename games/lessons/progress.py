"""The visitor's results: a guest's in the session, a member's in the account.

A guest's results are saved in the account when they sign in.
"""

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from games.engine.rules import Variant
from games.lessons import services
from games.lessons.exercises import Grade
from games.lessons.stars import Result, Results, best_of

KEY = "lessons"  # in the session: {variant: {exercise: [stars, tries]}}


def results_of(request: HttpRequest, variant: Variant) -> Results:
    in_session = _in_session(request, variant)
    user_id = _member_of(request)
    return best_of(services.kept_results(user_id, variant), in_session) if user_id else in_session


def record(request: HttpRequest, variant: Variant, exercise: str, grade: Grade) -> None:
    results = results_of(request, variant)
    results[exercise] = results.get(exercise, Result()).after(grade)
    user_id = _member_of(request)
    if user_id:
        services.keep(user_id, variant, results)
        _forget(request, variant)
    else:
        request.session[KEY] = {**request.session.get(KEY, {}), variant.value: results}


def save(session: SessionBase, user_id: int) -> None:
    """Move the results of a session to the account of the member who signs in."""
    if not session.get(KEY):
        return
    for name, kept in session[KEY].items():
        results = {key: Result(*result) for key, result in kept.items()}
        services.keep(user_id, Variant(name), results)
    session[KEY] = {}


def _in_session(request: HttpRequest, variant: Variant) -> Results:
    kept = request.session.get(KEY, {}).get(variant.value, {})
    return {key: Result(*result) for key, result in kept.items()}


def _forget(request: HttpRequest, variant: Variant) -> None:
    if variant.value in request.session.get(KEY, {}):
        request.session[KEY].pop(variant.value)
        request.session.modified = True


def _member_of(request: HttpRequest) -> int | None:
    user = request.user
    return user.pk if user.is_authenticated and user.is_member else None
