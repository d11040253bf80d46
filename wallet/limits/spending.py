"""Sum the credits that a member has lost, or bought, in rolling windows of the ledger."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Max, Min, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from wallet import causes
from wallet.causes import Flow
from wallet.models import Entry, Hold

Totals = dict[timedelta, int]


def lost(user_id: int, windows: Collection[timedelta], now: datetime) -> Totals:
    """Return the credits lost in each window that ends now; a negative number was won.

    A loss is stakes, fees and purchases less what came back from them. Credits that are reserved or
    in a pot count as lost until they come back, so that no outcome exceeds a limit. What comes back
    counts at the time of what was paid for it: older losses must not be made good by it.
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


def _outcomes(user_id: int, since: datetime) -> list[tuple[datetime, int]]:
    """Return when the member last paid for each event, if after `since`, and its net credits.

    All transfers for an event, such as a match, share its reference. A reversal has none: it
    belongs to what it reverses, and a payout that is reversed is not paid again.
    """
    event = Coalesce("transfer__reverses__reference", "transfer__reference")
    is_paid = Q(amount_credits__lt=0, transfer__reverses=None)
    paid_at = Max("transfer__created_at", filter=is_paid)
    events = _spent(user_id).order_by().values_list(event)
    found = events.annotate(paid_at=paid_at, credits=Sum("amount_credits"))
    return list(found.filter(paid_at__gt=since).values_list("paid_at", "credits"))


def _spent(user_id: int) -> QuerySet[Entry]:
    codes = causes.codes_of_flow(Flow.SPENT)
    is_spent = Q(transfer__cause__in=codes) | Q(transfer__reverses__cause__in=codes)
    return Entry.objects.filter(is_spent, account__user_id=user_id)
