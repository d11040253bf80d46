"""Frames that leave for clients: trimmed for their audience in this one place."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from games.engine.predicates import graph_of, may_play
from games.engine.sides import Side
from games.engine.state import MatchState
from games.engine.view import graph_view, may_view, public_view
from games.models import Match, Seat


def event(
    seq: int, action: Mapping[str, Any], state: MatchState, now_ms: int, *, is_last: bool
) -> dict[str, Any]:
    """What the group hears of one action: everything for everybody, to be trimmed.

    The plays are worked out once, by whoever wrote them. Where another action followed in the
    same transaction (a pass, the next game) nobody may do anything any more: `may` is null.
    """
    return {
        "seq": seq,
        "now": now_ms,
        "action": dict(action),
        "view": public_view(state, now_ms),
        "plays": plays(state) if is_last else None,
        "may": {side.value: may_view(state, side) if is_last else None for side in Side},
        "turn": state.turn.value if state.turn else None,
    }


def trimmed(event: Mapping[str, Any], side: Side | None) -> dict[str, Any]:
    """The `event` frame for one audience: legal plays only for the side on turn."""
    return {
        "t": "event",
        "seq": event["seq"],
        "now": event["now"],
        "action": event["action"],
        "view": event["view"],
        "plays": event["plays"] if side and event["turn"] == side.value else None,
        "may": event["may"][side.value] if side else None,
    }


def plays(state: MatchState) -> dict[str, Any] | None:
    """The legal plays of the roll on the board, None when nobody is to play."""
    if state.turn is None or not may_play(state, state.turn):
        return None
    return graph_view(graph_of(state), state.rules.variant, state.turn)


def match_info(match: Match, seats: Mapping[Side, Seat]) -> dict[str, Any]:
    """What stays the same through a match."""
    return {
        "id": match.public_id,
        "variant": match.variant,
        "kind": match.kind.lower(),
        "rules": match.rules,
        "seats": {side.value: seat.to_dict() for side, seat in seats.items()},
        "commitment": match.commitment,
        "stake": _stake(match),
        "is_public": match.is_public,
        "created_at": iso(match.created_at),
    }


def _stake(match: Match) -> dict[str, int] | None:
    """Credits of a match for credits: each side's stake, the rake, what the winner gets."""
    if match.kind != Match.Kind.STAKE:
        return None
    stake, rake = match.stake_credits, match.rake_credits
    return {"stake": stake, "rake": rake, "payout": 2 * stake - rake}


def presence(
    match: Match, seats: Mapping[Side, Seat], now: datetime
) -> dict[str, dict[str, Any]] | None:
    """Who is there and how long each may still be away, in milliseconds as of now."""
    absences = {side: seat.absence for side, seat in seats.items()}
    if match.is_finished or not all(absences.values()):
        return None
    return {
        side.value: {"is_absent": absence.is_absent, "left_ms": absence.left(now)}
        for side, absence in absences.items()
        if absence is not None
    }


def iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
