"""Distinguish a database that cannot be reached from a query that fails."""

import sqlite3

from django.db import InterfaceError, OperationalError

# From https://www.postgresql.org/docs/15/errcodes-appendix.html: connection exceptions,
# insufficient resources, and a server that shuts down or starts.
POSTGRES = ("08", "53", "57P")
SQLITE = ("SQLITE_BUSY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_LOCKED")


def is_unreachable(error: BaseException | None) -> bool:
    if isinstance(error, InterfaceError):
        return True
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return cause.sqlite_errorname.startswith(SQLITE)
    code = getattr(cause, "sqlstate", None)  # None if no answer came
    return code is None or code.startswith(POSTGRES)
