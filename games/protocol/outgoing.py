"""Frames to clients, trimmed for a player or for spectators, and parts of frames.

From these parts games/protocol/snapshots.py builds the frames that need the database.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from chat.models import Message, Silence
from games.engine.board.explain import Refusal
from games.engine.match.permissions import graph_of, may_play
from games.engine.match.public_view import graph_view, may_view, public_view
from games.engine.match.state import IN_GAME, MatchState, Phase
from games.engine.sides import Side
from games.models import Match, RematchOffer, Seat


def event(
    match: Match,
    seq: int,
    action: Mapping[str, Any],
    state: MatchState,
    now_ms: int,
    *,
    is_last: bool,
) -> dict[str, Any]:
    """Return the group's message about one action, complete; `trimmed` cuts it for a receiver.

    The sender computes the plays once for all receivers. If another action followed in the same
    transaction (a pass, the next game), nobody can act after this one: `plays` and both sides'
    `may` are None.
    """
    return {
        "seq": seq,
        "now": now_ms,
        "action": dict(action),
        "view": public_view(state, now_ms),
        "plays": plays(state) if is_last else None,
        "may": {side.value: may(match, state, side) if is_last else None for side in Side},
        "turn": state.turn.value if state.turn else None,
    }


def trimmed(event: Mapping[str, Any], side: Side | None) -> dict[str, Any]:
    """Return the `event` frame for a side or for spectators; plays only for the side on turn."""
    return {
        "t": "event",
        "seq": event["seq"],
        "now": event["now"],
        "action": event["action"],
        "view": event["view"],
        "plays": event["plays"] if side and event["turn"] == side.value else None,
        "may": event["may"][side.value] if side else None,
    }


def may(match: Match, state: MatchState, side: Side) -> dict[str, Any]:
    """Return the actions that `side` may take now, by the rules and by the kind of match."""
    permitted = may_view(state, side)
    return permitted | {"pause": permitted["pause"] and match.policy.may_pause}


def plays(state: MatchState) -> dict[str, Any] | None:
    """Return the graph of legal plays for the roll, None if no play is due."""
    if state.turn is None or not may_play(state, state.turn):
        return None
    return graph_view(graph_of(state), state.rules.variant, state.turn)


def match_info(match: Match, seats: Mapping[Side, Seat], side: Side | None) -> dict[str, Any]:
    """Return the facts that do not change during a match, for a side or for spectators."""
    return {
        "id": match.public_id,
        "variant": match.variant,
        "kind": match.kind.lower(),
        "rules": match.rules,
        "seats": {side.value: seat.to_dict() for side, seat in seats.items()},
        "commitment": match.commitment,
        "stake": None if side is None and match.hides_stake else _stake(match),
        "is_public": match.is_public,
        "is_delayed": match.is_delayed,
        "series": match.series if match.rematch_of_id else None,
        "created_at": iso(match.created_at),
    }


def _stake(match: Match) -> dict[str, int] | None:
    """Return each side's stake, the rake and the winner's payout, in credits."""
    if not match.policy.is_staked:
        return None
    return {
        "stake": match.stake_credits,
        "rake": match.rake_credits,
        "payout": match.payout_credits,
    }


def premove(seat: Seat, state: MatchState) -> dict[str, Any] | None:
    """Return the premove of the seat's player for the running game; None outside of a game."""
    return seat.premove_in(state).to_dict() if state.phase in IN_GAME else None


def presence(
    match: Match, seats: Mapping[Side, Seat], now: datetime
) -> dict[str, dict[str, Any]] | None:
    """Return, by side, whether the player is absent and what is left of the absence budget.

    The budget is in ms, as of `now`. None if the match has ended, or if absence does not count.
    """
    absences = {side: seat.absence for side, seat in seats.items()}
    if match.is_finished or not all(absences.values()):
        return None
    return {
        side.value: {"is_absent": absence.is_absent, "left_ms": absence.left_ms_at(now)}
        for side, absence in absences.items()
        if absence is not None
    }


def seating(state: MatchState, seats: Mapping[Side, Seat]) -> dict[str, Any] | None:
    """Return, by side, which of hash and entropy were sent; None once the first game has begun."""
    if state.phase is not Phase.SEATING:
        return None
    return {
        side.value: None if seat.bot else _given_by(state, side) for side, seat in seats.items()
    }


def _given_by(state: MatchState, side: Side) -> dict[str, bool]:
    proof = state.proof
    return {
        "hash": proof.hashes[side] is not None,
        "entropy": proof.entropy[side] is not None,
    }


def rematch(match: Match, offer: RematchOffer | None, next_match: Match | None) -> dict[str, Any]:
    """Return the rematch of a finished match: the open offer, or the next match."""
    time = match.policy.rematch_time
    assert match.finished_at is not None
    assert time is not None
    is_open = offer is not None and offer.state == RematchOffer.State.OPEN
    return {
        "offered_by": offer.side if offer and is_open and next_match is None else None,
        "refused": offer is not None and offer.state == RematchOffer.State.REFUSED,
        "until": match.ms_at(match.finished_at + time),
        "match": next_match.public_id if next_match else None,
        "series": match.series,
    }


def you(side: Side | None, holder: UUID | None) -> dict[str, Any]:
    """Return the receiver's own side and seat; `token` reclaims the seat after reconnecting."""
    return {
        "side": side.value if side else None,
        "holder": holder is not None,
        "token": str(holder) if holder else None,
    }


def current(seq: int, now_ms: int) -> dict[str, Any]:
    """Return the `current` frame: the client is up to date."""
    return {"t": "current", "seq": seq, "now": now_ms}


def text(frame: Mapping[str, Any]) -> str:
    return orjson.dumps(frame).decode()


def why(source: int, target: int | None, refusal: Refusal) -> dict[str, Any]:
    """Return the `why` frame: the rule against a move, and the points that cause it."""
    return {
        "t": "why",
        "from": source,
        "to": target,
        "reason": refusal.reason.value,
        "points": list(refusal.points),
    }


def said(message: Message, side: Side | None) -> dict[str, Any]:
    """Return the `said` frame; `by` is a player's side or a spectator's public id.

    The name is empty for a closed account.
    """
    author = message.author
    by = side.value if side else author.public_id if author else ""
    return {
        "t": "said",
        "id": message.pk,
        "by": by,
        "name": "" if author and author.closed_at else message.author_name,
        message.kind.lower(): message.body,
        "at": iso(message.created_at),
    }


def hidden(message: Message) -> dict[str, Any]:
    """Return the `hidden` frame: staff removed a message."""
    return {"t": "hidden", "id": message.pk}


def silenced(silence: Silence | None) -> dict[str, Any]:
    """Return the `silenced` frame; its `until` is None if the reader may write."""
    until = iso(silence.until) if silence else None
    return {"t": "silenced", "until": until, "note": silence.reason if silence else ""}


def iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
