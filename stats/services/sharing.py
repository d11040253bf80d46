"""Share a member's recap of a year with everyone who knows its URL."""

import secrets
from datetime import datetime

from accounts.shared.transactions import write_transaction
from stats.models import SharedRecap


def share(user_id: int, year: int, shows_credits: bool, now: datetime) -> SharedRecap:
    """Give the recap a public URL, or keep the one it has."""
    with write_transaction():
        new = {"token": secrets.token_urlsafe(12), "shared_at": now}
        shared, _ = SharedRecap.objects.update_or_create(
            user_id=user_id,
            year=year,
            defaults={"shows_credits": shows_credits},
            create_defaults={**new, "shows_credits": shows_credits},
        )
        return shared


def stop(user_id: int, year: int) -> None:
    """Take the public URL away; sharing again makes another URL."""
    with write_transaction():
        SharedRecap.objects.filter(user_id=user_id, year=year).delete()


def stop_all(user_id: int) -> None:
    with write_transaction():
        SharedRecap.objects.filter(user_id=user_id).delete()
