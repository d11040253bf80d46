"""A diagram of the rules as a turn to play by hand, under the rules of a match or a rule set."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.board_svg import Drawing
from games.engine.board.legal import legal_plays, match_play, turn_graph
from games.engine.board.moves import play_from_text, play_to_text
from games.engine.board.position import Position
from games.engine.board.turn_graph import TurnGraph
from games.engine.board.turn_search import Dice
from games.engine.errors import IllegalAction, InvalidAction
from games.engine.rules import Rules
from games.engine.sides import Side
from games.rulebook.boards import draw, live_board
from games.rulebook.diagrams import EXAMPLES, Example
from games.rulebook.reasons import reason_sentence

# Maximum number of legal plays listed for visitors without script.
MOST_CHOICES = 6


@dataclass(frozen=True, slots=True)
class Verdict:
    """The rules' verdict on a play. `is_read` is False if the text sent is empty or not a play."""

    is_allowed: bool = False
    reason: str = ""
    after: Position | None = None
    is_read: bool = True


def may_be_tried(example: Example) -> bool:
    return example.dice is not None


class Try:
    """One diagram, played by hand. `answer` is the play that was sent, None before one was sent."""

    def __init__(self, name: str, rules: Rules, answer: str | None = None) -> None:
        """Raise KeyError for a diagram that does not exist or has no roll to play."""
        example = EXAMPLES[rules.variant][name]
        if example.dice is None:
            raise KeyError(name)
        self.name, self.rules, self.answer = name, rules, answer
        self._example, self._dice = example, example.dice
        self._position = Position.from_text(example.position, rules.variant)

    @cached_property
    def verdict(self) -> Verdict | None:
        return None if self.answer is None else self._judge(self.answer)

    @property
    def is_over(self) -> bool:
        return self.verdict is not None and self.verdict.is_allowed

    @property
    def drawing(self) -> Drawing:
        after = self.verdict.after if self.verdict else None
        position = after or self._position
        return draw(position, self.rules.variant, self._dice, is_played=after is not None)

    @property
    def board(self) -> dict[str, Any] | None:
        """Return the data of the board to play on, None once the turn is played."""
        if self.is_over:
            return None
        return live_board(self._position, self.rules.variant, self._dice, self._graph)

    @property
    def choices(self) -> Sequence[str]:
        """Return plays to choose from: those of the diagram and others that the rules allow."""
        plays = legal_plays(*self._turn).values()
        legal = sorted(play_to_text(play) for play in plays)[:MOST_CHOICES]
        named = filter(None, (self._example.good, self._example.bad))
        return sorted({*named, *filter(None, legal)})

    def _judge(self, answer: str) -> Verdict:
        try:
            _play, after = match_play(self._graph, play_from_text(answer))
        except IllegalAction as refused:
            return Verdict(reason=reason_sentence(refused.reason, refused.points))
        except InvalidAction:
            return Verdict(is_read=False)
        return Verdict(is_allowed=True, after=after)

    @property
    def _turn(self) -> tuple[Position, Side, Dice, Rules, bool]:
        return self._position, Side.WHITE, self._dice, self.rules, self._example.is_first_turn

    @cached_property
    def _graph(self) -> TurnGraph:
        return turn_graph(*self._turn)
