"""A member's table choices as the page sends them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.db import transaction

from accounts.broadcast import nudge
from accounts.models import Preferences
from accounts.models.preferences import camel_case
from accounts.people.locks import lock_unclosed
from accounts.profile import looks, preferences
from accounts.shared.transactions import write_transaction


class UnknownChoice(Exception):
    """A name or value does not exist among the table's choices."""


def change(user_id: int, given: Mapping[str, Any]) -> None:
    """Write choices by the page's names, or raise UnknownChoice and write none.

    Treats a look that the member may not wear as unknown. Nudges the member's open pages. Does
    nothing for a closed account.
    """
    chosen = {_field_of(name, value): value for name, value in given.items()}
    if not chosen:
        return
    with write_transaction():
        if not lock_unclosed(user_id):
            return
        looks.lock_worn(user_id)
        if unknown := looks.not_wearable(user_id, chosen):
            raise UnknownChoice(", ".join(sorted(unknown)))
        preferences.choose(user_id, **chosen)
        transaction.on_commit(lambda: nudge(user_id, "choices"))


def _field_of(name: str, value: Any) -> str:
    """Return the model field of a page name; raise UnknownChoice for a wrong name or value."""
    field, allowed = _known_choices().get(name, ("", ()))
    # Compare types too: 1 == True in Python.
    if not any(type(value) is type(each) and value == each for each in allowed):
        raise UnknownChoice(name)
    return field


@cache
def _known_choices() -> dict[str, tuple[str, tuple[Any, ...]]]:
    """Return model field and allowed values by page name."""
    choices = {
        field.name: tuple(str(value) for value, _label in field.choices or ())
        for field in Preferences._meta.concrete_fields
    }
    return {
        camel_case(name): (name, choices[name] or (True, False))
        for name in Preferences.TABLE_FIELDS
    }
