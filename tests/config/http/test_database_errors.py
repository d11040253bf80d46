"""Database errors that mean that the database cannot be reached."""

import sqlite3
from collections.abc import Callable

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError
from psycopg import errors

from config.http.database_errors import is_unreachable


def sqlite_error(path: str, query: str) -> Exception:
    with pytest.raises(sqlite3.OperationalError) as raised:
        sqlite3.connect(path).execute(query)
    return raised.value


def caused_by(cause: Exception) -> OperationalError:
    error = OperationalError()
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "cause",
    [
        lambda: psycopg.OperationalError("connection refused"),
        errors.AdminShutdown,
        errors.CannotConnectNow,
        errors.TooManyConnections,
        lambda: sqlite_error("/no/such/folder/site.sqlite3", "SELECT 1"),
    ],
)
def test_a_database_without_an_answer_is_unreachable(cause: Callable[[], Exception]) -> None:
    assert is_unreachable(caused_by(cause()))


@pytest.mark.parametrize(
    "cause",
    [
        errors.QueryCanceled,
        errors.DeadlockDetected,
        errors.LockNotAvailable,
        lambda: sqlite_error(":memory:", "SELECT * FROM missing"),
    ],
)
def test_a_database_that_refuses_a_query_is_reached(cause: Callable[[], Exception]) -> None:
    assert not is_unreachable(caused_by(cause()))


def test_a_closed_connection_is_unreachable_and_other_errors_are_not() -> None:
    assert is_unreachable(InterfaceError("connection already closed"))
    assert not is_unreachable(ProgrammingError())
    assert not is_unreachable(None)
