"""Limit the number of rows that one author may add in a period."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.shared.refusals import Refused


def need_pace(rows: QuerySet[Any], limit: int, since: datetime) -> None:
    """Raise `Refused("too_fast")` if at least `limit` of the rows were created after `since`.

    Unless the caller has locked the author, two requests at once can both pass.
    """
    if rows.filter(created_at__gt=since).count() >= limit:
        raise Refused("too_fast")
