"""The JSON-safe dicts for the page: public view, permissions, plays of the turn.

games/protocol/README.md is their reference.
"""

from typing import Any

from games.engine.board.legal import TurnGraph
from games.engine.board.variants import TRAITS
from games.engine.match.clock import Clock
from games.engine.match.permissions import (
    is_paused,
    may_answer,
    may_beaver,
    may_double,
    may_pause,
    may_play,
    may_roll,
    may_take,
    on_turn,
    refusal_of_next,
    resign_factors,
)
from games.engine.match.state import GameResult, MatchOutcome, MatchState, Offer, Phase
from games.engine.rules import Variant
from games.engine.sides import Side, value_of

# Average pips of a roll, with doublets counted twice, and of an opening throw, whose dice differ.
_ROLL_PIPS = 49 / 6
_OPENING_PIPS = 7
_OFFERED = (Phase.CUBE_OFFERED, Phase.BEAVERED)


def public_view(state: MatchState, now_ms: int) -> dict[str, Any]:
    """Return everything that both sides and spectators may see; the clock is as of `now_ms`."""
    position = state.position
    return {
        "phase": state.phase.value,
        "turn": value_of(state.turn),
        "to_act": value_of(on_turn(state)),
        "white": list(position.white),
        "black": list(position.black),
        "dice": list(state.dice) if state.dice else None,
        "opening": [list(dice) for dice in state.openings],
        "first": value_of(state.first),
        "cube": {
            "on": state.rules.cube,
            "value": state.cube.value,
            "owner": value_of(state.cube.owner),
            "offered": state.phase in _OFFERED,
        },
        "score": state.score.to_dict(),
        "length": state.rules.length,
        "game": state.game,
        "crawford": state.crawford,
        "post_crawford": state.crawford_done and not state.crawford,
        "offer": _offer_view(state.offer),
        "last_turn": state.last_turn,
        "clock": None if state.clock is None else _clock_view(state.clock, now_ms),
        "pips": {side.value: position.pips(side) for side in Side},
        "rolled": state.rolled_pips.to_dict(),
        "doublets": state.doublets.to_dict(),
        "expected": {side.value: expected_pips(state, side) for side in Side},
        "result": None if state.result is None else result_view(state.result),
        "outcome": None if state.outcome is None else outcome_view(state.outcome),
        "ready": sorted(side.value for side in state.ready),
        "secret": state.proof.secret,
        "secret_lost": state.proof.is_lost,
    }


def may_view(state: MatchState, side: Side) -> dict[str, Any]:
    """Return the actions that `side` may take now; `resign` lists the factors that it may offer."""
    return {
        "roll": may_roll(state, side),
        "double": may_double(state, side),
        "take": may_take(state, side),
        "drop": may_take(state, side),
        "beaver": may_beaver(state, side),
        "play": may_play(state, side),
        "resign": list(resign_factors(state, side)),
        "accept": may_answer(state, side),
        "refuse": may_answer(state, side),
        "next": refusal_of_next(state, side) is None,
        "pause": may_pause(state),
        "resume": is_paused(state),
        "double_cost": double_cost(state, side),
    }


def expected_pips(state: MatchState, side: Side) -> float:
    """Return the average pips of as many rolls as `side` had, rounded to 0.1.

    The sides roll in turn. The opening dice of short backgammon are the first roll; they are
    never equal, which makes 7 pips on average.
    """
    if state.first is None:
        return 0.0
    has_opening = TRAITS[state.rules.variant].opening_dice_are_first_roll
    rolls = state.rolls - len(state.openings) + has_opening
    own_rolls = (rolls + (side is state.first)) // 2
    if has_opening and side is state.first:
        return round(_OPENING_PIPS + (own_rolls - 1) * _ROLL_PIPS, 1)
    return round(own_rolls * _ROLL_PIPS, 1)


def double_cost(state: MatchState, side: Side) -> dict[str, int] | None:
    """Return the cube after a take of a double, and the points lost by a drop.

    Return None for a side that can neither offer a double nor answer one.
    """
    value = state.cube.value
    if may_take(state, side):
        answered = 2 * value if state.phase is Phase.BEAVERED else value
        return {"take": 2 * answered, "drop": answered}
    return {"take": 2 * value, "drop": value} if may_double(state, side) else None


def graph_view(graph: TurnGraph, variant: Variant, side: Side) -> dict[str, Any]:
    """Return the legal plays of the turn of `side`; moves are in its own numbering.

    Nodes are `Position.to_hex`; an edge is [source, target, die, hit 0|1, next node].
    """
    if graph.start.side is not side:
        raise ValueError(f"these are not the plays of {side}")
    return {
        "nodes": [position.to_hex(variant) for position in graph.nodes],
        "edges": [
            [[move.source, move.target, move.die, int(move.is_hit), after] for move, after in edges]
            for edges in graph.edges
        ],
        "finals": sorted(graph.finals),
    }


def result_view(result: GameResult) -> dict[str, Any]:
    return {
        "winner": value_of(result.winner),
        "kind": result.kind.value,
        "points": result.points,
        "cause": result.cause.value,
        "cube": result.cube,
    }


def outcome_view(outcome: MatchOutcome) -> dict[str, Any]:
    return {"winner": value_of(outcome.winner), "cause": outcome.cause.value}


def _clock_view(clock: Clock, now_ms: int) -> dict[str, Any]:
    running = clock.running
    return {
        "delay_ms": clock.delay_ms,
        "reserve_ms": {side.value: clock.remaining(side, now_ms) for side in Side},
        "running": value_of(running),
        "delay_left_ms": 0 if running is None else clock.delay_left(running, now_ms),
        "paused": clock.is_paused,
    }


def _offer_view(offer: Offer | None) -> dict[str, Any] | None:
    return None if offer is None else {"side": offer.side.value, "factor": offer.factor}
