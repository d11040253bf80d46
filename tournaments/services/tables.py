"""Tables of open fixtures: create the match, store its result."""

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
from tournaments.models import Entrant, Fixture, Tournament
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
    """Create the match of an open fixture; the join window of its players starts now.

    Locks the tournament, then the fixture.
    """
    tournament_id = Fixture.objects.values_list("round__tournament", flat=True).get(pk=fixture_id)
    with write_transaction():
        tournament = lock(tournament_id)
        rows = Fixture.objects.select_for_update(no_key=True, of=("self",))
        fixture = rows.select_related("first", "second", "round").get(pk=fixture_id)
        # Check again under both locks: meanwhile another worker may have opened the table, or staff
        # may have ended the tournament.
        if tournament.state != states.RUNNING or not _waits(fixture) or fixture.second is None:
            return
        match = _create_match(fixture, fixture.second, tournament, now)
        fixture.match = match
        join_for = match.policy.no_start_after
        fixture.join_by = now + join_for if join_for else None
        fixture.save(update_fields=["match", "join_by"])
        both = (fixture.first, fixture.second)
        user_ids = [entrant.user_id for entrant in both if not entrant.bot]
        timeline.add(
            tournament,
            Event.TABLE_OPENED,
            now,
            round=fixture.round.number,
            users=[entrant.user_id for entrant in both],
            match=match.public_id,
        )
        nudge_players(match.seats.all(), match.public_id)
        reminders.tell_table_open(fixture, user_ids, now)
        broadcast.members_changed(user_ids, tournament.public_id)


def _create_match(
    fixture: Fixture, second: Entrant, tournament: Tournament, now: datetime
) -> Match:
    """Create the match; the first entrant is White, in the deciding game Black."""
    is_decider = fixture.drawn_match_id is not None
    rules = decider_of(tournament.match_rules) if is_decider else tournament.match_rules
    first_side = Side.BLACK if is_decider else Side.WHITE
    sides = {first_side: fixture.first, first_side.other: second}
    players = {side: each.user_id for side, each in sorted(sides.items()) if not each.bot}
    bots = {side: each.bot for side, each in sides.items() if each.bot}
    is_rated = not tournament.computer_entrants
    return matches.create_tournament(rules, players, now, bots=bots, is_rated=is_rated)


def decider_of(rules: Rules) -> Rules:
    """Return the rules of the deciding game after a drawn match: one point, no parity, no cube."""
    kept = rules.to_dict() | {
        "length": 1, "parity": False, "cube": False, "beaver": False, "auto_doubles": 0,
        "jacoby": False, "reserve_shrinks": False,
    }  # fmt: skip
    del kept["reserve_ms"]  # follows from the length
    return Rules.from_dict(kept)


def record(match_id: int, now: datetime) -> None:
    """Store the result of a finished match in its fixture, in the match's transaction.

    After a drawn match the fixture waits for the table of a deciding game; after a match that is
    void through no player's fault, for the table of a new match. A fixture that staff have decided
    stays as it is.
    """
    rows = Fixture.objects.select_for_update(no_key=True, of=("self",))
    fixture = rows.filter(match_id=match_id, finished_at__isnull=True).first()
    if fixture is None or fixture.match is None:
        return
    match, tournament = fixture.match, fixture.round.tournament
    if tournament.state != states.RUNNING:
        return  # staff have called it off, and with it this match
    event = _apply_result(fixture, match, now)
    fixture.save()
    detail: dict[str, Any] = {"round": fixture.round.number, "match": match.public_id}
    if event == Event.RESULT:
        detail |= {"winner": _user_id(fixture.winner), "cause": fixture.cause}
    users = [fixture.first.user_id, _user_id(fixture.second)]
    timeline.add(tournament, event, now, users=users, **detail)
    deadlines.note(TABLES if fixture.match is None else ROUNDS, now)
    broadcast.members_changed([user for user in users if user], tournament.public_id)


def _apply_result(fixture: Fixture, match: Match, now: datetime) -> Event:
    """Set the fields of a fixture from its match's result; return the event for the timeline."""
    if match.outcome == MatchCause.DRAW:
        fixture.drawn_match, fixture.match, fixture.join_by = match, None, None
        _add_points(fixture, match)
        return Event.DECIDER
    if match.outcome == MatchCause.VOID and not missing_sides(match):
        fixture.match, fixture.join_by = None, None
        return Event.REPLAY
    _decide(fixture, match, now)
    return Event.RESULT


def _user_id(entrant: Entrant | None) -> int | None:
    return entrant.user_id if entrant is not None else None


def _is_of(seat: Seat, entrant: Entrant) -> bool:
    return seat.bot == entrant.bot if entrant.bot else seat.user_id == entrant.user_id


def _decide(fixture: Fixture, match: Match, now: datetime) -> None:
    """Set the result of a fixture whose match was won, or void through the fault of a player."""
    entrants = {
        seat.engine_side: fixture.first if _is_of(seat, fixture.first) else fixture.second
        for seat in match.seats.all()
    }
    fixture.finished_at = now
    if match.outcome == MatchCause.VOID:
        missing = missing_sides(match)
        present = [side for side in Side if side not in missing]
        fixture.winner = entrants[present[0]] if present else None
        has_left = void_cause_of(match) is VoidCause.LEFT
        cause_of_loser = Cause.GAVE_UP if has_left else Cause.ABSENT
        fixture.cause = cause_of_loser if present else Cause.BOTH_ABSENT
        # A technical result counts 0:0, whatever a drawn match before it scored.
        fixture.first_points = fixture.second_points = 0
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
