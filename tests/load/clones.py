"""Copy matches and announcements inside the database.

The services need a tenth of a second to create a match, and minutes for thousands. SQL copies the
rows of a few matches instead: each copy has new ids, names and keys, and later times.
"""

from datetime import datetime, timedelta
from typing import Any

import psycopg

# The ids of each copy are greater by this than those of the copy before.
STRIDE = 10_000
TABLES = (
    "accounts_user", "accounts_profile", "accounts_preferences", "wallet_account",
    "wallet_transfer", "wallet_entry", "wallet_hold", "games_match", "games_seat", "games_action",
    "games_game", "games_rematchoffer", "games_countedmatch", "lobby_seek",
    "lobby_search", "lobby_invitation",
)  # fmt: skip
# Unique columns. The copy's number is appended to the value. In columns of a fixed length it
# replaces the last four characters; columns that repeat such a value are changed in the same way.
_APPENDED_TO = ("username", "email", "key")
_ENDS_REPLACED = ("public_id", "code", "reference")

# Name and type of each column, and whether it is part of a primary or a foreign key.
_COLUMNS = """
SELECT attname, format_type(atttypid, NULL), EXISTS (
    SELECT FROM pg_constraint
    WHERE contype IN ('p', 'f') AND conrelid = attrelid AND attnum = ANY(conkey)
  )
FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped
"""


def highest_ids(connection: psycopg.Connection[Any]) -> dict[str, int]:
    """Return the highest id of each table; rows that are added later have higher ones."""
    found = {}
    for table in TABLES:
        row = connection.execute(f"SELECT COALESCE(max(id), 0) FROM {table}").fetchone()  # type: ignore[call-overload]
        assert row is not None
        found[table] = row[0]
    return found


def clone(
    connection: psycopg.Connection[Any],
    copies: int,
    apart: timedelta,
    above: dict[str, int] | None = None,
) -> None:
    """Copy all rows except the house accounts; each copy is `apart` later than the last.

    With `above`, copy only rows with higher ids.
    """
    with connection.transaction():
        for table in TABLES:
            columns = connection.execute(_COLUMNS, [table]).fetchall()
            names = ", ".join(f'"{name}"' for name, _, _ in columns)
            values = ", ".join(_value(*column) for column in columns)
            condition = f"WHERE id > {above[table] if above else 0}"
            if table == "wallet_account":
                condition += " AND kind <> 'HOUSE'"
            connection.execute(
                f"INSERT INTO {table} ({names}) SELECT {values}"  # type: ignore[call-overload]
                f" FROM {table}, generate_series(1, %(copies)s) AS copy {condition} ORDER BY copy",
                {"copies": copies, "apart": apart},
            )
            _advance_sequence(connection, table)


def copy_of(fields: dict[str, Any], number: int, apart: timedelta) -> dict[str, Any]:
    """Return the fields of copy `number` of a race that was arranged; 0 is the original."""
    copied = dict(fields)
    for name in fields.keys() & {"match", "seek", "invitation"}:
        copied[name] = f"{fields[name][:-4]}{number:04}" if number else fields[name]
    for name in fields.keys() & {"expires_at", "flag_at", "now"}:
        copied[name] = (datetime.fromisoformat(fields[name]) + number * apart).isoformat()
    if "users" in fields:
        copied["users"] = [id + number * STRIDE for id in fields["users"]]
    if "third" in fields:
        copied["third"] = fields["third"] + number * STRIDE
    return copied


def _value(name: str, sql_type: str, is_reference: bool) -> str:
    """Return the SQL expression for a column of a copy."""
    column = f'"{name}"'
    if name == "account_id":
        house = "(SELECT id FROM wallet_account WHERE kind = 'HOUSE')"
        return f"CASE WHEN {column} IN {house} THEN {column} ELSE {column} + copy * {STRIDE} END"
    if is_reference:
        return f"{column} + copy * {STRIDE}"
    if sql_type == "timestamp with time zone":
        return f"{column} + copy * %(apart)s"
    if name in _APPENDED_TO:
        return f"{column} || '.' || copy"
    if name in _ENDS_REPLACED:
        ending = "lpad(copy::text, 4, '0')"
        return f"CASE {column} WHEN '' THEN '' ELSE left({column}, -4) || {ending} END"
    return column


def _advance_sequence(connection: psycopg.Connection[Any], table: str) -> None:
    sequence = connection.execute(
        "SELECT pg_get_serial_sequence(%s, attname) FROM pg_attribute"
        " WHERE attrelid = %s::regclass AND attname = 'id'",
        [table, table],
    ).fetchone()
    if sequence and sequence[0]:
        highest = f"(SELECT max(id) FROM {table})"
        connection.execute(f"SELECT setval(%s, {highest})", [sequence[0]])  # type: ignore[call-overload]
