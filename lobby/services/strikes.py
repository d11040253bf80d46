"""Noting who let an opponent down, and lifting it."""

from collections.abc import Iterator
from datetime import datetime

from accounts.gate import writing
from accounts.models import User
from games.engine.sides import Side
from games.engine.state import MatchCause, MatchState
from games.models import Match, Seat
from lobby.models import Strike


def note(match: Match) -> None:
    """One strike for each player whom the end of the match speaks against."""
    if not match.policy.brings_strikes:
        return
    assert match.finished_at is not None
    strikes = [
        Strike(user_id=seat.user_id, match=match, kind=kind, created_at=match.finished_at)
        for seat, kind in _faults(match)
        if seat.user_id is not None
    ]
    Strike.objects.bulk_create(strikes, ignore_conflicts=True)


def lift(strike_id: int, staff: User, now: datetime) -> bool:
    """Take a strike back. Again: nothing changes, which False says."""
    with writing():
        held = Strike.objects.filter(pk=strike_id, lifted_at__isnull=True)
        return bool(held.update(lifted_at=now, lifted_by=staff))


def _faults(match: Match) -> Iterator[tuple[Seat, str]]:
    seats = {seat.engine_side: seat for seat in match.seats.all()}
    if match.outcome == MatchCause.VOID:
        yield from _not_started(match, seats)
    elif match.winner:
        loser = seats[Side(match.winner).other]
        if match.outcome == MatchCause.CLAIM:
            yield loser, Strike.Kind.WALKED_AWAY
        elif match.outcome == MatchCause.FLAG:
            yield loser, Strike.Kind.WALKED_AWAY if loser.is_absent else Strike.Kind.STALLED


def _not_started(match: Match, seats: dict[Side, Seat]) -> Iterator[tuple[Seat, str]]:
    """The seats that had not added to the dice, if it was for them that nothing began."""
    cause = match.actions.filter(verb="void").values_list("data__cause", flat=True).first()
    if cause != "no_start":
        return
    for side, seat in seats.items():
        if not _has_added(match.state, side):
            yield seat, Strike.Kind.NO_START


def _has_added(state: MatchState, side: Side) -> bool:
    """Whether the side did its part. One that waits for the other's hash cannot do more."""
    has_hash = state.proof.hashes[side] is not None
    waits = state.proof.hashes[side.other] is None
    return has_hash and (waits or state.proof.entropy[side] is not None)
