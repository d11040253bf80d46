"""Sample questions that load, or compile, all code that bots and judges need."""

from collections.abc import Iterator
from dataclasses import replace

from games.ai.bots.decisions import decide
from games.ai.bots.levels import LEVELS
from games.ai.cube import playing_on
from games.ai.net.player import player_of
from games.ai.net.search import MAX_PLIES
from games.engine.board.variants import BAR, CHECKERS
from games.engine.match import actions
from games.engine.match.apply import apply
from games.engine.match.state import MatchState, Phase, new_match
from games.engine.rules import Profile, Rules, Variant
from games.engine.sides import Side


def play_once(plies: int = MAX_PLIES) -> None:
    """Decide a turn and a cube action in both variants, `plies` deep."""
    for state in states():
        assert state.turn is not None
        decide(state, state.turn, LEVELS["master"], plies)


def use_everything() -> None:
    """Run the code of bots as `play_once` does, then that of coach and reviews."""
    from games.ai.judge import judgments

    play_once()
    for state in states():
        assert state.turn is not None
        player = player_of(state.rules.variant)
        for plies in range(MAX_PLIES + 1):
            judgments.hint(state, state.turn, player, plies)
        for later in (_misread(state), _in_last_turn(state)):
            playing_on.find_worth(later, state.turn, player)
        if state.phase is Phase.TO_ROLL:
            roll = actions.Roll(at_ms=9, side=state.turn, d1=6, d2=5)
            judgments.judge(state, roll, player, MAX_PLIES)


def _misread(state: MatchState) -> MatchState:
    """Return the state under rules for which playing on is rolled out."""
    return replace(state, rules=replace(state.rules, profile=Profile.MANUAL))


def _in_last_turn(state: MatchState) -> MatchState:
    """Return a state whose first side has borne off."""
    off = (CHECKERS, *[0] * BAR)
    position = replace(state.position, white=off)
    rules = replace(state.rules, parity=True)
    return replace(state, rules=rules, position=position, turn=Side.BLACK, last_turn=True)


def states() -> Iterator[MatchState]:
    """Yield states at the start: both variants, without and with parity, with dice and without."""
    for variant in Variant:
        for parity in (False, True):
            state = new_match(Rules.of(variant, length=5, parity=parity))
            for action in (
                actions.Commit(at_ms=0, hash="0" * 64),
                actions.Start(at_ms=1, game=1),
                actions.Opening(at_ms=2, white=6, black=1),
            ):
                state = apply(state, action)
            if state.phase is Phase.TO_ROLL:  # in long nardy the opening decides only who begins
                state = apply(state, actions.Roll(at_ms=3, side=Side.WHITE, d1=6, d2=1))
            yield state
            yield replace(state, phase=Phase.TO_ROLL, dice=None)
