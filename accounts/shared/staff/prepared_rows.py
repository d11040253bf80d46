"""Lists of the admin that read other tables once for the whole page, not once for each row."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.contrib.admin import ModelAdmin
from django.http import HttpRequest

if TYPE_CHECKING:
    Base = ModelAdmin[Any]
else:
    Base = object


class PreparedRows(Base):
    """Call `prepare` once with the rows that a list shows. List it before ModelAdmin."""

    def prepare(self, rows: Sequence[Any]) -> None:
        """Set on each row the attributes that its columns show."""
        raise NotImplementedError

    def prepared(self, row: Any, name: str) -> Any:
        """Return an attribute that `prepare` sets, also on the page of a single row."""
        if name not in vars(row):
            self.prepare([row])
        return vars(row)[name]

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        page = super().get_changelist_instance(request)
        page.result_list = list(page.result_list)
        self.prepare(page.result_list)
        return page
