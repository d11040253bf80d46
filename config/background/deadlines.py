"""Read the next deadline of every kind of work in one query.

Every worker runs this query several times a second. Compiling its subqueries in the ORM and
planning them in PostgreSQL took longer than running them, so the query is compiled and planned
once.
"""

from datetime import datetime
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet, Subquery

from accounts.notices import services as notices
from games import match_rows
from games.bots import driver
from games.models import Heartbeat
from games.reviews import queue
from games.services import deadlines, heartbeat, seats
from games.services.next_deadline import BOTS, MATCHES
from lobby.services import expiry, pairs, wish_matching, wishing
from stats.services import counting, rating, reviewed
from tournaments.services import work as tournaments_work
from wallet.services import owed


def read() -> dict[str, datetime]:
    """Return the next deadline of each kind that has one; a deadline may be in the past.

    The deadlines are selected as columns of the worker's heartbeat row, so nothing is found while
    that row does not exist.
    """
    database = connections[DEFAULT_DB_ALIAS]
    kinds, columns, (sql, values) = _compiled(database.vendor)
    with match_rows.prepared_cursor(database) as cursor:
        cursor.execute(sql, values)
        row = cursor.fetchone() or ()
    found = {
        kind: _as_datetime(value, column, database)
        for kind, value, column in zip(kinds, row, columns, strict=False)
    }
    # A seat is due `SILENCE` after its connection was last seen.
    if found.get(seats.SEATS):
        found[seats.SEATS] += seats.SILENCE
    return {kind: at for kind, at in found.items() if at is not None}


def _as_datetime(value: Any, column: Any, database: Any) -> Any:
    for convert in database.ops.get_db_converters(column):
        value = convert(value, column, database)
    return value


@cache
def _compiled(vendor: str) -> tuple[list[str], list[Any], tuple[str, tuple[Any, ...]]]:
    """Return the kinds of work, the column of each, the SQL and its values.

    `vendor` is the kind of database for which the SQL is compiled. The values can be reused, since
    no subquery depends on the present moment.
    """
    waiting = _waiting()
    firsts = [Subquery(rows[:1]) for rows in waiting.values()]
    beats = Heartbeat.objects.filter(name=heartbeat.WORKER).order_by().values_list(*firsts)
    compiler = beats.query.get_compiler(DEFAULT_DB_ALIAS)
    statement = compiler.as_sql()
    return list(waiting), [column for column, *_ in compiler.select], statement


def _waiting() -> dict[str, QuerySet[Any, Any]]:
    return {
        MATCHES: deadlines.waiting().values("wake_at"),
        BOTS: driver.waiting().values("wake_at"),
        seats.SEATS: seats.held().values("seen_at"),
        queue.REVIEWS: queue.leasable(),
        expiry.SEEKS: expiry.expiring().values("due_at"),
        notices.NOTICES: notices.waiting().values("due_at"),
        owed.OWED: owed.payable().values("created_at"),
        pairs.SEARCHES: pairs.waiting().values("next_try_at"),
        wishing.WISHES: wish_matching.waiting().values("created_at"),
        counting.SEAT_COUNTS: counting.waiting().values("finished_at"),
        reviewed.REVIEW_COUNTS: reviewed.waiting().values("reviewed_at"),
        rating.RATINGS: rating.waiting().values("finished_at"),
        **{work.kind: work.waiting() for work in tournaments_work.ALL},
    }
