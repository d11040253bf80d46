"""Ids for log lines: of the request or connection, its user and its match (config/logs.py).

The lowest app holds them because every app sets them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
# The primary key of the member, which identifies nobody without the database.
user_id: ContextVar[str] = ContextVar("user_id", default="")
match_id: ContextVar[str] = ContextVar("match_id", default="")


@contextmanager
def about_match(public_id: str) -> Iterator[None]:
    """Name the match in every log line of the block."""
    token = match_id.set(public_id)
    try:
        yield
    finally:
        match_id.reset(token)
