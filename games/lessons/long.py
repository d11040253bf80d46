"""The positions of the lessons for long nardy."""

from games.engine.board.position import Position
from games.engine.rules import Variant
from games.lessons import goals
from games.lessons.exercises import Grade, Lesson, Question, Task

FULL, PARTIAL, AGAIN = Grade.FULL, Grade.PARTIAL, Grade.AGAIN
_START = Position.start(Variant.LONG).to_text()

LESSONS = (
    Lesson(
        "road",
        (
            Task(
                "W:24x14,17x1 B:24x14,18x1",
                (4, 2),
                goals.reaches(11),
                {"17/13 13/11": FULL, "24/20 17/15": AGAIN, "24/22 22/18": AGAIN},
            ),
        ),
    ),
    Lesson(
        "head",
        (
            Task(
                _START,
                (5, 2),
                goals.leaves(24, 14),
                {"24/19 19/17": FULL, "24/19 24/22": AGAIN},
                is_first_turn=True,
            ),
            Question(
                _START,
                {"six-five": AGAIN, "five-five": AGAIN, "six-six": FULL},
            ),
        ),
    ),
    Lesson(
        "points",
        (
            Question(
                "W:24x11,20x1,18x1,17x1,16x1 B:24x11,20x1,19x1,17x1,10x1",
                {"hit": AGAIN, "share": AGAIN, "closed": FULL},
            ),
            Task(
                "W:24x11,20x1,18x1,17x1,16x1 B:24x11,20x1,19x1,17x1,10x1",
                (4, 1),
                goals.holds(20, 19, 18, 17, 16),
                {"24/20 20/19": FULL, "24/23 20/16": AGAIN, "17/13 20/19": AGAIN},
            ),
        ),
    ),
    Lesson(
        "doublets",
        (
            Task(
                "W:24x11,20x2,18x2 B:24x12,20x1,19x1,17x1",
                (2, 2),
                goals.leaves(24, 10),
                {
                    "24/22 22/20 20/18 20/18": FULL,
                    "20/18 20/18 18/16 18/16": PARTIAL,
                    "24/22 24/22 20/18 20/18": AGAIN,
                },
            ),
        ),
    ),
    Lesson(
        "block",
        (
            Question(
                "W:24x5,13x2,9x2,8x2,7x2,6x1,5x1 B:24x10,23x3,22x2",
                {"allowed": AGAIN, "forbidden": FULL},
                dice=(3, 1),
            ),
            Task(
                "W:24x5,13x2,9x2,8x2,7x2,6x1,5x1 B:24x10,23x3,22x1,10x1",
                (3, 1),
                goals.holds(9, 8, 7, 6, 5, 4),
                {"7/4 24/23": FULL, "24/21 21/20": AGAIN, "24/21 9/8": AGAIN},
            ),
        ),
    ),
    Lesson(
        "tempo",
        (
            Task(
                "W:20x2,11x2,8x3,6x4,5x2,4x2 B:6x6,5x5,4x4",
                (6, 5),
                goals.leaves(20, 0),
                {"20/14 20/15": FULL, "20/14 14/9": PARTIAL, "11/5 11/6": AGAIN},
            ),
        ),
    ),
    Lesson(
        "bearing-off",
        (
            Task(
                "W:5x2,3x4,2x4,1x3,off2 B:6x5,5x5,4x5",
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
                "W:off15 B:10x3,6x6,3x6",
                {"single": AGAIN, "mars": FULL, "koks": AGAIN},
            ),
            Question(
                "W:off15 B:20x1,9x4,6x5,3x5",
                {"single": AGAIN, "mars": FULL, "koks": AGAIN},
            ),
        ),
    ),
    Lesson(
        "parity",
        (
            Question(
                "W:off15 B:2x1,1x1,off13",
                {"won": AGAIN, "turn": FULL},
            ),
            Question(
                "W:off15 B:off15",
                {"won": AGAIN, "lost": AGAIN, "draw": FULL},
            ),
        ),
    ),
    Lesson(
        "plan",
        (
            Task(
                "W:24x9,15x1,13x1,11x1,10x1,9x1,8x1 B:24x12,17x1,16x1,6x1",
                (6, 2),
                goals.holds(11, 10, 9, 8, 7),
                {"13/7 15/13": FULL, "15/9 13/11": AGAIN, "24/22 15/9": AGAIN},
            ),
        ),
    ),
)
