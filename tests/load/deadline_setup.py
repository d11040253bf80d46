"""Set up deadlines of every kind at given times through the services (see deadlines.py)."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone

from games.engine.match.permissions import on_turn
from games.engine.sides import Side
from games.models import Match, Seat
from games.models.kind import STAKE as FOR_CREDITS
from games.services import seats
from lobby.models import Seek
from lobby.services import announcing, expiry
from tests.load.race_setup import (
    STAKE,
    Fields,
    actor_of,
    check_match,
    find_match,
    new_match,
    newcomer,
    start,
)
from tests.lobby.factories import announcement

NEVER_MS = 3_600_000  # a turn longer than any run, so that no flag falls


def _arrange_turn(at: datetime) -> Fields:
    """Let the clock of the side on turn run out at this time; both players have left."""
    rules = announcement().rules
    assert rules.delay_ms is not None
    assert rules.reserve_ms is not None
    now = at - timedelta(milliseconds=rules.delay_ms + rules.reserve_ms)
    fields = start(new_match(now), now)
    for side in Side:
        seats.leave(fields["match"], actor_of(fields, side), now)
    assert find_match(fields).wake_at == at
    return fields


def _arrange_no_start(at: datetime) -> Fields:
    return new_match(at - FOR_CREDITS.no_start_after)


def _arrange_absence(at: datetime) -> Fields:
    """Let White's silence count as absence from this time on, and Black's from a day later."""
    now = at - seats.SILENCE
    fields = start(new_match(now, rules={"delay_ms": NEVER_MS}), now)
    black = Seat.objects.filter(match__public_id=fields["match"], side=Side.BLACK)
    black.update(seen_at=now + timedelta(days=1))
    return fields


def _arrange_announcement(at: datetime) -> Fields:
    now = at - expiry.LIFETIME
    seek = announcing.announce(newcomer("owner"), announcement(stake=STAKE), now)
    return {"seek": seek.public_id}


ARRANGE: dict[str, Callable[[datetime], Fields]] = {
    "turn": _arrange_turn,
    "no_start": _arrange_no_start,
    "absence": _arrange_absence,
    "announcement": _arrange_announcement,
}


def arrange_deadlines(orders: list[tuple[str, str]]) -> int:
    """Set up a deadline for each (kind, ISO time); return their number."""
    for kind, at in orders:
        ARRANGE[kind](datetime.fromisoformat(at))
    return len(orders)


def silence_s() -> float:
    """Return the seconds of silence that count as absence, for a process without Django."""
    return seats.SILENCE.total_seconds()


def arrange_both_gone(kind: str, when: str) -> Fields:
    """Set up a match of two absent players that ends at this time; kind "turn" or "no_start".

    Return its fields and its future `winner`, which is empty for a match that will be void.
    """
    fields = ARRANGE[kind](datetime.fromisoformat(when))
    loser = on_turn(find_match(fields).state)
    return {**fields, "winner": loser.other.value if loser else ""}


def check_ended_match(fields: Fields) -> None:
    """Call `check_match`, but return nothing: its row cannot be sent to another process."""
    check_match(fields)


def unsettled() -> int:
    """Count the deadlines that have passed and are not settled."""
    now = timezone.now()
    return (
        Match.objects.filter(wake_at__lte=now).count()
        + Seek.objects.filter(state=Seek.State.OPEN, expires_at__lte=now).count()
        + Seat.objects.filter(
            is_live_stake=True, holder__isnull=False, seen_at__lt=now - seats.SILENCE
        ).count()
    )
