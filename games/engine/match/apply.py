"""The only way to change a match, `apply(state, action) -> state`, and the fold of a log.

Nothing is mutated: a refused action leaves the state as it was. Unreadable input raises
`InvalidAction`; an action that a rule forbids raises `IllegalAction` with its reason. The handlers
are in game_start.py (before a game), turns.py (dice and checkers), offers.py (cube, resignation)
and endings.py (actions that end or stop a match from outside the board, or follow its end).
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from games.engine.board.moves import play_to_text
from games.engine.errors import IllegalAction, InvalidAction, Reason
from games.engine.match import actions, endings, game_start, offers, turns
from games.engine.match.actions import Action, TimedAction
from games.engine.match.permissions import on_turn
from games.engine.match.scoring import counted_factor
from games.engine.match.state import MatchState, Phase, new_match
from games.engine.rules import Rules

__all__ = ["apply", "canonical", "fold", "new_match"]

# Each handler takes its action's own type; `Any` because a dict cannot express that.
_HANDLERS: dict[type[Action], Callable[[MatchState, Any], MatchState]] = {
    actions.Commit: game_start.commit,
    actions.EntropyHash: game_start.entropy_hash,
    actions.Entropy: game_start.entropy,
    actions.Start: game_start.start,
    actions.NextGame: game_start.next_game,
    actions.Opening: turns.opening,
    actions.Roll: turns.roll,
    actions.Play: turns.play,
    actions.Double: offers.double,
    actions.Take: offers.take,
    actions.Drop: offers.drop,
    actions.Beaver: offers.beaver,
    actions.Resign: offers.resign,
    actions.Accept: offers.accept,
    actions.Refuse: offers.refuse,
    actions.ResignMatch: endings.lose_match,
    actions.Leave: endings.lose_match,
    actions.Claim: endings.claim,
    actions.Flag: endings.flag,
    actions.Void: endings.void,
    actions.Pause: endings.pause,
    actions.Resume: endings.resume,
    actions.Credit: endings.credit,
    actions.Takeover: endings.takeover,
    actions.Reveal: endings.reveal,
    actions.SecretLost: endings.secret_lost,
}
_AFTER_THE_END = (actions.Reveal, actions.SecretLost)


def apply(state: MatchState, action: Action) -> MatchState:
    """Return the state after the action; raise `IllegalAction` or `InvalidAction` if refused.

    >>> from games.engine.sides import Side
    >>> state = new_match(Rules.of("short", length=3))
    >>> state = apply(state, actions.Start(at_ms=0, game=1))
    >>> state = apply(state, actions.Opening(at_ms=0, white=3, black=1))
    >>> state = apply(state, actions.Play(at_ms=0, side=Side.WHITE, text="8/5 6/5"))
    >>> state.turn, state.phase
    (<Side.BLACK: 'black'>, <Phase.TO_ROLL: 'to_roll'>)
    >>> apply(state, actions.Roll(at_ms=0, side=Side.WHITE, d1=6, d2=5))
    Traceback (most recent call last):
    games.engine.errors.IllegalAction: not_your_turn
    """
    handler = _HANDLERS.get(type(action))
    if handler is None:
        raise InvalidAction("action_kind", f"not an action: {action!r}")
    if action.at_ms < state.at_ms:
        raise InvalidAction("time_backwards", f"the match is already at {state.at_ms} ms")
    if state.phase is Phase.FINISHED and not isinstance(action, _AFTER_THE_END):
        raise IllegalAction(Reason.GAME_OVER)
    if isinstance(action, TimedAction) and _is_late(state, action):
        raise IllegalAction(Reason.OUT_OF_TIME)
    return handler(replace(state, at_ms=action.at_ms), action)


def fold(rules: Rules, log: Iterable[Action]) -> MatchState:
    """Return the state after a whole log; raise as `apply` does at the first bad action."""
    state = new_match(rules)
    for action in log:
        state = apply(state, action)
    return state


def canonical(state: MatchState, action: Action) -> Action:
    """Return the action as it should be logged.

    A play is written move by move, with its hits; a resignation has the factor that it counts as,
    so that no reader of the log announces a koks where it is worth less. Other actions are
    returned unchanged. Raises `IllegalAction` when the play is not legal.
    """
    if isinstance(action, actions.Resign):
        factor = counted_factor(action.factor, state.rules, state.cube)
        return action if factor == action.factor else replace(action, factor=factor)
    if not isinstance(action, actions.Play) or state.phase is not Phase.TO_PLAY:
        return action
    play, _position = turns.matched(state, action)
    return replace(action, text=play_to_text(play))


def _is_late(state: MatchState, action: TimedAction) -> bool:
    if state.clock is None or on_turn(state) is not action.side:
        return False
    return state.clock.is_out(action.at_ms, action.grace_ms)
