"""The pages of the lessons, used without scripts: answers, stars and the storage of results."""

import re

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from accounts.closing import services as closing
from accounts.profile import preferences
from config.personal_data import data_of
from games.engine.rules import Variant
from games.lessons import services
from games.lessons.course import COURSES
from games.lessons.exercises import Grade, Question
from games.lessons.stars import Result
from games.models import LessonResult, Match
from tests.accounts.factories import PASSWORD, member, sign_in
from tests.games.browsing import data_in

pytestmark = pytest.mark.django_db
HITTING = "/en/lessons/short/hitting/"
GRADE = re.compile(r'data-grade="(\w*)"')


def answer(client: Client, text: str, path: str = HITTING, exercise: int = 1):
    return client.post(path, {"exercise": str(exercise), "answer": text})


def page(response) -> str:
    return response.content.decode()


def grade_of(response) -> str:
    found = GRADE.search(page(response))
    assert found is not None
    return found[1]


def solve_all(client: Client, variant: Variant) -> None:
    for lesson in COURSES[variant]:
        for number, exercise in enumerate(lesson.exercises, start=1):
            answers = exercise.options if isinstance(exercise, Question) else exercise.answers
            right = next(name for name, grade in answers.items() if grade is Grade.FULL)
            path = f"/en/lessons/{variant}/{lesson.name}/"
            assert grade_of(answer(client, right, path, number)) == "full"


@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize("language", ["en", "ru", "tr"])
def test_every_lesson_is_a_page_in_every_language(client, variant, language):
    listed = page(client.get(f"/{language}/lessons/{variant}/"))
    for lesson in COURSES[variant]:
        path = f"/{language}/lessons/{variant}/{lesson.name}/"
        assert path in listed
        shown = page(client.get(path))
        assert shown.count('class="card exercise"') == len(lesson.exercises)
        assert shown.count('name="exercise"') == len(lesson.exercises)


@pytest.mark.parametrize(
    ("played", "grade", "said"),
    [
        ("24/20* 6/5", "full", "is on the bar"),
        ("24/20 8/7", "full", "is on the bar"),  # another hitting play, written without *
        ("13/9 6/5", "again", "is still there"),
        ("24/19", "again", "rules do not allow"),
    ],
)
def test_a_play_is_judged_by_the_engine(client, played, grade, said):
    response = answer(client, played)
    assert grade_of(response) == grade
    assert said in page(response)


def test_a_common_answer_has_its_own_reason_and_a_partial_grade(client):
    response = answer(client, "13/10 6/5", "/en/lessons/short/points/")
    assert grade_of(response) == "partial"
    assert "alone it can be hit" in page(response)


def test_empty_answer_is_refused_and_not_counted(client):
    response = answer(client, "")
    assert response.status_code == 422
    assert "Choose an answer first." in page(response)
    assert "lessons" not in client.session


@pytest.mark.parametrize("exercise", ["0", "2", "x"])
def test_unknown_exercise_is_not_found(client, exercise):
    assert client.post(HITTING, {"exercise": exercise, "answer": "x"}).status_code == 404


def test_an_unknown_lesson_is_not_found(client):
    assert client.get("/en/lessons/short/castling/").status_code == 404


def test_opening_a_lesson_creates_no_session(client):
    client.get(HITTING)
    assert "sessionid" not in client.cookies


def test_stars_of_a_guest_are_in_the_session_and_never_decrease(client):
    answer(client, "24/20* 6/5")
    assert client.session["lessons"] == {"short": {"hitting-1": [3, 1]}}
    answer(client, "13/9 6/5")
    assert client.session["lessons"]["short"]["hitting-1"] == [3, 2]
    assert "1 of 10" in page(client.get("/en/lessons/short/"))
    assert "3 stars of 3" in page(client.get("/en/lessons/short/"))


def test_partial_answer_earns_one_star_and_a_later_right_answer_two(client):
    path = "/en/lessons/short/points/"
    answer(client, "13/10 6/5", path)
    assert client.session["lessons"]["short"]["points-1"] == [1, 1]
    answer(client, "8/5 6/5", path)
    assert client.session["lessons"]["short"]["points-1"] == [2, 2]


def test_results_of_a_member_are_in_the_account(client):
    anna = member("Anna")
    sign_in(client, anna)
    answer(client, "13/9 6/5")
    answer(client, "24/20* 6/5")
    row = LessonResult.objects.get()
    assert (row.user, row.variant, row.exercise) == (anna, "short", "hitting-1")
    assert (row.stars, row.tries) == (2, 2)
    assert data_of(anna)["lessons"] == [
        {"variant": "short", "exercise": "hitting-1", "stars": 2, "tries": 2}
    ]


def test_board_of_a_lesson_has_the_choices_of_the_members_account(client):
    assert data_in(page(client.get(HITTING)), "exercise-boot")["choices"] is None
    anna = member("Anna")
    preferences.choose(anna.pk, board="night")
    sign_in(client, anna)
    boot = data_in(page(client.get(HITTING)), "exercise-boot")
    assert (boot["member"], boot["choices"]["board"]) == (anna.public_id, "night")


def test_results_are_deleted_when_the_account_is_closed(client):
    user = member("pupil")
    services.keep(user.pk, Variant.SHORT, {"hitting-1": Result(3, 1)})
    assert LessonResult.objects.filter(user=user).exists()
    closing.close(user.pk, timezone.now())
    assert not LessonResult.objects.exists()


def test_results_of_a_guest_are_saved_in_the_account_after_signing_in(client):
    answer(client, "24/20* 6/5")
    anna = member("Anna")
    signed_in = client.post("/account/login/", {"login": "Anna", "password": PASSWORD})
    assert signed_in.status_code == 302
    assert "1 of 10" in page(client.get("/en/lessons/short/"))
    answer(client, "8/5 6/5", "/en/lessons/short/points/")
    kept = LessonResult.objects.filter(user=anna).values_list("exercise", "stars")
    assert dict(kept) == {"hitting-1": 3, "points-1": 3}
    assert client.session["lessons"] == {}


def test_results_of_a_guest_who_answers_no_more_are_saved_at_the_sign_in(client):
    answer(client, "24/20* 6/5")
    anna = member("Anna")
    client.post("/account/login/", {"login": "Anna", "password": PASSWORD})
    row = LessonResult.objects.get()
    assert (row.user, row.variant, row.exercise, row.stars) == (anna, "short", "hitting-1", 3)
    phone = sign_in(Client(), anna)
    assert "1 of 10" in page(phone.get("/en/lessons/short/"))


@pytest.mark.parametrize("variant", Variant)
def test_button_after_all_lessons_starts_a_match_against_the_weakest_bot(client, variant):
    assert "/training/start/" not in page(client.get(f"/en/lessons/{variant}/"))
    solve_all(client, variant)
    listed = page(client.get(f"/en/lessons/{variant}/"))
    assert "10 of 10" in listed
    form = listed.split('action="/training/start/"')[1].split("</form>")[0]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    client.post("/training/start/", fields)
    match = Match.objects.get()
    assert match.variant == variant
    assert match.seats.exclude(bot="").get().bot == "beginner"


def test_answers_are_limited_in_rate(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "guest_lesson": "1/m/ip"}
    assert answer(client, "24/20* 6/5").status_code == 200
    assert answer(client, "24/20* 6/5").status_code == 429


@pytest.mark.parametrize("path", ["/en/", "/en/rules/short/", "/en/rules/long/", "/training/"])
def test_pages_for_newcomers_link_to_the_lessons(client, path):
    with override("en"):
        assert "/en/lessons/" in page(client.get(path))
