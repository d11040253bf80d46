"""Data for the home page: a match to look at, and counts of members, matches and seeks."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from accounts.models import Presence
from accounts.selectors import ONLINE_FOR
from games.board_svg import Drawing, spectators_drawing
from games.engine.match.state import IN_GAME, MatchCause
from games.models import Match
from games.models.kind import kinds_where
from lobby import selectors
from lobby.featured import featured_of

# Maximum number of matches to compare; the newest are taken.
CANDIDATES = 20
# If no match is in play, one is shown that began at most this long ago.
RECENT = timedelta(days=14)
# A match with fewer actions ended before there was anything to see.
LEAST_ACTIONS = 40


@dataclass(frozen=True, slots=True)
class Showcase:
    """A match and its board: the present position, or the final one of a match that is over."""

    match: Match
    drawing: Drawing

    @property
    def is_live(self) -> bool:
        return not self.match.is_finished


@dataclass(frozen=True, slots=True)
class Activity:
    """Counts of members with an open page, of watchable matches in play, and of listed seeks."""

    members: int
    games: int
    open_games: int


def showcase(now: datetime) -> Showcase | None:
    """Return the best match in play, else the best recent match, else None."""
    match = _best(_in_play()) or _best(_recent(now))
    return Showcase(match, spectators_drawing(match)) if match else None


def activity(now: datetime) -> Activity:
    return Activity(
        members=Presence.objects.filter(seen_at__gt=now - ONLINE_FOR).count(),
        games=_watchable().filter(finished_at__isnull=True).count(),
        open_games=selectors.open_seeks(None, now).count(),
    )


def _watchable() -> QuerySet[Match]:
    kinds = kinds_where(lambda kind: kind.is_watchable)
    return Match.objects.filter(is_public=True, kind__in=kinds)


def _in_play() -> QuerySet[Match]:
    """Return the matches in play whose board spectators see without a delay."""
    phases = [phase.value for phase in IN_GAME]
    return _watchable().filter(finished_at__isnull=True, is_delayed=False, phase__in=phases)


def _recent(now: datetime) -> QuerySet[Match]:
    ended = _watchable().filter(finished_at__isnull=False, created_at__gt=now - RECENT)
    return ended.filter(seq__gte=LEAST_ACTIONS).exclude(outcome=MatchCause.VOID.value)


def _best(matches: QuerySet[Match]) -> Match | None:
    newest = matches.prefetch_related("seats__user__profile").order_by("-created_at")[:CANDIDATES]
    found = selectors.with_standings(newest)
    return featured_of(found) or next(iter(found), None)
