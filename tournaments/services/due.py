"""Settle due rows of one kind, each on its own: a row that fails does not stop the others."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.shared.deadlines import Retries

logger = logging.getLogger(__name__)
# Most rows settled in one call.
BATCH = 50


@dataclass(frozen=True, slots=True)
class DueWork:
    """One kind of rows that wait for a deadline.

    `moment` is the field with the deadline, or the path to it. `settle_row` takes the id of a row;
    in a transaction of its own it locks the row, checks it again and acts.
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
        """Settle at most BATCH due rows; return the next moment to call again, None for never."""
        due = self.rows().filter(**{f"{self.moment}__lte": now})
        due = due.exclude(pk__in=self.retries.resting(now)).order_by(self.moment, "pk")
        ids = list(due.values_list("pk", flat=True)[:BATCH])
        self.retries.settle(ids, lambda row_id: self.settle_row(row_id, now), now)
        if len(ids) == BATCH:
            return now
        coming = self.rows().filter(**{f"{self.moment}__gt": now}).order_by(self.moment)
        following = coming.values_list(self.moment, flat=True).first()
        return self.retries.next_at(following, now)
