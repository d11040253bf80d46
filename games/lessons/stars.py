"""Stars for an exercise: three if solved at the first try, two if later, one if solved in part."""

from typing import NamedTuple, Self

from games.lessons.exercises import Grade, Lesson

MOST = 3
# Tries are counted up to this number.
_MAX_TRIES = 99


class Result(NamedTuple):
    """The stored result of an exercise. `stars` is 0 until it is solved at least in part."""

    stars: int = 0
    tries: int = 0

    def after(self, grade: Grade) -> Self:
        return type(self)(max(self.stars, self._earned(grade)), min(self.tries + 1, _MAX_TRIES))

    def _earned(self, grade: Grade) -> int:
        if grade is Grade.FULL:
            return MOST if self.tries == 0 else MOST - 1
        return 1 if grade is Grade.PARTIAL else 0


Results = dict[str, Result]


def best_of(one: Results, other: Results) -> Results:
    """Merge the results; keep the better one of each exercise.

    The better one has more stars or, with equal stars, more tries.
    """
    return {key: max(one.get(key, Result()), other.get(key, Result())) for key in one | other}


def stars_of(lesson: Lesson, results: Results) -> int:
    """Return the stars of a lesson: 0 until each exercise has some, then the mean, halves up."""
    stars = [results.get(key, Result()).stars for key in lesson.result_keys()]
    # Without `round`, which takes halves to the even number: 2.5 stars are 3.
    return (2 * sum(stars) + len(stars)) // (2 * len(stars)) if all(stars) else 0
