"""Sum the credits that a member has lost, or bought, in rolling windows of the ledger."""

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import reduce
from operator import or_

from django.db.models import Max, Min, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Least

from wallet import causes
from wallet.causes import Flow
from wallet.models import Entry, Hold, WaitingPayment
from wallet.selectors import account_of

Totals = dict[timedelta, int]

# Maximum number of reversals in a row that are followed back to what was spent; further ones are
# not counted. To correct a mistake, staff may reverse a reversal, then its reversal, and so on.
MOST_REVERSALS = 4
# Lookups from an entry: its transfer, the transfer that this one reverses, and so on.
_ORIGINS = [f"transfer{'__reverses' * steps}" for steps in range(MOST_REVERSALS + 1)]


def lost(user_id: int, windows: Collection[timedelta], now: datetime) -> Totals:
    """Return the credits lost in each window that ends now; a negative number was won.

    A loss is stakes, fees and purchases less what came back from them. Credits that are reserved or
    in a pot count as lost until they come back, so that no outcome exceeds a limit. What comes back
    counts at the time of what was paid for it, so that it offsets no other loss of a later window.
    """
    spent = causes.codes_of_flow(Flow.SPENT)
    waiting = Hold.objects.filter(account__user_id=user_id, state=Hold.State.OPEN, cause__in=spent)
    held = waiting.aggregate(total=Sum("amount_credits"))["total"] or 0
    outcomes = _outcomes(user_id, now - max(windows))
    return {
        window: held - sum(credits for paid_at, credits in outcomes if paid_at > now - window)
        for window in windows
    }


def won_since(user_id: int, since: datetime) -> int:
    """Return the net credits of play and purchases after a time; negative for a loss."""
    recent = _spent(user_id).filter(transfer__created_at__gt=since)
    credits: int | None = recent.aggregate(total=Sum("amount_credits"))["total"]
    return credits or 0


def deposited(user_id: int, windows: Collection[timedelta], now: datetime) -> Totals:
    """Return the credits bought in each window that ends now, less those that refunds took back.

    A refund, and its return if it fails, count at the time of the top-up: the transfers of one
    payment share a reference. Therefore older transfers are read too. A top-up that was paid
    counts while its credits wait for the end of a freeze, and then at the time when they came.
    """
    # In this order: a top-up that is posted in between counts twice for once, not never.
    found = [*_owed_deposits(user_id), *_deposits(user_id, now - max(windows))]
    return {
        window: sum(credits for begun, credits in found if begun > now - window)
        for window in windows
    }


def _deposits(user_id: int, since: datetime) -> list[tuple[datetime, int]]:
    """Return the time and the credits of each payment that was credited after `since`.

    A payment counts for no more than its largest entry, the top-up. If it is refunded after its
    credits were spent, they become a debt, and no entry lowers the sum; if that refund fails, what
    paid off the debt comes back, which the member has not bought again. After another refund of a
    part the payment then counts for up to this part too much.
    """
    bought = Entry.objects.filter(
        account__user_id=user_id, transfer__cause__in=causes.codes_of_flow(Flow.DEPOSIT)
    )
    payments = bought.order_by().values_list("transfer__reference")
    kept = payments.annotate(
        begun_at=Min("transfer__created_at"),
        credits=Least(Sum("amount_credits"), Max("amount_credits")),
    )
    return list(kept.filter(begun_at__gt=since).values_list("begun_at", "credits"))


def _owed_deposits(user_id: int) -> list[tuple[datetime, int]]:
    """Return the time and the credits of each top-up that is not posted yet."""
    account = account_of(user_id)
    if account is None:
        return []
    key = str(account.pk)
    owed = WaitingPayment.objects.filter(
        paid_at=None, cause__in=causes.codes_of_flow(Flow.DEPOSIT), amounts__has_key=key
    )
    return [(row.created_at, row.amounts[key]) for row in owed]


def _outcomes(user_id: int, since: datetime) -> list[tuple[datetime, int]]:
    """Return the last payment's time and the net credits of each event paid for after `since`.

    All transfers for an event, such as a match, share its reference. A reversal has no
    reference: it belongs to what it reverses, and taking a payout back is not a payment.
    """
    event = Coalesce(*(f"{origin}__reference" for origin in reversed(_ORIGINS)))
    is_paid = Q(amount_credits__lt=0, transfer__reverses=None)
    paid_at = Max("transfer__created_at", filter=is_paid)
    events = _spent(user_id).order_by().values_list(event)
    found = events.annotate(paid_at=paid_at, credits=Sum("amount_credits"))
    return list(found.filter(paid_at__gt=since).values_list("paid_at", "credits"))


def _spent(user_id: int) -> QuerySet[Entry]:
    codes = causes.codes_of_flow(Flow.SPENT)
    is_spent = reduce(or_, (Q((f"{origin}__cause__in", codes)) for origin in _ORIGINS))
    return Entry.objects.filter(is_spent, account__user_id=user_id)
