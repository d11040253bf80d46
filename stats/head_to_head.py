"""Records of a member against each opponent, read from the matches."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Self

from django.db.models import Count, F, Max, Q, QuerySet

from accounts.models import User
from games.engine.match.state import MatchCause
from games.models import Match, Seat
from games.models.kind import kinds_where


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Counts of matches against one person, from the member's side."""

    met: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    opponent: User | None = None

    @classmethod
    def of(cls, row: dict[str, Any], opponent: User | None = None) -> Self:
        won = row["met"] - row["lost"] - row["drawn"]
        return cls(row["met"], won, row["lost"], row["drawn"], opponent)


_COUNTS = {
    "met": Count("pk"),
    "lost": Count("pk", filter=Q(side=F("match__winner"))),
    "drawn": Count("pk", filter=Q(match__winner="")),
}


def record_between(user_id: int, opponent_id: int) -> HeadToHead:
    return HeadToHead.of(_seats_against(user_id).filter(user_id=opponent_id).aggregate(**_COUNTS))


def opponent_ids(user_id: int) -> QuerySet[Seat, Any]:
    return _seats_against(user_id).values("user_id")


@dataclass(frozen=True, slots=True)
class Meeting:
    """The record against a person, and the last match with them."""

    record: HeadToHead
    last: Match


def meetings_with(user_id: int, opponent_ids: Collection[int]) -> dict[int, Meeting]:
    """Return the meetings with these members, by id; those never met are left out."""
    seats = _seats_against(user_id).filter(user_id__in=opponent_ids).values("user_id")
    rows: QuerySet[Seat, Any] = seats.annotate(**_COUNTS, last=Max("match_id"))
    found = list(rows)
    matches = Match.objects.prefetch_related("seats").in_bulk([row["last"] for row in found])
    return {row["user_id"]: Meeting(HeadToHead.of(row), matches[row["last"]]) for row in found}


def opponents_of(user_id: int) -> QuerySet[Seat, Any]:
    """Return all opponents, the last met first, as rows for `with_users`."""
    rows = _seats_against(user_id).values("user_id")
    latest = rows.annotate(**_COUNTS, last=Max("match__finished_at"))
    return latest.order_by("-last", "user_id")


def with_users(rows: list[dict[str, Any]]) -> list[HeadToHead]:
    """Turn the rows of one page into records with their opponents."""
    members = User.objects.select_related("profile").in_bulk([row["user_id"] for row in rows])
    return [HeadToHead.of(row, members[row["user_id"]]) for row in rows]


def neighbors_of(user_id: int, opponent_id: int) -> tuple[User | None, User | None]:
    """Return the opponents before and after this one in the order of `opponents_of`."""
    ids = [row["user_id"] for row in opponents_of(user_id)]
    if opponent_id not in ids:
        return None, None
    index = ids.index(opponent_id)
    before = ids[index - 1] if index else None
    after = ids[index + 1] if index + 1 < len(ids) else None
    members = User.objects.in_bulk([user_id for user_id in (before, after) if user_id])
    return members.get(before), members.get(after)


def matches_between(user_id: int, opponent_id: int) -> QuerySet[Match]:
    """Return the matches of the two that count, the last finished first."""
    met = _seats_against(user_id).filter(user_id=opponent_id).values("match")
    matches = Match.objects.filter(pk__in=met).prefetch_related("seats")
    return matches.order_by("-finished_at", "-id")


def opponent_in(public_id: str, user_id: int) -> User | None:
    seats = Seat.objects.filter(match__public_id=public_id).exclude(user_id=user_id)
    seat = seats.select_related("user").first()
    return seat.user if seat else None


def _seats_against(user_id: int) -> QuerySet[Seat]:
    """Return the opponents' seats in a member's finished matches, without voids and guests."""
    seats = Seat.objects.filter(match__seats__user=user_id, match__finished_at__isnull=False)
    counted = kinds_where(lambda kind: kind.counts_head_to_head)
    seats = seats.filter(match__kind__in=counted, user__isnull=False)
    return seats.exclude(match__outcome=MatchCause.VOID.value).exclude(user_id=user_id)
