"""Sum the credits that a member has lost, or bought, in rolling windows of the ledger."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Min, Q, QuerySet, Sum

from wallet import causes
from wallet.causes import Flow
from wallet.models import Entry, Hold

Totals = dict[timedelta, int]


def lost(user_id: int, windows: Collection[timedelta], now: datetime) -> Totals:
    """Return the credits lost in each window that ends now; a negative number was won.

    A loss is stakes, fees and purchases less what came back from them. Credits that are reserved or
    in a pot count as lost until they come back, so that no outcome exceeds a limit.
    """
    found = _sums(_spent(user_id, max(windows), now), windows, now)
    spent = causes.codes_of_flow(Flow.SPENT)
    waiting = Hold.objects.filter(account__user_id=user_id, state=Hold.State.OPEN, cause__in=spent)
    held = waiting.aggregate(total=Sum("amount_credits"))["total"] or 0
    return {window: held - total for window, total in found.items()}


def won_since(user_id: int, since: datetime, now: datetime) -> int:
    """Return the net credits of play and purchases from `since` to `now`; negative for a loss."""
    window = now - since
    return _sums(_spent(user_id, window, now), [window], now)[window]


def deposited(user_id: int, windows: Collection[timedelta], now: datetime) -> Totals:
    """Return the credits bought in each window that ends now, less refunds of them.

    A refund counts at the time of its top-up: the transfers of one payment share a reference.
    """
    bought = Entry.objects.filter(
        account__user_id=user_id,
        transfer__cause__in=causes.codes_of_flow(Flow.DEPOSIT),
        transfer__created_at__gt=now - max(windows),
    )
    payments = bought.order_by().values_list("transfer__reference")
    kept = [
        (begun, max(0, credits))  # negative if the top-up is older than the window
        for _reference, begun, credits in payments.annotate(
            Min("transfer__created_at"), Sum("amount_credits")
        )
    ]
    return {
        window: sum(credits for begun, credits in kept if begun > now - window)
        for window in windows
    }


def _spent(user_id: int, window: timedelta, now: datetime) -> QuerySet[Entry]:
    codes = causes.codes_of_flow(Flow.SPENT)
    is_spent = Q(transfer__cause__in=codes) | Q(transfer__reverses__cause__in=codes)
    recent = Entry.objects.filter(account__user_id=user_id, transfer__created_at__gt=now - window)
    return recent.filter(is_spent)


def _sums(entries: QuerySet[Entry], windows: Collection[timedelta], now: datetime) -> Totals:
    sums = {
        f"window_{number}": Sum("amount_credits", filter=Q(transfer__created_at__gt=now - window))
        for number, window in enumerate(windows)
    }
    found = entries.order_by().aggregate(**sums)
    return {window: found[name] or 0 for name, window in zip(sums, windows, strict=True)}
