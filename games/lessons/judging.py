"""The grade of an answer. A play is judged by the position after it, however it is written."""

from dataclasses import dataclass

from games.engine.board.legal import match_play, turn_graph
from games.engine.board.moves import play_from_text
from games.engine.board.position import Position
from games.engine.board.turn_graph import TurnGraph
from games.engine.errors import IllegalAction, InvalidAction
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.lessons.exercises import Exercise, Grade, Question, Task


@dataclass(frozen=True, slots=True)
class Judgment:
    """The grade of an answer and what the page needs to comment on it.

    `answer` is the exercise's own name for the answer, "" for a play that the exercise does not
    name. `after` is the position after a legal play, None for other answers.
    """

    grade: Grade
    answer: str
    after: Position | None = None
    is_legal: bool = True


def judge(exercise: Exercise, variant: Variant, answer: str) -> Judgment | None:
    """Return the judgment; None for an answer that cannot be read as an option or a play."""
    if isinstance(exercise, Question):
        grade = exercise.options.get(answer)
        return None if grade is None else Judgment(grade, answer)
    graph = graph_of(exercise, variant)
    try:
        _play, after = match_play(graph, play_from_text(answer))
    except IllegalAction:
        named = answer if answer in exercise.answers else ""
        return Judgment(Grade.AGAIN, named, is_legal=False)
    except InvalidAction:
        return None
    named = _named_plays(exercise, graph).get(after, "")
    return Judgment(_grade(exercise, named, after), named, after)


def _grade(task: Task, named: str, after: Position) -> Grade:
    if named:
        return task.answers[named]
    return Grade.FULL if task.goal(after) else Grade.AGAIN


def position_of(exercise: Exercise, variant: Variant) -> Position:
    return Position.from_text(exercise.position, variant)


def graph_of(task: Task, variant: Variant) -> TurnGraph:
    """Return the legal plays by the standard rules of the variant."""
    position = position_of(task, variant)
    return turn_graph(position, Side.WHITE, task.dice, Rules.of(variant), task.is_first_turn)


def _named_plays(task: Task, graph: TurnGraph) -> dict[Position, str]:
    """Return the answers that are legal plays, by the position after each."""
    found = {}
    for answer in task.answers:
        try:
            _play, after = match_play(graph, play_from_text(answer))
        except IllegalAction:
            continue
        found[after] = answer
    return found
