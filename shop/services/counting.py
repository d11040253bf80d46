"""Sum the ledger up every hour, for the public page of totals, and check it for disagreements."""

import logging
from datetime import datetime, timedelta

from django.db.models import Case, F, Sum, When

from shop.models import LedgerCount
from wallet import reconciliation
from wallet.causes import WELCOME
from wallet.models import Account, Entry
from wallet.money import House
from wallet.services import freezing
from wallet.services.welcome import STEP_CODE

logger = logging.getLogger(__name__)

# The name of this work in the worker's loop.
COUNTS = "ledger_counts"
EVERY = timedelta(hours=1)
# Time after which a count is deleted.
KEPT = timedelta(days=30)


def settle_due(now: datetime) -> datetime:
    """Count if an hour has passed since the last count; return when the next one is due.

    Two workers may count at the same time: the count of a moment is stored once, and two counts a
    moment apart do no harm.
    """
    last = LedgerCount.objects.values_list("at", flat=True).first()
    if last is not None and now < last + EVERY:
        return last + EVERY
    differences = reconciliation.reconcile().differences
    # The freeze comes first: once a count is stored, nothing is checked for an hour.
    if freezing.begin(differences, now):
        logger.error("the ledger disagrees, credits are frozen: run `manage.py reconcile`")
    found = count(now, len(differences))
    LedgerCount.objects.bulk_create([found], ignore_conflicts=True)
    LedgerCount.objects.filter(at__lt=now - KEPT).delete()
    return now + EVERY


def count(now: datetime, differences: int = 0) -> LedgerCount:
    """Sum the credits up by one statement, so that all sums are of one moment."""
    found = _sums()

    def sum_of(where: str) -> int:
        return found.get((where, False), 0) + found.get((where, True), 0)

    return LedgerCount(
        at=now,
        welcome=-found.get((House.GIFTS, True), 0),
        gifts=-found.get((House.GIFTS, False), 0),
        bought=-sum_of(House.BOUGHT),
        corrected=-sum_of(House.CORRECTION),
        members=sum_of(Account.Kind.USER),
        pots=sum_of(Account.Kind.POT),
        rake=sum_of(House.RAKE),
        tournaments=sum_of(House.TOURNAMENTS),
        goods=sum_of(House.GOODS),
        differences=differences,
    )


def _sums() -> dict[tuple[str, bool], int]:
    """Return the sums of entries by (place, whether they are welcome credits).

    A place is the code of a house account, or the kind of another account.
    """
    place = Case(
        When(account__kind=Account.Kind.HOUSE, then=F("account__code")),
        default=F("account__kind"),
    )
    welcome_causes = [WELCOME, STEP_CODE]
    is_welcome = Case(
        When(transfer__cause__in=welcome_causes, then=True),
        When(transfer__reverses__cause__in=welcome_causes, then=True),
        default=False,
    )
    rows = Entry.objects.order_by().values_list(place, is_welcome)
    return {
        (where, welcome): total
        for where, welcome, total in rows.annotate(total=Sum("amount_credits"))
    }
