"""The turns of a game: opening throw, rolls, plays, and the end of a game by bearing off."""

from dataclasses import replace

from games.engine.board.legal import match_play
from games.engine.board.moves import Play as Moves
from games.engine.board.moves import play_from_text
from games.engine.board.position import Position
from games.engine.board.variants import CHECKERS, OFF, TRAITS
from games.engine.errors import IllegalAction, Reason
from games.engine.match.actions import Opening, Play, Roll
from games.engine.match.cube import auto_double
from games.engine.match.permissions import graph_of, is_paused, refusal_of_turn
from games.engine.match.scoring import borne_off, drawn, end_game
from games.engine.match.state import Dice, MatchState, Phase
from games.engine.sides import Side


def opening(state: MatchState, action: Opening) -> MatchState:
    """Apply one opening throw: the side with the larger die begins; a tie is thrown again.

    A tie may double the cube. In short backgammon the opening dice are the winner's first roll; in
    long nardy the winner rolls again.
    """
    if state.phase is not Phase.OPENING or is_paused(state):
        raise IllegalAction(Reason.WRONG_PHASE)
    dice = (action.white, action.black)
    tried = replace(state, openings=(*state.openings, dice), rolls=state.rolls + 1)
    if action.white == action.black:
        return replace(tried, cube=auto_double(state.cube, state.rules))
    first = Side.WHITE if action.white > action.black else Side.BLACK
    clock = state.clock and state.clock.start_turn(first, action.at_ms)
    begun = replace(tried, phase=Phase.TO_ROLL, turn=first, first=first, clock=clock)
    if not TRAITS[state.rules.variant].opening_dice_are_first_roll:
        return begun
    return _with_dice(begun, first, dice)


def roll(state: MatchState, action: Roll) -> MatchState:
    refusal = refusal_of_turn(state, action.side, Phase.TO_ROLL)
    if refusal is not None:
        raise IllegalAction(refusal)
    clock = state.clock and state.clock.charge(action.at_ms, action.grace_ms)
    rolled = replace(state, rolls=state.rolls + 1, clock=clock)
    return _with_dice(rolled, action.side, (action.d1, action.d2))


def play(state: MatchState, action: Play) -> MatchState:
    """Apply a whole turn of moves: the turn passes, or the game ends."""
    refusal = refusal_of_turn(state, action.side, Phase.TO_PLAY)
    if refusal is not None:
        raise IllegalAction(refusal)
    _moves, position = matched(state, action)
    played = replace(state, turns=state.turns.changed(action.side, state.turns[action.side] + 1))
    if played.clock is not None:
        # Charged here, since the end of a game stops the clock without forgiving any lag.
        played = replace(played, clock=played.clock.charge(action.at_ms, action.grace_ms))
    is_off = position.of(action.side)[OFF] == CHECKERS
    if state.last_turn:
        return _end_last_turn(played, action.side, position, is_off)
    if not is_off:
        return _pass_turn(played, action.side, position, last_turn=False)
    if state.rules.parity and action.side is state.first:
        return _pass_turn(played, action.side, position, last_turn=True)
    return end_game(played, borne_off(position, action.side, state.rules, state.cube), position)


def matched(state: MatchState, action: Play) -> tuple[Moves, Position]:
    """Return the moves that the text stands for and the position after them.

    Raises `IllegalAction` if the roll does not allow them, `InvalidAction` for an unreadable text.
    """
    return match_play(graph_of(state), play_from_text(action.text))


def _with_dice(state: MatchState, side: Side, dice: Dice) -> MatchState:
    is_doublet = dice[0] == dice[1]
    pips = sum(dice) * (2 if is_doublet else 1)
    return replace(
        state,
        phase=Phase.TO_PLAY,
        dice=dice,
        rolled_pips=state.rolled_pips.changed(side, state.rolled_pips[side] + pips),
        doublets=state.doublets.changed(side, state.doublets[side] + is_doublet),
    )


def _pass_turn(
    state: MatchState, mover: Side, position: Position, *, last_turn: bool
) -> MatchState:
    return replace(
        state,
        position=position,
        phase=Phase.TO_ROLL,
        turn=mover.other,
        dice=None,
        refused=0,
        last_turn=last_turn,
        clock=state.clock and state.clock.start_turn(mover.other, state.at_ms),
    )


def _end_last_turn(state: MatchState, mover: Side, position: Position, is_off: bool) -> MatchState:
    """End a game under parity after the second side's last turn."""
    if is_off:
        return end_game(state, drawn(), position)
    return end_game(state, borne_off(position, mover.other, state.rules, state.cube), position)
