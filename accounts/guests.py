"""Visitors without an account: a number that their browser's session carries."""

from typing import Any
from uuid import UUID

KEY = "guest"


def guest_of(session: Any) -> UUID | None:
    """The guest that a browser session belongs to, if it is one's already."""
    text = session.get(KEY)
    return UUID(text) if text else None
