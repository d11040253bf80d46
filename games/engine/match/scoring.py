"""The worth of a finished game, and its effect on the match."""

from dataclasses import replace

from games.engine.board.position import Position
from games.engine.board.win_kind import KIND_POINTS, WinKind, win_kind
from games.engine.match.clock import Clock
from games.engine.match.cube import Cube
from games.engine.match.state import (
    GameCause,
    GameResult,
    MatchCause,
    MatchOutcome,
    MatchState,
    Phase,
)
from games.engine.rules import Rules, reserve_limit_ms
from games.engine.sides import Pair, Side

_BY_FACTOR = {points: kind for kind, points in KIND_POINTS.items()}


def counted_kind(kind: WinKind, rules: Rules, cube: Cube) -> WinKind:
    """Return the kind that a win counts as.

    With koks off a koks counts as a mars, with mars off every win as single. Under Jacoby every win
    is single until a double was taken; automatic doubles do not change that.
    """
    if not rules.mars or (rules.jacoby and not cube.is_turned):
        return WinKind.SINGLE
    if kind is WinKind.BACKGAMMON and not rules.koks:
        return WinKind.GAMMON
    return kind


def counted_factor(factor: int, rules: Rules, cube: Cube) -> int:
    """Return the factor that a resignation at 1, 2 or 3 times the cube counts as."""
    return KIND_POINTS[counted_kind(_BY_FACTOR[factor], rules, cube)]


def borne_off(position: Position, winner: Side, rules: Rules, cube: Cube) -> GameResult:
    """Return the result of a game won by bearing off, judged on the final position."""
    kind = counted_kind(win_kind(position, winner, rules), rules, cube)
    return won(winner, kind, GameCause.BEAR_OFF, cube.value)


def resigned(loser: Side, factor: int, rules: Rules, cube: Cube) -> GameResult:
    """Return the result of an accepted resignation."""
    kind = _BY_FACTOR[counted_factor(factor, rules, cube)]
    return won(loser.other, kind, GameCause.RESIGN, cube.value)


def won(winner: Side, kind: WinKind, cause: GameCause, cube_value: int) -> GameResult:
    return GameResult(winner, kind, KIND_POINTS[kind] * cube_value, cause, cube_value)


def drawn() -> GameResult:
    """Return a drawn game (parity): one point each; cube, mars and koks do not count."""
    return GameResult(None, WinKind.SINGLE, 1, GameCause.BEAR_OFF, 1)


def next_is_crawford(state: MatchState) -> bool:
    """Return True if the game about to start is the Crawford game.

    It is the first game after a side came within one point of the match length.
    """
    rules = state.rules
    if rules.length is None or not (rules.cube and rules.crawford) or state.crawford_done:
        return False
    return rules.length - 1 in state.score


def end_game(state: MatchState, result: GameResult, position: Position) -> MatchState:
    """Return the state after a game: points added; the match is over or waits for the next game."""
    score = state.score
    for side in Side:
        if result.winner in (None, side):
            score = score.changed(side, score[side] + result.points)
    outcome = _outcome(score, state.rules.length)
    return replace(
        state,
        position=position,
        phase=Phase.FINISHED if outcome else Phase.BETWEEN_GAMES,
        score=score,
        turn=None,
        dice=None,
        offer=None,
        refused=0,
        last_turn=False,
        clock=_clock_after(state, None if outcome else score),
        ready=frozenset(),
        result=result,
        outcome=outcome,
    )


def end_match(state: MatchState, loser: Side, cause: MatchCause) -> MatchState:
    """Return the state after `loser` lost the match at once, at any score.

    A game in progress ends too and is worth no points.
    """
    result = state.result
    if state.phase not in (Phase.SEATING, Phase.BETWEEN_GAMES):
        result = GameResult(
            loser.other, WinKind.SINGLE, 0, GameCause(cause.value), state.cube.value
        )
    stopped = stop_match(state, MatchOutcome(loser.other, cause))
    return replace(stopped, result=result)


def stop_match(state: MatchState, outcome: MatchOutcome) -> MatchState:
    """Return the match as over; the board stays as it was."""
    return replace(
        state,
        phase=Phase.FINISHED,
        offer=None,
        clock=state.clock and state.clock.stop(state.at_ms),
        outcome=outcome,
    )


def _clock_after(state: MatchState, score: Pair[int] | None) -> Clock | None:
    """Stop the clock; cap the reserves by `score` if the match goes on (None: it is over)."""
    if state.clock is None:
        return None
    stopped = state.clock.stop(state.at_ms)
    most_ms = reserve_limit_ms(state.rules, score) if score else None
    return stopped if most_ms is None else stopped.limit(most_ms)


def _outcome(score: Pair[int], length: int | None) -> MatchOutcome | None:
    if length is None:
        return None
    winners = [side for side in Side if score[side] >= length]
    if len(winners) == 2:
        return MatchOutcome(None, MatchCause.DRAW)
    return MatchOutcome(winners[0], MatchCause.POINTS) if winners else None
