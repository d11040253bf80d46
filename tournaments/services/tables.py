"""Tables of open fixtures: create the match, write its result."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from games.broadcast import nudge_players
from games.conduct.no_shows import missing_sides, void_cause_of
from games.engine.match.state import MatchCause
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match, Seat
from games.models.void_cause import VoidCause
from games.services import matches
from tournaments import broadcast, states
from tournaments.models import Entrant, Fixture
from tournaments.services import reminders, timeline
from tournaments.services.due import DueWork
from tournaments.services.locking import lock
from tournaments.services.timeline import Event

# The kind of deadline of fixtures without a table, as the worker's loop knows it.
TABLES = "tournament tables"
# The kind of deadline of rounds whose results are all in (rounds.py).
ROUNDS = "tournament rounds"
Cause = Fixture.Cause


def open_table(fixture_id: int, now: datetime) -> None:
    """Create the match of an open fixture; its players have the join window from now on.

    The tournament is locked: another worker may open the same table, and staff may void it.
    """
    tournament_id = Fixture.objects.values_list("round__tournament", flat=True).get(pk=fixture_id)
    with write_transaction():
        tournament = lock(tournament_id)
        rows = Fixture.objects.select_for_update(no_key=True, of=("self",))
        fixture = rows.select_related("first", "second", "round").get(pk=fixture_id)
        # Checked under the locks: PostgreSQL checks a subquery on rows as of the query's start.
        if tournament.state != states.RUNNING or not _waits(fixture) or fixture.second is None:
            return
        rules = tournament.match_rules
        if fixture.drawn_match_id is not None:
            rules = decider_of(rules)
        # The first entrant is White; in the deciding game Black.
        first_side = Side.WHITE if fixture.drawn_match_id is None else Side.BLACK
        sides = {first_side: fixture.first, first_side.other: fixture.second}
        players = {side: each.user_id for side, each in sorted(sides.items()) if not each.bot}
        bots = {side: each.bot for side, each in sides.items() if each.bot}
        is_rated = not tournament.computer_entrants
        match = matches.create_tournament(rules, players, now, bots=bots, is_rated=is_rated)
        fixture.match = match
        join_for = match.policy.no_start_after
        fixture.join_by = now + join_for if join_for else None
        fixture.save(update_fields=["match", "join_by"])
        timeline.add(
            tournament,
            Event.TABLE_OPENED,
            now,
            round=fixture.round.number,
            users=[fixture.first.user_id, fixture.second.user_id],
            match=match.public_id,
        )
        nudge_players(match.seats.all(), match.public_id)
        reminders.tell_table_open(fixture, players.values(), now)
        broadcast.members_changed(players.values(), tournament.public_id)


def decider_of(rules: Rules) -> Rules:
    """Return the rules of the game that decides a drawn match: one point, no parity, no cube."""
    kept = rules.to_dict() | {
        "length": 1, "parity": False, "cube": False, "beaver": False, "auto_doubles": 0,
        "jacoby": False, "reserve_shrinks": False,
    }  # fmt: skip
    del kept["reserve_ms"]  # follows from the length
    return Rules.from_dict(kept)


def record(match_id: int, now: datetime) -> None:
    """Write the result of a finished match into its fixture, in the match's transaction.

    A drawn match is followed by a deciding game, one that is void without anyone's fault by
    another match: the fixture waits for a table again. A fixture decided otherwise stays as it is.
    """
    rows = Fixture.objects.select_for_update(no_key=True, of=("self",))
    fixture = rows.filter(match_id=match_id, finished_at__isnull=True).first()
    if fixture is None or fixture.match is None:
        return
    match, tournament = fixture.match, fixture.round.tournament
    if tournament.state != states.RUNNING:
        return  # void, and its matches with it
    detail: dict[str, Any] = {"round": fixture.round.number, "match": match.public_id}
    if match.outcome == MatchCause.DRAW:
        fixture.drawn_match, fixture.match, fixture.join_by = match, None, None
        _add_points(fixture, match)
        event = Event.DECIDER
    elif match.outcome == MatchCause.VOID and not missing_sides(match):
        fixture.match, fixture.join_by = None, None
        event = Event.REPLAY
    else:
        _decide(fixture, match, now)
        event = Event.RESULT
        detail |= {"winner": _user_id(fixture.winner), "cause": fixture.cause}
    fixture.save()
    users = [fixture.first.user_id, _user_id(fixture.second)]
    timeline.add(tournament, event, now, users=users, **detail)
    deadlines.note(TABLES if fixture.match is None else ROUNDS, now)
    broadcast.members_changed([user for user in users if user], tournament.public_id)


def _user_id(entrant: Entrant | None) -> int | None:
    return entrant.user_id if entrant is not None else None


def _is_of(seat: Seat, entrant: Entrant) -> bool:
    return seat.bot == entrant.bot if entrant.bot else seat.user_id == entrant.user_id


def _decide(fixture: Fixture, match: Match, now: datetime) -> None:
    is_first = {seat.engine_side: _is_of(seat, fixture.first) for seat in match.seats.all()}
    entrants = {side: fixture.first if own else fixture.second for side, own in is_first.items()}
    fixture.finished_at = now
    if match.outcome == MatchCause.VOID:
        missing = missing_sides(match)
        here = [side for side in Side if side not in missing]
        fixture.winner = entrants[here[0]] if here else None
        has_left = void_cause_of(match) is VoidCause.LEFT
        came = Cause.GAVE_UP if has_left else Cause.ABSENT
        fixture.cause = came if here else Cause.BOTH_ABSENT
        return
    fixture.winner, fixture.cause = entrants[Side(match.winner)], Cause.PLAYED
    _add_points(fixture, match)


def _add_points(fixture: Fixture, match: Match) -> None:
    score = match.state.score
    for seat in match.seats.all():
        if _is_of(seat, fixture.first):
            fixture.first_points += score[seat.engine_side]
        else:
            fixture.second_points += score[seat.engine_side]


def _waits(fixture: Fixture) -> bool:
    return fixture.finished_at is None and fixture.match_id is None


def waiting_for_table() -> QuerySet[Fixture]:
    return Fixture.objects.filter(
        finished_at__isnull=True,
        match__isnull=True,
        second__isnull=False,
        round__tournament__state=states.RUNNING,
    )


WORK = DueWork(TABLES, waiting_for_table, "round__started_at", open_table)
