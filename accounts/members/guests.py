"""Visitors without an account: a UUID in their browser's session."""

from typing import Any
from uuid import UUID

KEY = "guest"  # of the session


def guest_of(session: Any) -> UUID | None:
    """Return the guest of a session, or None if it has none yet."""
    text = session.get(KEY)
    return UUID(text) if text else None
