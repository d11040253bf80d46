"""Random whole matches as exports, played with `apply` alone, for the tests of match texts."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from games.engine.board.legal import legal_plays
from games.engine.board.moves import Play, play_to_text
from games.engine.board.position import Position
from games.engine.dice import commitment, entropy_hash
from games.engine.formats.json_export import to_export
from games.engine.match import actions
from games.engine.match.apply import apply, new_match
from games.engine.match.permissions import (
    graph_of,
    is_first_turn,
    may_beaver,
    may_double,
    on_turn,
    resign_factors,
)
from games.engine.match.state import GameResult, MatchState, Phase
from games.engine.rules import Rules
from games.engine.sides import Side

SECRET = bytes(32)
ENDINGS = ("played", "unfinished", "flag", "resign_match", "leave", "claim", "void")
Chooser = Callable[[dict[Position, Play], Side, random.Random], Play]


def any_play(plays: dict[Position, Play], side: Side, rng: random.Random) -> Play:
    return rng.choice(list(plays.values()))


def racing(plays: dict[Position, Play], side: Side, rng: random.Random) -> Play:
    """Choose a play that moves the rearmost checkers up, so that games end, some as gammons."""
    best = max(
        plays, key=lambda after: (after.pips(side.other) - spread(after, side), rng.random())
    )
    return plays[best]


def lagging(plays: dict[Position, Play], side: Side, rng: random.Random) -> Play:
    """Choose a play that keeps the rearmost checkers back, to lose gammons and backgammons."""
    return plays[max(plays, key=lambda after: (spread(after, side), rng.random()))]


def spread(position: Position, side: Side) -> int:
    """Return a sum over the side's checkers in which the rearmost weigh most."""
    return sum(count * point * point for point, count in enumerate(position.of(side)))


class RandomMatch:
    """Plays one match at random. `state` is the state after the actions of `log`.

    `cubes` is the probability of a double before a roll, `resigns` that of resigning the game
    before a roll or a play.
    """

    def __init__(self, rules: Rules, rng: random.Random, *, cubes: float, resigns: float) -> None:
        self.rng, self.cubes, self.resigns = rng, cubes, resigns
        self.state: MatchState = new_match(rules)
        self.log: list[actions.Action] = []
        self.choosers: dict[Side, Chooser] = {}

    def act(self, kind: Any, **fields: Any) -> None:
        action = kind(at_ms=self.state.at_ms, **fields)
        self.state = apply(self.state, action)
        self.log.append(action)

    def play(self, most_actions: int) -> None:
        """Play until the match is over or the log has about `most_actions` actions."""
        while self.state.phase is not Phase.FINISHED and len(self.log) < most_actions:
            self.step()
        must_play = self.state.phase is Phase.TO_PLAY and self.state.offer is None
        if must_play and graph_of(self.state).is_pass:
            self.step()  # the server passes at once

    def step(self) -> None:
        state, side = self.state, on_turn(self.state)
        if state.phase is Phase.SEATING:
            self.seat()
        elif state.phase is Phase.BETWEEN_GAMES and len(state.ready) < 2:
            self.act(actions.NextGame, side=Side.BLACK if state.ready else Side.WHITE)
        elif state.phase is Phase.BETWEEN_GAMES:
            self.start_game()
        elif state.phase is Phase.OPENING:
            self.act(actions.Opening, white=self.die(), black=self.die())
        elif side is None:
            raise AssertionError("somebody has to act")
        elif state.offer is not None:
            self.act(actions.Accept if self.chance(0.6) else actions.Refuse, side=side)
        elif state.phase is Phase.CUBE_OFFERED:
            self.answer_double(side)
        elif state.phase is Phase.BEAVERED:
            self.act(actions.Take if self.chance(0.7) else actions.Drop, side=side)
        else:
            self.take_turn(side)

    def seat(self) -> None:
        """Log the actions before the first game; the dice here do not follow from the entropy."""
        self.act(actions.Commit, hash=commitment(SECRET))
        self.act(actions.EntropyHash, side=Side.WHITE, hash=entropy_hash(b"white"))
        self.act(actions.Entropy, side=Side.WHITE, hex=b"white".hex())
        self.start_game()

    def start_game(self) -> None:
        styles = (any_play, racing, racing, lagging)
        self.choosers = {side: self.rng.choice(styles) for side in Side}
        self.act(actions.Start, game=self.state.game + 1)

    def answer_double(self, side: Side) -> None:
        if may_beaver(self.state, side) and self.chance(0.4):
            self.act(actions.Beaver, side=side)
        else:
            self.act(actions.Take if self.chance(0.75) else actions.Drop, side=side)

    def take_turn(self, side: Side) -> None:
        state = self.state
        factors = resign_factors(state, side) if self.chance(self.resigns) else ()
        if factors:
            self.act(actions.Resign, side=side, factor=self.rng.choice(factors))
        elif state.phase is Phase.TO_PLAY:
            self.play_roll(side)
        elif may_double(state, side) and self.chance(self.cubes):
            self.act(actions.Double, side=side)
        else:
            self.act(actions.Roll, side=side, d1=self.die(), d2=self.die())

    def play_roll(self, side: Side) -> None:
        state = self.state
        assert state.dice is not None
        plays = legal_plays(state.position, side, state.dice, state.rules, is_first_turn(state))
        text = play_to_text(self.choosers[side](plays, side, self.rng))
        self.act(actions.Play, side=side, text=text, auto=text == "-")

    def cut(self, ending: str) -> None:
        """End the match by an event outside the play.

        "played" and "unfinished" change nothing, nor does "flag" while no clock runs.
        """
        of_a_side = {"leave": actions.Leave, "claim": actions.Claim}
        of_a_side["resign_match"] = actions.ResignMatch
        if self.state.phase is Phase.FINISHED:
            return
        if ending in of_a_side:
            self.act(of_a_side[ending], side=self.rng.choice(list(Side)))
        elif ending == "void":
            self.act(actions.Void, cause="left", side=self.rng.choice([None, *Side]))
        elif ending == "flag" and self.state.clock and self.state.clock.running:
            flag = actions.Flag(
                at_ms=self.state.clock.flag_at_ms() or 0, side=self.state.clock.running
            )
            self.state = apply(self.state, flag)
            self.log.append(flag)

    @property
    def last_result(self) -> GameResult:
        """Return the result of the last game, which must exist."""
        assert self.state.result is not None
        return self.state.result

    def die(self) -> int:
        return self.rng.randint(1, 6)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def export(self) -> dict[str, Any]:
        """Return the match as the site exports it."""
        names = {Side.WHITE: "anna", Side.BLACK: "Bot 2: «сила»"}
        return to_export(
            match_id="AbCdEf123456",
            rules=self.state.rules,
            seats={
                side.value: {"kind": "guest", "name": names[side], "level": None} for side in Side
            },
            created_at="2026-11-21T08:00:00+00:00",
            actions=self.log,
        )


def random_match(
    seed: int,
    rules: Rules,
    *,
    ending: str = "played",
    cubes: float = 0.1,
    resigns: float = 0.01,
    most_actions: int | None = None,
) -> RandomMatch:
    """Play a match, stop it after `most_actions` and end it by `ending`.

    By default a match with the ending "played" is played out; others stop after a random
    number of actions.
    """
    rng = random.Random(seed)
    match = RandomMatch(rules, rng, cubes=cubes, resigns=resigns)
    limit = most_actions or (5_000 if ending == "played" else rng.randint(2, 300))
    match.play(limit)
    match.cut(ending)
    return match
