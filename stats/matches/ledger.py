"""A member's credits by group of causes, except matches for a stake."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Q, Subquery, Sum

from wallet import causes
from wallet.models import Entry, Transfer
from wallet.selectors import account_of

# The group of causes of matches for a stake; statistics read their credits from the matches.
MATCHES = "matches"


@dataclass(frozen=True, slots=True)
class Credited:
    """Credits received and spent under the causes of one group of the statement."""

    group: causes.Group
    incoming: int
    outgoing: int


def credited(user_id: int, since: datetime | None) -> list[Credited]:
    """Return the groups with credits in the period, in the order of the statement's filter."""
    account = account_of(user_id)
    if account is None:
        return []
    # Subqueries, since with a join PostgreSQL would read the transfers of the whole site.
    transfer = Transfer.objects.filter(pk=OuterRef("transfer"))
    entries = Entry.objects.filter(account=account)
    if since is not None:
        entries = entries.alias(at=Subquery(transfer.values("created_at"))).filter(at__gte=since)
    sums: dict[str, tuple[int, int]] = {
        row["cause"]: (row["incoming"] or 0, -(row["outgoing"] or 0))
        for row in entries.values(cause=Subquery(transfer.values("cause"))).annotate(
            incoming=Sum("amount_credits", filter=Q(amount_credits__gt=0)),
            outgoing=Sum("amount_credits", filter=Q(amount_credits__lt=0)),
        )
    }
    found = (_of_group(group, sums) for group in causes.groups() if group.code != MATCHES)
    return [each for each in found if each.incoming or each.outgoing]


def _of_group(group: causes.Group, sums: dict[str, Any]) -> Credited:
    known = set(causes.all_codes())
    codes = set(sums) - known if group == causes.OTHER else set(causes.codes_of(group))
    found = [sums[code] for code in codes if code in sums]
    return Credited(group, sum(each[0] for each in found), sum(each[1] for each in found))
