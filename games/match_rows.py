"""The SQL statements of a command, and of reading a match with its seats.

The ORM compiles its query for each call, which took more CPU than the rest of a command's
transaction (tests/bench/command_costs.py). Columns come from the models, and values pass through
the fields' own conversions, so that rows are what the ORM would read and write. Each function that
runs statements looks the thread's `database` up once: Django's `connection` does so at every
access.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

import orjson
import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import JSONField, Model
from psycopg.pq import TransactionStatus
from psycopg.types.json import Jsonb

from accounts.models import User
from games.engine.sides import Side
from games.models import Action, Match, Seat

M = TypeVar("M", bound=Model)
Convert = Callable[[Any], Any]
# The text of a statement and its values.
Statement = tuple[str, list[Any]]
# The seq and the side of the logged action of a command.
Logged = tuple[int, str]
# Fields of a seat that may change when its lag is charged to the quota of grace.
_CHARGED = ("lag_ms", "grace_left_ms")
_CLIENT_ID = next(field for field in Action._meta.concrete_fields if field.name == "client_id")


class _PreparingCursor(psycopg.Cursor[Any]):
    def _convert_query(self, *args: Any) -> Any:
        self._query = super()._convert_query(*args)  # what Django logs
        return self._query


def lock_match(
    public_id: str, command_id: UUID | None
) -> tuple[Match, list[Seat], Logged | None] | None:
    """Lock the row of a match until the transaction ends; None if there is no such match.

    Return the match, its seats, and the command's action if the command was logged before.
    """
    database = connections[DEFAULT_DB_ALIAS]
    lock = " FOR NO KEY UPDATE" if database.features.has_select_for_no_key_update else ""
    where = f'FROM "games_match" WHERE "public_id" = %s{lock}'
    of_match = '(SELECT "id" FROM "games_match" WHERE "public_id" = %s)'
    with prepared_cursor(database) as first, prepared_cursor(database) as second:
        with _one_exchange(database):
            first.execute(f"SELECT {_columns(Match)} {where}", [public_id])
            # A second statement: the first may wait for the lock, and a statement sees only rows
            # committed before it began.
            second.execute(_seats_sql(of_match), [_stored_id(command_id, database), public_id])
        row, rows = first.fetchone(), second.fetchall()
    if row is None:
        return None
    match = _instance(Match, row, database)
    return match, *_seats_and_logged(match, rows, database)


@contextmanager
def _one_exchange(database: Any) -> Iterator[None]:
    """Send the statements of the block to PostgreSQL in one round trip, with BEGIN if it is due.

    Read the results after the block, since reading them inside would cost another round trip.
    Errors of the statements are raised at the end of the block.
    """
    if database.vendor != "postgresql":
        yield
        return
    database.ensure_connection()
    connection = database.connection
    with database.wrap_database_errors:
        is_first = connection.info.transaction_status == TransactionStatus.IDLE
        begins = database.in_atomic_block and is_first
        if begins:
            # Without this, psycopg sends BEGIN in a round trip of its own. Commit and rollback work
            # as before, and after them Django turns autocommit on anyway.
            connection.autocommit = True
        with connection.pipeline():
            if begins:
                _PreparingCursor(connection).execute("BEGIN")
            yield


def read_seats(match: Match) -> list[Seat]:
    """Read the seats of a match whose row is locked."""
    database = connections[DEFAULT_DB_ALIAS]
    with prepared_cursor(database) as cursor:
        cursor.execute(_seats_sql("%s"), [None, match.pk])
        rows = cursor.fetchall()
    return _seats_and_logged(match, rows, database)[0]


@cache
def _seats_sql(match_id: str) -> str:
    """Return the SQL for the seats of a match; `match_id` is an expression with one placeholder."""
    return (
        f'SELECT {_columns(Seat)}, "games_action"."seq", "games_action"."side" FROM "games_seat"'
        ' LEFT JOIN "games_action" ON "games_action"."match_id" = "games_seat"."match_id"'
        f' AND "games_action"."client_id" = %s WHERE "games_seat"."match_id" = {match_id}'
        ' ORDER BY "games_seat"."id"'
    )


def _seats_and_logged(
    match: Match, rows: list[Any], database: Any
) -> tuple[list[Seat], Logged | None]:
    seats = [_instance(Seat, row[:-2], database) for row in rows]
    for seat in seats:
        seat.match = match
    seq, side = rows[0][-2:] if rows else (None, "")
    return seats, None if seq is None else (seq, side)


def read_match(public_id: str) -> tuple[Match, dict[Side, Seat]] | None:
    """Read a match and its seats with their members, without a lock; None for an unknown match."""
    return read_matches([public_id]).get(public_id)


def read_matches(public_ids: Collection[str]) -> dict[str, tuple[Match, dict[Side, Seat]]]:
    """Read each match that exists as `read_match` does; return them by public id."""
    database = connections[DEFAULT_DB_ALIAS]
    condition = f"IN ({', '.join(['%s'] * len(public_ids))})"
    values: list[Any] = list(public_ids)
    # One text for any number of ids, so that PostgreSQL prepares the statement once.
    if database.vendor == "postgresql":
        condition, values = "= ANY(%s)", [values]
    sql = (
        f'SELECT {_columns(Match)}, {_columns(Seat)}, {_columns(User)} FROM "games_match"'
        ' JOIN "games_seat" ON "games_seat"."match_id" = "games_match"."id"'
        ' LEFT JOIN "accounts_user" ON "accounts_user"."id" = "games_seat"."user_id"'
        f' WHERE "games_match"."public_id" {condition} ORDER BY "games_seat"."id"'
    )
    with prepared_cursor(database) as cursor:
        cursor.execute(sql, values)
        rows = cursor.fetchall()
    width = len(_names(Match))
    found: dict[str, tuple[Match, dict[Side, Seat]]] = {}
    for row in rows:
        match = _instance(Match, row[:width], database)
        match, seats = found.setdefault(match.public_id, (match, {}))
        seat = _seat_with_member(match, row[width:], database)
        seats[seat.engine_side] = seat
    return found


def _seat_with_member(match: Match, row: Sequence[Any], database: Any) -> Seat:
    width = len(_names(Seat))
    seat = _instance(Seat, row[:width], database)
    seat.match = match
    seat.user = _instance(User, row[width:], database) if seat.user_id else None
    return seat


def write(
    match: Match, names: Sequence[str], actions: Iterable[Action], seat: Seat | None = None
) -> None:
    """Insert actions and write the fields `names` of their match, whose row is locked.

    `seat`: the seat whose lag and quota of grace changed, if any.
    """
    database = connections[DEFAULT_DB_ALIAS]
    charged = [] if seat is None else [_update(seat, _CHARGED, database)]
    _execute([_insert(actions, database), *charged, _update(match, names, database)], database)


def _insert(actions: Iterable[Action], database: Any) -> Statement:
    fields = [field for field in Action._meta.concrete_fields if not field.primary_key]
    rows = [[_stored(field, action, database) for field in fields] for action in actions]
    row = f"({', '.join(['%s'] * len(fields))})"
    columns = ", ".join(f'"{field.column}"' for field in fields)
    return (
        f'INSERT INTO "games_action" ({columns}) VALUES {", ".join([row] * len(rows))}',
        [value for values in rows for value in values],
    )


def _update(row: Match | Seat, names: Sequence[str], database: Any) -> Statement:
    fields = [field for field in row._meta.concrete_fields if field.name in names]
    changes = ", ".join(f'"{field.column}" = %s' for field in fields)
    values = [_stored(field, row, database) for field in fields]
    return f'UPDATE "{row._meta.db_table}" SET {changes} WHERE "id" = %s', [*values, row.pk]


def _execute(statements: list[Statement], database: Any) -> None:
    """Run statements that do not depend on each other: on PostgreSQL in one round trip."""
    if database.vendor == "postgresql":
        *others, (last, _) = statements
        parts = ", ".join(f'"part_{place}" AS ({sql})' for place, (sql, _) in enumerate(others))
        statements = [
            (f"WITH {parts} {last}", [each for _, values in statements for each in values])
        ]
    with prepared_cursor(database) as cursor:
        for sql, values in statements:
            cursor.execute(sql, values)


def prepared_cursor(database: Any) -> Any:
    """Return a cursor whose statements PostgreSQL plans once for each connection.

    Django's own cursors put the values into the SQL, so that no statement can be prepared.
    """
    if database.vendor != "postgresql":
        return database.cursor()
    database.ensure_connection()
    return database._prepare_cursor(_PreparingCursor(database.connection))


@cache
def _columns(model: type[Model]) -> str:
    table = model._meta.db_table
    return ", ".join(f'"{table}"."{field.column}"' for field in model._meta.concrete_fields)


def _instance(model: type[M], row: Sequence[Any], database: Any) -> M:
    values = list(row)
    for place, convert in _converters(model, database.vendor):
        values[place] = convert(values[place])
    return model.from_db(database.alias, _names(model), values)


@cache
def _names(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


@cache
def _converters(model: type[Model], vendor: str) -> list[tuple[int, Convert]]:
    """Return the conversions that the driver leaves to Django, each with its column's place."""
    found = []
    for place, field in enumerate(model._meta.concrete_fields):
        expression = field.get_col(model._meta.db_table)
        converters = connection.ops.get_db_converters(expression)
        for convert in converters + expression.get_db_converters(connection):
            found.append((place, _bound(convert, expression)))
    return found


def _bound(convert: Callable[..., Any], expression: Any) -> Convert:
    return lambda value: convert(value, expression, connection)


def _stored_id(command_id: UUID | None, database: Any) -> Any:
    return _CLIENT_ID.get_db_prep_value(command_id, database)


def _stored(field: Any, instance: Model, database: Any) -> Any:
    value = getattr(instance, field.attname)
    if not isinstance(field, JSONField):
        return field.get_db_prep_save(value, database)
    if database.vendor == "postgresql":
        return Jsonb(value, dumps=orjson.dumps)
    return orjson.dumps(value).decode()
