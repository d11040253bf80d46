"""Write and delete a private note on a player."""

from datetime import datetime

from accounts.models import Note
from accounts.people.locks import lock_unclosed
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction

MAX_NOTES = 2000  # of one member


def write(owner_id: int, about_id: int, text: str, now: datetime) -> None:
    """Store the owner's note on the player; an empty text deletes it. Idempotent.

    Raises Refused: `oneself`, `too_long` above Note.LENGTH, `too_many` at MAX_NOTES, and
    `closed_account` if either account is closed.
    """
    if owner_id == about_id:
        raise Refused("oneself")
    text = "\n".join(text.split("\r\n")).strip()
    if len(text) > Note.LENGTH:
        raise Refused("too_long")
    with write_transaction():
        if not lock_unclosed(owner_id, about_id):  # serializes the count too
            raise Refused("closed_account")
        own = Note.objects.filter(owner_id=owner_id)
        if not text:
            own.filter(about_id=about_id).delete()
            return
        if own.exclude(about_id=about_id).count() >= MAX_NOTES:
            raise Refused("too_many")
        Note.objects.update_or_create(
            owner_id=owner_id, about_id=about_id, defaults={"text": text, "updated_at": now}
        )
