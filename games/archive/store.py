"""Stored forms of finished matches: computed at first need, then read by every process.

A finished match never changes, so a form is never out of date; only the code that makes it is.
"""

import logging
import zlib
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager

from django.db import DatabaseError

from accounts.shared.transactions import write_transaction
from games.models import Match, StoredForm

logger = logging.getLogger(__name__)

# Raise it with every change of what a form contains: all forms are then computed again at need.
VERSION = 3
Forms = dict[str, str]
# Opens the context in which a log may be folded (games/archive/fold_slots.py).
Slot = Callable[[], AbstractContextManager[None]]


def obtain(
    match: Match,
    names: Collection[str],
    make: Callable[[Collection[str]], Forms],
    slot: Slot,
) -> Forms:
    """Return the forms of these names; `make` returns those that are missing, and may return more.

    They are made inside `slot()`, which may refuse. Another request may have stored them meanwhile.
    """
    found = find(match, names)
    if len(found) == len(names):
        return found
    with slot():
        found = find(match, names)
        if missing := [name for name in names if name not in found]:
            made = make(missing)
            _keep(match, made)
            found |= {name: made[name] for name in missing}
    return found


def find(match: Match, names: Collection[str]) -> Forms:
    """Return those of the forms that are stored, by name."""
    rows = StoredForm.objects.filter(match=match, name__in=names, version=VERSION)
    return {
        name: zlib.decompress(content).decode()
        for name, content in rows.values_list("name", "content")
    }


def _keep(match: Match, forms: Forms) -> None:
    """Store the forms; a fault of the database costs no more than computing them again."""
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
