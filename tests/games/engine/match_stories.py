"""Play matches action by action and keep their log, so that a test can fold it."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from games.engine.board.legal import legal_plays
from games.engine.board.moves import play_to_text
from games.engine.board.position import Position
from games.engine.match import actions as A
from games.engine.match.apply import apply, fold, new_match
from games.engine.match.permissions import (
    is_first_turn,
    may_beaver,
    may_double,
    on_turn,
    resign_factors,
)
from games.engine.match.state import MatchState, Phase
from games.engine.rules import Rules, Variant
from games.engine.sides import Pair, Side

WHITE, BLACK = Side.WHITE, Side.BLACK
SIDES = (WHITE, BLACK)


class Story:
    """A match in progress; `do` applies and logs an action, `step_ms` after the last one."""

    def __init__(self, rules: Rules, step_ms: int = 10) -> None:
        self.rules = rules
        self.state = new_match(rules)
        self.log: list[A.Action] = []
        self.at_ms = 0
        self.step_ms = step_ms

    def do(self, kind: type[A.Action], side: Side | None = None, **given: Any) -> MatchState:
        self.at_ms = given.pop("at_ms", self.at_ms + self.step_ms)
        if side is not None:
            given["side"] = side
        action = kind(at_ms=self.at_ms, **given)
        self.state = apply(self.state, action)
        self.log.append(action)
        return self.state

    def begin(self, white: int = 3, black: int = 1) -> MatchState:
        """Start the next game with its opening throw."""
        self.do(A.Start, game=self.state.game + 1)
        return self.do(A.Opening, white=white, black=black)

    def any_play(self, choose: Callable[[list[str]], str] = min) -> MatchState:
        """Play the current dice by one of the legal plays, which `choose` selects."""
        state = self.state
        assert state.turn is not None
        assert state.dice is not None
        plays = legal_plays(
            state.position, state.turn, state.dice, self.rules, is_first_turn(state)
        )
        text = choose([play_to_text(play) for play in plays.values()])
        return self.do(A.Play, state.turn, text=text)

    def turn(self, d1: int = 2, d2: int = 1) -> MatchState:
        """Roll for the side on turn unless it has rolled, and make a legal play."""
        if self.state.phase is Phase.TO_ROLL:
            self.do(A.Roll, self.state.turn, d1=d1, d2=d2)
        return self.any_play()

    def folds(self) -> bool:
        return fold(self.rules, self.log) == self.state


def board(variant: Variant | str, white: dict[int, int], black: dict[int, int]) -> Position:
    """Return a position from {point: count} with 25 = bar; the other checkers are off."""

    def counts(given: dict[int, int]) -> tuple[int, ...]:
        array = [given.get(point, 0) for point in range(26)]
        array[0] += 15 - sum(array)
        return tuple(array)

    text = Position(counts(white), counts(black)).to_text()
    return Position.from_text(text, Variant(variant))


def in_play(
    rules: Rules, position: Position, turn: Side, dice: tuple[int, int] | None = None, **given: Any
) -> MatchState:
    """Return a game in progress after several turns; `given` are other fields of the state."""
    story = Story(rules)
    story.begin(*((3, 1) if given.get("first", WHITE) is WHITE else (1, 3)))
    phase = Phase.TO_PLAY if dice else Phase.TO_ROLL
    fields = {"turns": (20, 20), "phase": phase, **given}
    for name in ("score", "turns"):
        if name in fields:
            fields[name] = Pair(*fields[name])
    return replace(story.state, position=position, turn=turn, dice=dice, **fields)


def act(state: MatchState, kind: type[A.Action], side: Side | None = None, **given: Any):
    """Return the state after an action, by default at the time of the state."""
    if side is not None:
        given["side"] = side
    return apply(state, kind(at_ms=given.pop("at_ms", state.at_ms), **given))


def random_story(rules: Rules, rng: random.Random, max_games: int | None = None) -> Story:
    """Play a match by random legal actions, including offers; stop after `max_games`."""
    story = Story(rules)
    while story.state.phase is not Phase.FINISHED:
        if story.state.phase in (Phase.SEATING, Phase.BETWEEN_GAMES):
            if max_games is not None and story.state.game == max_games:
                break
            story.do(A.Start, game=story.state.game + 1)
        elif story.state.phase is Phase.OPENING:
            story.do(A.Opening, white=rng.randint(1, 6), black=rng.randint(1, 6))
        else:
            _random_action(story, rng)
    return story


def _random_action(story: Story, rng: random.Random) -> None:
    state = story.state
    side = on_turn(state)
    assert side is not None
    if state.offer is not None:
        story.do(rng.choice((A.Accept, A.Refuse, A.Refuse)), side)
    elif state.phase in (Phase.CUBE_OFFERED, Phase.BEAVERED):
        answers = [A.Take, A.Take, A.Drop] + [A.Beaver] * may_beaver(state, side)
        story.do(rng.choice(answers), side)
    elif rng.random() < 0.004 and resign_factors(state, side):
        story.do(A.Resign, side, factor=rng.choice(resign_factors(state, side)))
    elif state.phase is Phase.TO_ROLL and rng.random() < 0.1 and may_double(state, side):
        story.do(A.Double, side)
    elif state.phase is Phase.TO_ROLL:
        story.do(A.Roll, side, d1=rng.randint(1, 6), d2=rng.randint(1, 6))
    else:
        story.any_play(rng.choice)


__all__ = [
    "BLACK",
    "SIDES",
    "WHITE",
    "Story",
    "act",
    "board",
    "in_play",
    "random_story",
]
