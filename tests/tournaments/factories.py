"""Create tournaments of members for tests, and play them, through the services."""

import hashlib
from collections.abc import Callable, Iterable
from datetime import datetime, time, timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

from accounts.models import User
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from games.models.actor import Actor
from games.services import deadlines
from tests.games.factories import DELAY_MS, PairSitting, give_history
from tests.wallet.factories import player
from tournaments import states
from tournaments.models import Fixture, Schedule, Tournament
from tournaments.services import announcing, entering, schedules, work
from tournaments.services.announcing import Plan

IN = timedelta(hours=1)  # from the announcement to the start
WINDOW = timedelta(minutes=5)  # the join window
SECOND = timedelta(seconds=1)


def plan(**fields: Any) -> Plan:
    rules = {"length": 1, "delay_ms": DELAY_MS, **fields.pop("rules", {})}
    chosen = {"name": "Evening cup", "format": "KNOCKOUT", "fee_credits": 100, **fields}
    if "ROUND_ROBIN" in chosen["format"]:
        chosen.setdefault("max_entrants", 32)
    return Plan(rules=Rules.of(chosen.pop("variant", "short"), **rules), **chosen)


def announced(now: datetime | None = None, **fields: Any) -> Tournament:
    now = now or timezone.now()
    return announcing.announce(plan(**fields), now + IN, now)


def daily_schedule(now: datetime, **fields: Any) -> Schedule:
    rules = Rules.of("long", length=3, delay_ms=DELAY_MS)
    made = Schedule(
        **{
            "name": "Tbilisi evening",
            "rules": rules.to_dict(),
            "local_time": time(20, 0),
            "time_zone": "Asia/Tbilisi",
            **fields,
        }
    )
    schedules.store(made, now)
    made.refresh_from_db()
    return made


def members(count: int, credits: int = 1000) -> list[User]:
    """Create members with a history, so that they may pay any fee."""
    made = [player(f"m{number}x{uuid4().hex[:6]}", credits) for number in range(count)]
    for member in made:
        give_history(member)
    return made


def enter(tournament: Tournament, users: Iterable[User], now: datetime) -> None:
    for user in users:
        entering.enter(tournament.public_id, user, now)


def settle(now: datetime) -> None:
    """Do the worker's work four times in a row, because a step may make other steps due."""
    for _ in range(4):
        deadlines.settle_due(now)
        for each in work.ALL:
            each.settle_due(now)


class Table(PairSitting):
    """An open table of a tournament, with its two players."""

    def __init__(self, match: Match, now: datetime) -> None:
        self.now, self.match, self.side = now, match, Side.WHITE
        seats = {seat.engine_side: seat for seat in match.seats.select_related("user")}
        self.users = {side: seat.user for side, seat in seats.items() if seat.user}
        self.actors = {
            side: Actor.bot(side) if seat.bot else Actor(user_id=seat.user_id)
            for side, seat in seats.items()
        }

    def side_of(self, user: User) -> Side:
        return next(side for side, seated in self.users.items() if seated == user)

    def join(self, side: Side) -> None:
        """Take the seat and send the hash of the side's entropy, as a page does."""
        self.sit(side)
        self.do("entropy_hash", side=side, hash=hashlib.sha256(b"x" * 16).hexdigest())

    def win(self, winner: Side, turns: int = 1) -> None:
        """Play some turns; then the other side resigns the match."""
        self.sit().start_game().both_move(turns)
        self.do("resign_match", side=winner.other)


class TournamentRun:
    """A tournament with its members and a clock; those in `absent` never come to a table."""

    def __init__(self, size: int, absent: int = 0, credits: int = 1000, **fields: Any) -> None:
        self.now = timezone.now()
        self.users = members(size, credits)
        self.absent = set(self.users[:absent])
        self.tournament = announced(self.now, **{"min_entrants": 2, **fields})
        enter(self.tournament, self.users, self.now)

    def start(self) -> "TournamentRun":
        self.now = self.tournament.starts_at
        settle(self.now)
        self.tournament.refresh_from_db()
        return self

    def open_fixtures(self) -> list[Fixture]:
        fixtures = Fixture.objects.filter(round__tournament=self.tournament)
        return list(fixtures.filter(finished_at__isnull=True).order_by("pk"))

    def tables(self) -> list[Table]:
        return [Table(fixture.match, self.now) for fixture in self.open_fixtures()]

    def play_round(self, wins: Callable[[Table], Side] = lambda table: Side.WHITE) -> None:
        """Play the tables to which both players come, then end the join window.

        A player who comes alone takes the seat.
        """
        for table in self.tables():
            here = [side for side, user in table.users.items() if user not in self.absent]
            if len(here) == 2:
                table.win(wins(table))
            for side in here if len(here) == 1 else ():
                table.join(side)
        self.now += WINDOW
        settle(self.now)
        self.tournament.refresh_from_db()

    def play(self, most_rounds: int = 20) -> "TournamentRun":
        for _ in range(most_rounds):
            if self.tournament.state != states.RUNNING:
                return self
            self.play_round()
        raise AssertionError("the tournament does not end")
