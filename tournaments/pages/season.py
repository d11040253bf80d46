"""The leaderboard of a season."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Q, Sum
from django.utils.translation import gettext as _

from accounts.models import User
from tournaments.models import SeasonPoints
from tournaments.services.season import season_of

MOST_ROWS = 50
ALL = "all"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the leaderboard; equal points share one place. `tournaments` is a number."""

    place: int
    user: User
    points: int
    tournaments: int
    wins: int


@dataclass(frozen=True, slots=True)
class Choice:
    code: str
    title: str


def choices(now: datetime) -> list[Choice]:
    """Return the seasons with points and the present one, the newest first.

    The last choice is ALL, all seasons together.
    """
    codes = set(SeasonPoints.objects.values_list("season", flat=True).distinct())
    known = sorted(codes | {season_of(now)}, reverse=True)
    return [*(Choice(code, title_of(code)) for code in known), Choice(ALL, title_of(ALL))]


def title_of(code: str) -> str:
    if code == ALL:
        return _("All seasons")
    year, quarter = code.split("-")
    return _("Quarter %(quarter)s of %(year)s") % {"quarter": quarter, "year": year}


def rows_of(code: str) -> list[Row]:
    """Return the first MOST_ROWS rows, with the users and profiles. Two queries."""
    totals = list(_totals(code).order_by("-points", "-wins", "user_id")[:MOST_ROWS])
    users = User.objects.select_related("profile").in_bulk([each["user_id"] for each in totals])
    points = [each["points"] for each in totals]
    return [
        Row(
            1 + points.index(each["points"]),
            users[each["user_id"]],
            each["points"],
            each["tournaments"],
            each["wins"],
        )
        for each in totals
    ]


def own_row(viewer: User, code: str) -> Row | None:
    """Return the viewer's row, whatever its place; None if they have no points.

    Two queries at most.
    """
    own = _totals(code).filter(user_id=viewer.pk).order_by("user_id").first()
    if own is None:
        return None
    better = _totals(code).filter(points__gt=own["points"]).count()
    return Row(1 + better, viewer, own["points"], own["tournaments"], own["wins"])


def _totals(code: str) -> Any:
    members = {"entrant__user__closed_at__isnull": True, "entrant__user__is_active": True}
    found = SeasonPoints.objects.filter(**members)
    if code != ALL:
        found = found.filter(season=code)
    return found.values(user_id=F("entrant__user")).annotate(
        points=Sum("points"), tournaments=Count("pk"), wins=Count("pk", filter=Q(place=1))
    )
