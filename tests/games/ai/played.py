"""Step through whole matches; the caller decides on plays and offers."""

import random

from games.engine.board.legal import legal_plays
from games.engine.board.moves import play_to_text
from games.engine.match import actions
from games.engine.match.actions import Action
from games.engine.match.permissions import is_first_turn, on_turn
from games.engine.match.state import MatchState, Phase


def step(state: MatchState, rng: random.Random) -> Action | None:
    """Return the automatic action or a roll; None if a side must decide on a play or an offer."""
    if state.phase in (Phase.SEATING, Phase.BETWEEN_GAMES):
        return actions.Start(at_ms=0, game=state.game + 1)
    if state.phase is Phase.OPENING:
        return actions.Opening(at_ms=0, white=rng.randint(1, 6), black=rng.randint(1, 6))
    side = on_turn(state)
    if state.phase is not Phase.TO_ROLL or side is None or state.offer is not None:
        return None
    return actions.Roll(at_ms=0, side=side, d1=rng.randint(1, 6), d2=rng.randint(1, 6))


def random_play(state: MatchState, rng: random.Random) -> str:
    """Return a random legal play of the dice on the board, as text."""
    assert state.turn is not None
    assert state.dice is not None
    found = legal_plays(state.position, state.turn, state.dice, state.rules, is_first_turn(state))
    return rng.choice(sorted(map(play_to_text, found.values())))
