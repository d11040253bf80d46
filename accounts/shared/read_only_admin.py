"""Admin pages that staff can read only."""

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """Forbid adding, changing and deleting. Goes before an admin or inline class."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
