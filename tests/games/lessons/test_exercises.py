"""Every exercise has exactly the right answers that it claims, checked with the engine."""

from collections.abc import Iterator

import pytest

from games.engine.board.explain import why_not
from games.engine.board.legal import legal_plays
from games.engine.board.moves import play_to_text
from games.engine.board.position import Position
from games.engine.board.variants import HEAD, OFF
from games.engine.errors import Reason
from games.engine.match.cube import Cube
from games.engine.match.scoring import borne_off
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.lessons.course import COURSES
from games.lessons.exercises import Grade, Question, Task
from games.lessons.judging import judge, position_of

EXERCISES = {
    (variant, key): exercise
    for variant, course in COURSES.items()
    for lesson in course
    for key, exercise in zip(lesson.result_keys(), lesson.exercises, strict=True)
}
TASKS = {at: each for at, each in EXERCISES.items() if isinstance(each, Task)}
QUESTIONS = {at: each for at, each in EXERCISES.items() if isinstance(each, Question)}
SHORT, LONG = Variant.SHORT, Variant.LONG
# Every right play of each task, one for each resulting position.
RIGHT = {
    (SHORT, "board-1"): ["24/18 18/13"],
    (SHORT, "roll-1"): ["24/23 23/18"],
    (SHORT, "hitting-1"): ["24/20* 6/5", "24/20* 8/7", "24/20* 24/23"],
    (SHORT, "bar-2"): ["bar/23* 6/2", "bar/23* 8/4", "bar/23* 13/9", "bar/23* 24/20"],
    (SHORT, "points-1"): ["8/5 6/5"],
    (SHORT, "doublets-1"): ["6/3 6/3 8/5 8/5"],
    (SHORT, "bearing-off-1"): ["5/1 3/off"],
    (SHORT, "bearing-off-2"): ["5/off 1/off"],
    (SHORT, "plan-1"): ["6/4 5/4", "6/4 6/5", "8/6 5/4", "8/6 6/5"],
    (LONG, "road-1"): ["17/13 13/11"],
    (LONG, "head-1"): ["24/19 19/17"],
    (LONG, "points-2"): ["24/20 20/19"],
    (LONG, "doublets-1"): [
        "18/16 16/14 18/16 24/22", "18/16 16/14 20/18 24/22", "18/16 16/14 24/22 22/20",
        "18/16 18/16 20/18 24/22", "18/16 18/16 24/22 22/20", "18/16 20/18 20/18 24/22",
        "18/16 20/18 24/22 22/20", "20/18 20/18 24/22 22/20",
    ],
    (LONG, "block-2"): ["7/4 8/7", "7/4 9/8", "7/4 24/23"],
    (LONG, "tempo-1"): ["20/14 20/15"],
    (LONG, "bearing-off-1"): ["5/1 3/off"],
    (LONG, "bearing-off-2"): ["5/off 1/off"],
    (LONG, "plan-1"): ["13/7 15/13", "13/7 24/22"],
}  # fmt: skip


def names(exercises: dict[tuple[Variant, str], object]) -> list[str]:
    return [f"{variant.value}-{key}" for variant, key in exercises]


def plays_of(variant: Variant, task: Task) -> Iterator[str]:
    position, rules = position_of(task, variant), Rules.of(variant)
    found = legal_plays(position, Side.WHITE, task.dice, rules, task.is_first_turn)
    return (play_to_text(play) for play in found.values())


@pytest.mark.parametrize("variant", Variant)
def test_a_course_has_ten_lessons_with_one_to_three_exercises(variant):
    lengths = [len(lesson.exercises) for lesson in COURSES[variant]]
    assert len(lengths) == 10
    assert all(1 <= length <= 3 for length in lengths)
    assert len({lesson.name for lesson in COURSES[variant]}) == 10


def test_right_plays_of_every_task_are_listed_here():
    assert RIGHT.keys() == TASKS.keys()


@pytest.mark.parametrize(("variant", "key"), TASKS, ids=names(TASKS))
def test_task_has_exactly_the_listed_right_plays(variant, key):
    task = TASKS[variant, key]
    judged = {play: judge(task, variant, play) for play in plays_of(variant, task)}
    assert all(judgment and judgment.is_legal for judgment in judged.values())
    right = [play for play, judgment in judged.items() if judgment.grade is Grade.FULL]
    assert right == RIGHT[variant, key]


@pytest.mark.parametrize(("variant", "key"), TASKS, ids=names(TASKS))
def test_listed_answers_are_graded_by_the_goal(variant, key):
    task = TASKS[variant, key]
    assert len(task.answers) > 1
    for answer, grade in task.answers.items():
        judgment = judge(task, variant, answer)
        assert judgment is not None
        assert (judgment.grade, judgment.answer) == (grade, answer)
        if judgment.is_legal:
            assert task.goal(judgment.after) == (grade is Grade.FULL), answer
        else:
            assert grade is Grade.AGAIN, answer
    assert Grade.FULL in task.answers.values()


@pytest.mark.parametrize(("variant", "key"), QUESTIONS, ids=names(QUESTIONS))
def test_a_question_has_one_right_answer(variant, key):
    question = QUESTIONS[variant, key]
    position_of(question, variant)  # raises if the position is impossible
    assert list(question.options.values()).count(Grade.FULL) == 1


@pytest.mark.parametrize("answer", ["", "nonsense", "24/18 13", "99/1", "-"])
@pytest.mark.parametrize("key", [(SHORT, "board-1"), (SHORT, "mars-1")])
def test_an_unreadable_answer_is_never_right(key, answer):
    judgment = judge(EXERCISES[key], key[0], answer)
    assert judgment is None or judgment.grade is Grade.AGAIN


# --- The claims of questions about their positions ------------------------------------------------


def right(variant: Variant, key: str) -> str:
    options = QUESTIONS[variant, key].options
    return next(name for name, grade in options.items() if grade is Grade.FULL)


def start_of(variant: Variant, key: str) -> Position:
    return position_of(QUESTIONS[variant, key], variant)


@pytest.mark.parametrize(
    ("variant", "key"),
    [(SHORT, "mars-1"), (SHORT, "mars-2"), (LONG, "mars-1"), (LONG, "mars-2")],
)
def test_win_has_the_points_that_the_lesson_says(variant, key):
    result = borne_off(start_of(variant, key), Side.WHITE, Rules.of(variant), Cube())
    assert {"single": 1, "mars": 2, "koks": 3}[right(variant, key)] == result.points


def test_koks_switch_makes_the_second_mars_question_of_long_nardy_count_three():
    rules = Rules.of(LONG, koks=True)
    assert borne_off(start_of(LONG, "mars-2"), Side.WHITE, rules, Cube()).points == 3


def test_the_cube_multiplies_the_mars():
    question = QUESTIONS[SHORT, "cube-3"]
    result = borne_off(
        start_of(SHORT, "cube-3"),
        Side.WHITE,
        Rules.of(SHORT, length=5),
        Cube(question.cube, None),
    )
    assert {"two": 2, "three": 3, "four": 4}[right(SHORT, "cube-3")] == result.points


def test_pips_equal_those_in_the_texts():
    """The texts in all languages name these numbers (see test_texts.py)."""
    found = {
        key: (start_of(SHORT, key).pips(Side.WHITE), start_of(SHORT, key).pips(Side.BLACK))
        for key in ("cube-1", "cube-2", "plan-2")
    }
    assert found == {"cube-1": (70, 66), "cube-2": (77, 49), "plan-2": (103, 124)}


def test_the_larger_die_is_compulsory_where_the_lesson_says_so():
    question = QUESTIONS[SHORT, "roll-2"]
    plays = legal_plays(start_of(SHORT, "roll-2"), Side.WHITE, question.dice, Rules.of(SHORT))
    assert [play_to_text(play) for play in plays.values()] == ["12/6"]


def test_only_the_three_enters_from_the_bar():
    question = QUESTIONS[SHORT, "bar-1"]
    plays = legal_plays(start_of(SHORT, "bar-1"), Side.WHITE, question.dice, Rules.of(SHORT))
    assert all(play[0].source == 25 and play[0].die == 3 for play in plays.values())


def test_only_double_six_takes_a_second_checker_off_the_head():
    taken = {}
    for name, dice in {"six-five": (6, 5), "five-five": (5, 5), "six-six": (6, 6)}.items():
        results = legal_plays(
            Position.start(LONG), Side.WHITE, dice, Rules.of(LONG), first_turn=True
        )
        taken[name] = max(15 - after.white[HEAD] for after in results)
    assert [name for name, count in taken.items() if count == 2] == [right(LONG, "head-2")]


def test_a_single_checker_closes_a_point_in_long_nardy():
    plays = legal_plays(start_of(LONG, "points-1"), Side.WHITE, (2, 1), Rules.of(LONG))
    assert not any(
        (move.source, move.target) == (24, 22) for play in plays.values() for move in play
    )


def test_the_block_is_forbidden_where_the_lesson_says_so():
    dice = QUESTIONS[LONG, "block-1"].dice
    refusal = why_not(start_of(LONG, "block-1"), Side.WHITE, dice, Rules.of(LONG), False, [], 7, 4)
    assert refusal is not None
    assert refusal.reason is Reason.BLOCK


def test_black_can_bear_off_all_in_the_last_turn_that_parity_gives():
    position = start_of(LONG, "parity-1")
    results = legal_plays(position, Side.BLACK, (2, 1), Rules.of(LONG, parity=True))
    assert any(after.black[OFF] == 15 for after in results)
