"""What staff may read in the admin and nobody may write there. Every app above has such pages."""

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """Mixed in before an admin or an inline: nothing is added, changed or deleted by it."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
