"""Tournaments of a demonstration, one for each list: open, running, over, called off, proposed."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta

from accounts.shared.transactions import write_transaction
from config.demo.histories import settle
from config.demo.people import LEVELS, People
from config.demo.play import play, rules_of
from games.models import Match
from tournaments import states
from tournaments.models import Fixture, Tournament
from tournaments.services import announcing, ending, entering, rounds, starting, tables
from tournaments.services.announcing import Plan

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def make(people: People, now: datetime) -> str:
    """Make the tournaments whose names are not taken; return the line to print."""
    known = set(Tournament.objects.filter(name__in=_MAKERS).values_list("name", flat=True))
    made = [name for name in _MAKERS if name not in known]
    for name in made:
        with write_transaction():
            _MAKERS[name](name, people, now)
    settle(now)
    return f"Tournaments: {', '.join(made)}" if made else ""


def _finished(name: str, people: People, now: datetime) -> None:
    plan = Plan(name, "KNOCKOUT", rules_of("long", 1))
    cup = _entered(plan, people, ("annika", "boris", "giorgi", "leyla"), now - 2 * DAY)
    at = cup.starts_at
    while cup.state == states.RUNNING:
        at = max([at, *map(_play_out, _open_matches(cup))]) + MINUTE
        _settle(at)
        cup.refresh_from_db()


def _running(name: str, people: People, now: datetime) -> None:
    """Let bots play each other for hours; the only person never comes to a table."""
    plan = Plan(
        name, "DOUBLE_ROUND_ROBIN", rules_of("short", 11), max_entrants=8, computer_entrants=4
    )
    _entered(plan, people, ("hakan",), now)


def _called_off(name: str, people: People, now: datetime) -> None:
    _entered(Plan(name, "SWISS", rules_of("short", 3)), people, ("deniz", "marta"), now - DAY)


def _open(name: str, people: People, now: datetime) -> None:
    plan = Plan(name, "KNOCKOUT", rules_of("short", 3), fee_credits=20)
    cup = announcing.announce(plan, now + DAY, now)
    _enter(cup, people, ("annika", "boris", "elena", "giorgi", "sofia"), now)


def _proposed(name: str, people: People, now: datetime) -> None:
    plan = Plan(name, "ROUND_ROBIN", rules_of("long", 1), max_entrants=8)
    announcing.propose(plan, now + 2 * DAY, people["leyla"], now)


_MAKERS: Mapping[str, Callable[[str, People, datetime], None]] = {
    "Осенний кубок": _finished,
    "Bot league": _running,
    "Öğle turu": _called_off,
    "Friends of the bar point": _open,
    "Nərd axşamı": _proposed,
}


def _entered(plan: Plan, people: People, logins: Iterable[str], starts_at: datetime) -> Tournament:
    """Announce a tournament, enter these members, do the work of its start, and return it."""
    announced_at = starts_at - HOUR
    cup = announcing.announce(plan, starts_at, announced_at)
    _enter(cup, people, logins, announced_at)
    _settle(starts_at)
    cup.refresh_from_db()
    return cup


def _enter(cup: Tournament, people: People, logins: Iterable[str], now: datetime) -> None:
    for login in logins:
        entering.enter(cup.public_id, people[login], now)


def _settle(now: datetime) -> None:
    """Do what the worker does for tournaments at this moment."""
    for work in (starting.WORK, rounds.WORK, tables.WORK, ending.WORK):
        work.settle_due(now)


def _open_matches(cup: Tournament) -> list[Match]:
    fixtures = Fixture.objects.filter(round__tournament=cup, finished_at__isnull=True)
    return [each.match for each in fixtures.select_related("match") if each.match is not None]


def _play_out(match: Match) -> datetime:
    seats = match.seats.select_related("user")
    levels = {seat.engine_side: LEVELS[seat.user.username] for seat in seats if seat.user}
    return play(match, levels)
