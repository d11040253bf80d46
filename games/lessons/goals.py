"""Goals of tasks: conditions on the position after White's play."""

from games.engine.board.position import Position
from games.engine.board.variants import BAR, OFF
from games.lessons.exercises import Goal


def hits(position: Position) -> bool:
    return position.black[BAR] > 0


def leaves_no_blot(position: Position) -> bool:
    return 1 not in position.white[1:BAR]


def makes(*points: int) -> Goal:
    """Return the goal of two or more checkers on each of the points."""
    return lambda position: all(position.white[point] >= 2 for point in points)


def holds(*points: int) -> Goal:
    """Return the goal of a checker on each point: in long nardy one checker closes a point."""
    return lambda position: all(position.white[point] for point in points)


def leaves(point: int, count: int = 0) -> Goal:
    """Return the goal of exactly `count` checkers left on the point."""
    return lambda position: position.white[point] == count


def has_off(count: int) -> Goal:
    return lambda position: position.white[OFF] == count


def reaches(point: int, count: int = 1) -> Goal:
    """Return the goal of at least `count` checkers on the point."""
    return lambda position: position.white[point] >= count
