"""A member's choices at the table, as its page sends them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.db import transaction

from accounts.broadcast import nudge
from accounts.gate import writing
from accounts.models import Preferences
from accounts.models.preferences import camel_case
from accounts.services import preferences


class UnknownChoice(Exception):
    """A name or a value that the table does not have."""


def change(user_id: int, given: Mapping[str, Any]) -> None:
    """Write down the choices given by the page's names: all of them, or `UnknownChoice` and none.

    The member's other open tables hear of it.
    """
    chosen = {_field_of(name, value): value for name, value in given.items()}
    if not chosen:
        return
    with writing():
        preferences.choose(user_id, **chosen)
        transaction.on_commit(lambda: nudge(user_id, "choices"))


def _field_of(name: str, value: Any) -> str:
    """The model's field behind a name of the page."""
    fields = _values()
    # By type too: to Python 1 is True.
    known = fields.get(name, ("", ()))[1]
    if not any(type(value) is type(each) and value == each for each in known):
        raise UnknownChoice(name)
    return fields[name][0]


@cache
def _values() -> dict[str, tuple[str, tuple[Any, ...]]]:
    """By the page's name: the model's field, and the values that it may have."""
    choices = {
        field.name: tuple(str(value) for value, _label in field.choices or ())
        for field in Preferences._meta.concrete_fields
    }
    return {
        camel_case(name): (name, choices[name] or (True, False))
        for name in Preferences.TABLE_FIELDS
    }
