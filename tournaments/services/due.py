"""Settle due rows of one kind: one by one, so that a failing row stops no other."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.shared.deadlines import Retries

logger = logging.getLogger(__name__)
# Rows settled in one call.
BATCH = 50


@dataclass(frozen=True, slots=True)
class DueWork:
    """Rows that wait in a state, `moment` being the field or path of their deadline.

    `settle_row` locks a row by its id, checks again and acts, in one transaction of its own.
    """

    kind: str
    rows: Callable[[], QuerySet[Any]]
    moment: str
    settle_row: Callable[[int, datetime], object]
    retries: Retries = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "retries", Retries(logger, f"{self.kind} not settled", "row"))

    def waiting(self) -> QuerySet[Any]:
        """Return the moments of the waiting rows, the earliest first."""
        return self.rows().order_by(self.moment, "pk").values(self.moment)

    def settle_due(self, now: datetime) -> datetime | None:
        """Settle what is due; return when the next row is due, None when nothing waits."""
        due = self.rows().filter(**{f"{self.moment}__lte": now})
        due = due.exclude(pk__in=self.retries.resting(now)).order_by(self.moment, "pk")
        ids = list(due.values_list("pk", flat=True)[:BATCH])
        self.retries.settle(ids, lambda row_id: self.settle_row(row_id, now), now)
        if len(ids) == BATCH:
            return now
        coming = self.rows().filter(**{f"{self.moment}__gt": now}).order_by(self.moment)
        following = coming.values_list(self.moment, flat=True).first()
        return self.retries.next_at(following, now)
