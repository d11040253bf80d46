"""The time for which a member has played for credits and in tournaments without a break.

It is computed from the matches: nothing is written during play, and a crash loses nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import OuterRef, QuerySet, Subquery

from games.models import Match
from games.models.kind import kinds_where
from wallet.limits import spending
from wallet.models import PlayChoices
from wallet.models.play_choices import DEFAULT_REMINDER

# Time without a match that counts as a break: the play time begins at 0 again.
BREAK = timedelta(minutes=30)
# Matches that began longer ago are not read.
READ_FOR = timedelta(days=1)
Span = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class PlayTime:
    """Spans of time with a match since the last break, not overlapping; empty during a break."""

    spans: Sequence[Span]

    @property
    def began_at(self) -> datetime | None:
        return self.spans[0][0] if self.spans else None

    def played(self, since: datetime | None = None) -> timedelta:
        parts = [end - max(start, since or start) for start, end in self.spans]
        return sum((max(part, timedelta()) for part in parts), timedelta())

    def wait(self, now: datetime) -> timedelta:
        """Return how much longer the break must last until the play time begins at 0 again."""
        return self.spans[-1][1] + BREAK - now if self.spans else timedelta()


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder of long play: whole minutes played, and net credits since the play began."""

    minutes: int
    net_credits: int

    @property
    def is_loss(self) -> bool:
        return self.net_credits < 0

    @property
    def size(self) -> int:
        return abs(self.net_credits)


def play_time_of(user_id: int, now: datetime) -> PlayTime:
    rows = _recent_matches(user_id, now).values_list("created_at", "finished_at")
    return since_break(((start, end or now) for start, end in rows), now)


def reminder_due(user_id: int, now: datetime) -> Reminder | None:
    """Return the reminder that the member has chosen, if it is due.

    Runs one query for a member without recent matches.
    """
    choices = PlayChoices.objects.filter(user_id=OuterRef("seats__user_id"))
    rows = _recent_matches(user_id, now).values_list(
        "created_at",
        "finished_at",
        Subquery(choices.values("reminder_minutes")),
        Subquery(choices.values("reminded_at")),
    )
    found = list(rows)
    if not found:
        return None
    _, _, chosen, reminded_at = found[0]
    every = DEFAULT_REMINDER if chosen is None else chosen
    time = since_break(((start, end or now) for start, end, *_ in found), now)
    if not every or time.played(reminded_at) < timedelta(minutes=every):
        return None
    assert time.began_at is not None
    # The first stake's transfer has the same moment as the beginning of its match, and `won_since`
    # counts only later transfers.
    net = spending.won_since(user_id, time.began_at - timedelta(seconds=1))
    return Reminder(time.played() // timedelta(minutes=1), net)


def since_break(spans: Iterable[Span], now: datetime) -> PlayTime:
    """Return the play time since the last break; `spans` are in order of their beginnings. Pure."""
    kept: list[Span] = []
    for start, end in spans:
        last_end = kept[-1][1] if kept else start
        if start - last_end >= BREAK:
            kept, last_end = [], start
        if end > last_end:
            kept.append((max(start, last_end), end))
    return PlayTime(kept if kept and now - kept[-1][1] < BREAK else [])


def _recent_matches(user_id: int, now: datetime) -> QuerySet[Match]:
    kinds = kinds_where(lambda kind: kind.counts_as_play_time)
    recent = Match.objects.filter(kind__in=kinds, created_at__gt=now - READ_FOR)
    return recent.filter(seats__user_id=user_id).order_by("created_at", "pk")
