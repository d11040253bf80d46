"""Admin pages that staff can only read, and the fields that they may search there."""

from typing import Any

from django.contrib.admin import ModelAdmin
from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import FieldDoesNotExist
from django.http import HttpRequest

_lookup_allowed = ModelAdmin.lookup_allowed


class ReadOnly:
    """Forbid adding, changing and deleting. Name it before `ModelAdmin` in the bases."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def refuse_hidden_lookups() -> None:
    """Refuse queries of fields that a page does not show, on every page of the admin.

    Django allows them: `?password__startswith=a` reveals a hash letter by letter, and
    `?text__contains=a` a link in an email that waits.
    """
    ModelAdmin.lookup_allowed = _asks_for_shown  # type: ignore[method-assign, assignment]


def _asks_for_shown(
    self: "ModelAdmin[Any]", lookup: str, value: str, request: HttpRequest | None = None
) -> bool:
    name = lookup.partition("__")[0]
    if request is None or not (_is_public(self, name) or name in _shown(self, request)):
        return False
    return _lookup_allowed(self, lookup, value, request)


def _is_public(page: "ModelAdmin[Any]", name: str) -> bool:
    """Return whether `name` is the primary key, or not a field at all: a filter of ours."""
    try:
        return bool(getattr(page.model._meta.get_field(name), "primary_key", False))
    except FieldDoesNotExist:
        return True


def _shown(page: "ModelAdmin[Any]", request: HttpRequest) -> set[str]:
    """Return the names of the fields in the page's form, list, filters and calendar."""
    chosen = page.get_list_filter(request)
    filters = (each[0] if isinstance(each, tuple) else each for each in chosen)
    named = [*page.get_list_display(request), *filters, page.date_hierarchy]
    fields = flatten_fieldsets(page.get_fieldsets(request))
    return {str(each).partition("__")[0] for each in (*fields, *named) if isinstance(each, str)}
