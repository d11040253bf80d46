"""The positions of the lessons for short backgammon."""

from games.engine.board.position import Position
from games.engine.rules import Variant
from games.lessons import goals
from games.lessons.exercises import Grade, Lesson, Question, Task

FULL, PARTIAL, AGAIN = Grade.FULL, Grade.PARTIAL, Grade.AGAIN
_START = Position.start(Variant.SHORT).to_text()

LESSONS = (
    Lesson(
        "board",
        (
            Task(
                _START,
                (6, 5),
                goals.reaches(13, 6),
                {"24/18 18/13": FULL, "13/7 13/8": AGAIN, "24/18 13/8": PARTIAL},
            ),
        ),
    ),
    Lesson(
        "roll",
        (
            Task(
                _START,
                (5, 1),
                goals.reaches(18),
                {"24/23 23/18": FULL, "24/19 19/18": AGAIN, "24/23 13/8": AGAIN},
            ),
            Question(
                "W:12x1,4x5,3x5,2x4 B:24x2,8x5,6x5,5x3",
                {"six": FULL, "five": AGAIN, "either": AGAIN},
                dice=(6, 5),
            ),
        ),
    ),
    Lesson(
        "hitting",
        (
            Task(
                "W:24x2,13x5,8x3,6x5 B:24x2,13x4,11x1,8x3,6x4,5x1",
                (4, 1),
                goals.hits,
                {"24/20* 6/5": FULL, "24/20* 24/23": FULL, "13/9 6/5": AGAIN, "8/4 24/23": AGAIN},
            ),
        ),
    ),
    Lesson(
        "bar",
        (
            Question(
                "W:bar1,24x1,13x5,8x3,6x5 B:24x2,13x4,8x3,6x4,5x2",
                {"three": FULL, "six": AGAIN, "other": AGAIN},
                dice=(6, 3),
            ),
            Task(
                "W:bar1,24x1,13x5,8x3,6x5 B:24x2,13x4,8x3,6x5,2x1",
                (4, 2),
                goals.hits,
                {"bar/23* 13/9": FULL, "bar/21 13/11": AGAIN, "13/9 13/11": AGAIN},
            ),
        ),
    ),
    Lesson(
        "points",
        (
            Task(
                _START,
                (3, 1),
                goals.makes(5),
                {"8/5 6/5": FULL, "13/10 6/5": PARTIAL, "24/21 21/20": AGAIN, "13/10 10/9": AGAIN},
            ),
        ),
    ),
    Lesson(
        "doublets",
        (
            Task(
                _START,
                (3, 3),
                goals.makes(5, 3),
                {
                    "8/5 8/5 6/3 6/3": FULL,
                    "8/5 8/5 24/21 24/21": PARTIAL,
                    "13/10 13/10 13/10 13/10": AGAIN,
                },
            ),
        ),
    ),
    Lesson(
        "bearing-off",
        (
            Task(
                "W:5x2,3x4,2x4,1x3,off2 B:8x3,6x4,5x4,4x4",
                (4, 3),
                goals.has_off(3),
                {"5/1 3/off": FULL, "5/1 5/2": AGAIN, "3/off 3/off": AGAIN},
            ),
            Task(
                "W:5x2,4x2,3x2,2x3,1x2,off4 B:6x4,5x3,4x3,3x2,2x1,off2",
                (5, 1),
                goals.has_off(6),
                {"5/off 1/off": FULL, "5/off 5/4": AGAIN, "5/off 2/1": AGAIN},
            ),
        ),
    ),
    Lesson(
        "mars",
        (
            Question(
                "W:off15 B:10x2,6x5,5x4,3x4",
                {"single": AGAIN, "mars": FULL, "koks": AGAIN},
            ),
            Question(
                "W:off15 B:20x1,6x6,5x4,3x4",
                {"single": AGAIN, "mars": AGAIN, "koks": FULL},
            ),
        ),
    ),
    Lesson(
        "cube",
        (
            Question(
                "W:6x5,5x4,4x3,3x2,2x1 B:6x4,5x3,4x4,3x3,2x1",
                {"take": FULL, "drop": AGAIN},
                cube=1,
            ),
            Question(
                "W:6x6,5x5,4x4 B:6x1,5x2,4x4,3x3,2x3,1x2",
                {"take": AGAIN, "drop": FULL},
                cube=1,
            ),
            Question(
                "W:off15 B:10x2,6x5,5x4,3x4",
                {"two": AGAIN, "three": AGAIN, "four": FULL},
                cube=2,
            ),
        ),
    ),
    Lesson(
        "plan",
        (
            Task(
                "W:13x2,8x3,6x5,5x3,4x2 B:24x1,13x4,8x4,6x4,4x2",
                (2, 1),
                goals.leaves_no_blot,
                {"6/4 6/5": FULL, "13/11 6/5": AGAIN, "4/2 2/1*": AGAIN},
            ),
            Question(
                "W:13x2,8x3,6x5,5x3,4x2 B:16x2,14x2,8x3,6x4,4x4",
                {"race": FULL, "wait": AGAIN},
            ),
        ),
    ),
)
