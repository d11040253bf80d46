"""Add strikes at the end of a match for credits, and lift them."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from accounts.models import User
from accounts.shared.transactions import write_transaction
from games.conduct import no_shows
from games.engine.match.state import MatchCause
from games.engine.sides import Side
from games.models import Match, Seat, Strike
from games.models.void_cause import VoidCause


def add(match: Match, seats: Mapping[Side, Seat]) -> None:
    """Add a strike for each player who spoiled the match; idempotent."""
    if not match.policy.brings_strikes:
        return
    assert match.finished_at is not None
    strikes = [
        Strike(user_id=seat.user_id, match=match, kind=kind, created_at=match.finished_at)
        for seat, kind in _offenders(match, seats)
        if seat.user_id is not None
    ]
    Strike.objects.bulk_create(strikes, ignore_conflicts=True)


def lift(strike_id: int, staff: User, now: datetime) -> bool:
    """Lift a strike; return False when it was lifted before."""
    with write_transaction():
        standing = Strike.objects.filter(pk=strike_id, lifted_at__isnull=True)
        return bool(standing.update(lifted_at=now, lifted_by=staff))


def _offenders(match: Match, seats: Mapping[Side, Seat]) -> Iterator[tuple[Seat, str]]:
    if match.outcome == MatchCause.VOID:
        yield from _of_void(match, seats)
    elif match.winner:
        loser = seats[Side(match.winner).other]
        if match.outcome == MatchCause.CLAIM:
            yield loser, Strike.Kind.WALKED_AWAY
        elif match.outcome == MatchCause.FLAG:
            yield loser, Strike.Kind.WALKED_AWAY if loser.is_absent else Strike.Kind.STALLED


def _of_void(match: Match, seats: Mapping[Side, Seat]) -> Iterator[tuple[Seat, str]]:
    """Yield each seat to blame for a void match, with the kind of its strike."""
    has_left = no_shows.void_cause_of(match) is VoidCause.LEFT
    kind = Strike.Kind.LEFT_EARLY if has_left else Strike.Kind.NO_START
    for side in no_shows.missing_sides(match):
        yield seats[side], kind
