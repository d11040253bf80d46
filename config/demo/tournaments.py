"""Tournaments of a demonstration, one each: announced, running, finished, canceled, proposed."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta

from accounts.shared.transactions import write_transaction
from config.demo.histories import rate_and_count
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
    rate_and_count(now)
    return f"Tournaments: {', '.join(made)}" if made else ""


def _finished(name: str, people: People, now: datetime) -> None:
    plan = Plan(name, "KNOCKOUT", rules_of("long", 1))
    tournament = _announce_and_start(
        plan, people, ("annika", "boris", "giorgi", "leyla"), now - 2 * DAY
    )
    at = tournament.starts_at
    while tournament.state == states.RUNNING:
        at = max([at, *map(_play_out, _open_matches(tournament))]) + MINUTE
        _do_due_work(at)
        tournament.refresh_from_db()


def _running(name: str, people: People, now: datetime) -> None:
    """Let bots play each other for hours; the only member who entered never comes to a table."""
    plan = Plan(
        name, "DOUBLE_ROUND_ROBIN", rules_of("short", 11), max_entrants=8, computer_entrants=4
    )
    _announce_and_start(plan, people, ("hakan",), now)


def _canceled(name: str, people: People, now: datetime) -> None:
    """Let too few members enter."""
    plan = Plan(name, "SWISS", rules_of("short", 3))
    _announce_and_start(plan, people, ("deniz", "marta"), now - DAY)


def _announced(name: str, people: People, now: datetime) -> None:
    plan = Plan(name, "KNOCKOUT", rules_of("short", 3), fee_credits=20)
    tournament = announcing.announce(plan, now + DAY, now)
    _enter(tournament, people, ("annika", "boris", "elena", "giorgi", "sofia"), now)


def _proposed(name: str, people: People, now: datetime) -> None:
    plan = Plan(name, "ROUND_ROBIN", rules_of("long", 1), max_entrants=8)
    announcing.propose(plan, now + 2 * DAY, people["leyla"], now)


_MAKERS: Mapping[str, Callable[[str, People, datetime], None]] = {
    "Осенний кубок": _finished,
    "Bot league": _running,
    "Öğle turu": _canceled,
    "Friends of the bar point": _announced,
    "Nərd axşamı": _proposed,
}


def _announce_and_start(
    plan: Plan, people: People, logins: Iterable[str], starts_at: datetime
) -> Tournament:
    """Announce a tournament, enter these members, and do the work that is due at its start."""
    announced_at = starts_at - HOUR
    tournament = announcing.announce(plan, starts_at, announced_at)
    _enter(tournament, people, logins, announced_at)
    _do_due_work(starts_at)
    tournament.refresh_from_db()
    return tournament


def _enter(tournament: Tournament, people: People, logins: Iterable[str], now: datetime) -> None:
    for login in logins:
        entering.enter(tournament.public_id, people[login], now)


def _do_due_work(now: datetime) -> None:
    """Do what the worker does for tournaments at this moment."""
    for work in (starting.WORK, rounds.WORK, tables.WORK, ending.WORK):
        work.settle_due(now)


def _open_matches(tournament: Tournament) -> list[Match]:
    fixtures = Fixture.objects.filter(round__tournament=tournament, finished_at__isnull=True)
    return [each.match for each in fixtures.select_related("match") if each.match is not None]


def _play_out(match: Match) -> datetime:
    seats = match.seats.select_related("user")
    levels = {seat.engine_side: LEVELS[seat.user.username] for seat in seats if seat.user}
    return play(match, levels)
