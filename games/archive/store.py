"""Stored forms of finished matches: computed at first need, then read by every process.

A finished match never changes, so a form is out of date only after a change of the code (VERSION).
"""

import logging
import zlib
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager

from django.db import DatabaseError

from accounts.shared.transactions import write_transaction
from games.models import Match, StoredForm

logger = logging.getLogger(__name__)

# Raise this number with every change of a form's content: all forms are then computed again.
VERSION = 4
# The text of each form, by the form's name.
Forms = dict[str, str]
# Opens the context in which a log may be folded (games/archive/fold_slots.py).
Slot = Callable[[], AbstractContextManager[None]]


def obtain(
    match: Match,
    names: Collection[str],
    make: Callable[[Collection[str]], Forms],
    slot: Slot,
) -> Forms:
    """Return the forms of these names; `make` computes the missing ones, and may return more.

    `make` runs inside `slot()`, which may raise `NoSlot`. If another request has stored the forms
    during the wait for the slot, `make` is not called.
    """
    found = find(match, names)
    if len(found) == len(names):
        return found
    with slot():
        found = find(match, names)
        if missing := [name for name in names if name not in found]:
            made = make(missing)
            _store(match, made)
            found |= {name: made[name] for name in missing}
    return found


def find(match: Match, names: Collection[str]) -> Forms:
    """Return the stored forms among those asked for, by name."""
    rows = StoredForm.objects.filter(match=match, name__in=names, version=VERSION)
    return {
        name: zlib.decompress(content).decode()
        for name, content in rows.values_list("name", "content")
    }


def _store(match: Match, forms: Forms) -> None:
    """Store the forms; only log a database error, since forms can be computed again."""
    rows = [
        StoredForm(match=match, name=name, version=VERSION, content=zlib.compress(text.encode()))
        for name, text in forms.items()
    ]
    try:
        with write_transaction():
            StoredForm.objects.bulk_create(
                rows,
                update_conflicts=True,
                unique_fields=["match", "name"],
                update_fields=["version", "content"],
            )
    except DatabaseError:
        logger.exception("forms not stored", extra={"match": match.public_id})
