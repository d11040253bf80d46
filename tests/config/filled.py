"""A database filled to any size, and addresses that a visitor without an account can open."""

from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, reverse
from django.utils import timezone

from accounts.models import Profile, User
from accounts.social.sites import NAMES
from games.engine.rules import Rules
from games.models import Match, Seat
from stats.models import RatedMatch, Rating, RatingChange
from tests.config.access import every_pattern
from tests.games.factories import StakeMatchFactory
from tests.games.played_out import play_out
from tests.games.reviews.reviewing import reviewed
from tests.lobby.factories import SeekFactory
from tests.tournaments.factories import TournamentRun
from tests.wallet.factories import player

RULES = {"short": Rules.of("short", delay_ms=20_000), "long": Rules.of("long", delay_ms=20_000)}
# Beginnings of the names of URLs that are made for one visitor, or that answer with no page of
# their own.
NOT_PAGES = (
    "admin:",
    "socialaccount",
    "account_confirm",
    "account_reset_password_f",
    *(f"{code}_" for code in NAMES),
)


class Visitor:
    """A browser that is reused without its cookies; a new one would load the middleware again."""

    def __init__(self) -> None:
        self._browser = Client()

    def queries_of(self, address: str) -> int:
        self._browser.cookies.clear()
        with CaptureQueriesContext(connection) as queries:
            self._browser.get(address)
        return len(queries)


class Filled:
    """`rows` members, announced games and running matches, and `rated` rated matches.

    The rated matches are between two of the members. `reviewed` has a finished match of each
    variant, to `length` points, with a review.
    """

    def __init__(self, rows: int, rated: int, length: int = 1) -> None:
        self.members = [player(f"member{User.objects.count() + 1}") for _ in range(rows)]
        for user in self.members:
            Profile.objects.filter(user=user).update(country="TR", shows_country=True)
        self.running = [StakeMatchFactory(rules=RULES["short"]) for _ in range(rows)]
        self.seeks = [SeekFactory() for _ in range(rows)]
        self.tournament = TournamentRun(4).start().tournament
        self.reviewed = {
            variant: play_out(
                StakeMatchFactory(rules=Rules.of(variant, length=length, delay_ms=20_000))
            )
            for variant in RULES
        }
        for match in self.reviewed.values():
            reviewed(SimpleNamespace(match=match))  # type: ignore[arg-type]
        _rate(self.members, rated, self.reviewed["short"])

    def addresses(self) -> dict[str, str]:
        """Return the addresses to open without an account, each by a label without ids.

        NOT_PAGES and URLs whose arguments are not known here are left out.
        """
        found = {}
        for name, pattern in every_pattern():
            if not name.startswith(NOT_PAGES):
                for number, args in enumerate(self._arguments(name, pattern)):
                    found[f"{name} {number}"] = reverse(name, args=args)
        queries = ["/play/?variant=short", "/play/list/?variant=long"]
        queries += [f"/leaders/?by={by}" for by in ("rating", "wins", "winnings")]
        queries += [f"/leaders/?by=winnings&period={each}" for each in ("week", "year")]
        queries += ["/leaders/?by=winnings&country=TR", "/leaders/?by=wins&among=friends"]
        review = reverse("games:review", args=[self.reviewed["short"].public_id])
        return found | {each: each for each in queries} | {"a step": f"{review}?game=1&step=9"}

    def _arguments(self, name: str, pattern: URLPattern) -> list[list[str]]:
        """Return the arguments of each address of a pattern; [] if the pattern is left out."""
        needed = list(pattern.pattern.regex.groupindex)
        if not needed:
            return [[]]
        if name == "games:practice":
            return [["dice"]]
        if name.startswith("games:") or name in ("stats:match", "tournaments:after_match"):
            return [[match.public_id] for match in (*self.reviewed.values(), self.running[0])]
        if name == "lobby:running":
            return [[self.running[0].public_id]]
        if name.startswith("tournaments:"):
            return [[self.tournament.public_id]] if needed == ["public_id"] else [["completed"]]
        if name.startswith("lobby:") and name != "lobby:challenge":
            return [[self.seeks[0].public_id]]
        return [[self.members[0].public_id]] if needed == ["public_id"] else []


def _rate(members: list[User], count: int, like: Match) -> None:
    """Store rated matches between the first two members, without logs."""
    now, before = timezone.now(), RatedMatch.objects.count()
    fields = {f.attname: getattr(like, f.attname) for f in Match._meta.concrete_fields}
    for unique in ("id", "public_id", "rematch_of_id"):
        del fields[unique]
    matches = Match.objects.bulk_create([Match(**fields) for _ in range(count)])
    pair = members[:2]
    sides = ("white", "black")
    Seat.objects.bulk_create(
        Seat(match=match, side=side, user=user)
        for match in matches
        for side, user in zip(sides, pair, strict=True)
    )
    rated = RatedMatch.objects.bulk_create(
        RatedMatch(match=match, finished_at=now - timedelta(minutes=at), place=before + at + 1)
        for at, match in enumerate(matches)
    )
    RatingChange.objects.bulk_create(
        RatingChange(
            rated=each, user=user, variant="short", length=1, result=result,
            before=Decimal(1500), opponent_before=Decimal(1500), experience_before=0,
            chance=Decimal("0.5"), weight=Decimal(1), change=Decimal(1), net_credits=net,
        )
        for each in rated
        for user, result, net in zip(pair, (1, 0), (90, -100), strict=True)
    )  # fmt: skip
    Rating.objects.bulk_create(
        Rating(user=user, variant="short", experience=100) for user in members
    )
