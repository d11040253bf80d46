"""Play matches to be reviewed; the same seed gives the same matches.

One net plays both sides, weakened by their `Strength`: a side chooses at random among the plays
that lose at most its cap at 0-ply, better ones more often, and adds a random error to its cube
decisions.
"""

import random
from dataclasses import dataclass

from games.ai.cube import doubling, evaluation
from games.ai.judge.play_comparison import Comparer
from games.ai.net.player import NetPlayer
from games.engine.match import actions
from games.engine.match.actions import Action
from games.engine.match.apply import apply, new_match
from games.engine.match.permissions import may_double, on_turn
from games.engine.match.state import MatchState, Phase
from games.engine.rules import Rules
from games.engine.sides import Side


@dataclass(frozen=True)
class Strength:
    """The errors of a side.

    `cap` = the most equity that a play may lose; `margin` = the standard deviation of the error in
    cube decisions, as a part of the points at stake.
    """

    cap: float
    margin: float


STRENGTHS = (
    Strength(0.0, 0.0), Strength(0.03, 0.05), Strength(0.08, 0.1), Strength(0.16, 0.2),
    Strength(0.35, 0.3),
)  # fmt: skip


def play(
    rules: Rules, player: NetPlayer, white: Strength, black: Strength, seed: int
) -> list[Action]:
    """Play a match to its end; return its log."""
    match = _Match(new_match(rules), player, (white, black), random.Random(seed))
    while match.state.phase is not Phase.FINISHED:
        match.step()
    return match.log


class _Match:
    def __init__(
        self,
        state: MatchState,
        player: NetPlayer,
        strengths: tuple[Strength, Strength],
        rng: random.Random,
    ) -> None:
        self.state, self.log = state, []
        self._player, self._rng = player, rng
        self._strength = dict(zip(Side, strengths, strict=True))

    def step(self) -> None:
        action = self._next()
        self.log.append(action)
        self.state = apply(self.state, action)

    def _next(self) -> Action:
        state, side = self.state, on_turn(self.state)
        if state.phase in (Phase.SEATING, Phase.BETWEEN_GAMES):
            return actions.Start(at_ms=0, game=state.game + 1)
        if state.phase is Phase.OPENING:
            return actions.Opening(at_ms=0, white=self._die(), black=self._die())
        assert side is not None
        if state.phase is Phase.TO_PLAY:
            return actions.Play(at_ms=0, side=side, text=self._play_text(side))
        if state.phase is Phase.CUBE_OFFERED:
            found = evaluation.options(state, self._player)
            take = doubling.should_take(found, self._rng.gauss(0, self._strength[side].margin))
            return (actions.Take if take else actions.Drop)(at_ms=0, side=side)
        if may_double(state, side):
            found = evaluation.options(state, self._player)
            if doubling.should_double(found, self._rng.gauss(0, self._strength[side].margin)):
                return actions.Double(at_ms=0, side=side)
        return actions.Roll(at_ms=0, side=side, d1=self._die(), d2=self._die())

    def _play_text(self, side: Side) -> str:
        cap = self._strength[side].cap
        rated = Comparer(self.state, side, self._player, None).rate_at_0_ply()
        fit = [each for each in rated if rated[0].equity - each.equity <= cap]
        # The small constant leaves a weight to a play that loses the whole cap, which may be 0.
        weights = [cap + 0.001 - (rated[0].equity - each.equity) for each in fit]
        return self._rng.choices(fit, weights)[0].text

    def _die(self) -> int:
        return self._rng.randint(1, 6)
