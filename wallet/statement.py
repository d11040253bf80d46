"""A user's statement: every movement with its cause and the balance after it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q, QuerySet, Sum, Window

from wallet import causes
from wallet.models import Account, Entry, Hold, Transfer, WaitingPayment

CHUNK = 1000  # entries that `every_movement` reads at once
MAX_HOLDS = 100  # open holds that the page lists


@dataclass(frozen=True, slots=True)
class MovementFilter:
    """The filter of a statement; None selects everything, `since` and `until` are inclusive."""

    group: causes.Group | None = None
    is_incoming: bool | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Movement:
    """One line of a statement; `balance` is the account's balance after this entry.

    `url` is None if there is no page; `reason` is empty if the text needs none.
    """

    entry: Entry
    text: str
    url: str | None
    balance: int
    reason: str

    @property
    def transfer(self) -> Transfer:
        return self.entry.transfer

    @property
    def credits(self) -> int:
        return self.entry.amount_credits

    @property
    def size(self) -> int:
        return abs(self.credits)

    @property
    def taken_back_at(self) -> datetime | None:
        """Return the time of the transfer that reversed this one."""
        reversal = getattr(self.transfer, "reversal", None)
        return reversal.created_at if reversal else None


@dataclass(frozen=True, slots=True)
class Reserved:
    """One open hold with its cause in words and, if there is one, the URL of its page."""

    hold: Hold
    text: str
    url: str | None


def reserved_of(account: Account) -> list[Reserved]:
    """Return the newest open holds, at most MAX_HOLDS."""
    holds = Hold.objects.filter(account=account, state=Hold.State.OPEN).order_by("-id")
    return [Reserved(hold, *causes.describe(hold)) for hold in holds[:MAX_HOLDS]]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Credits that the account gets when a freeze ends, with the cause in words and its URL."""

    payment: WaitingPayment
    credits: int
    text: str
    url: str | None


def waiting_of(account: Account) -> list[Waiting]:
    """Return the owed transfers to the account that a freeze holds back, the newest first."""
    rows = WaitingPayment.objects.filter(paid_at=None, amounts__has_key=str(account.pk))
    return [
        Waiting(row, row.amounts[str(account.pk)], *causes.describe(row))
        for row in rows.order_by("-id")
    ]


def entries_of(account: Account | None, wanted: MovementFilter) -> QuerySet[Entry]:
    """Return the wanted entries, newest first.

    The ids give the order: entries of one account are written one after another, under its lock.
    """
    if account is None:
        return Entry.objects.none()
    entries = Entry.objects.filter(account=account).order_by("-id")
    if wanted.group == causes.OTHER:
        entries = entries.exclude(transfer__cause__in=causes.all_codes())
    elif wanted.group is not None:
        entries = entries.filter(transfer__cause__in=causes.codes_of(wanted.group))
    if wanted.is_incoming is not None:
        entries = entries.filter(
            Q(amount_credits__gt=0) if wanted.is_incoming else Q(amount_credits__lt=0)
        )
    if wanted.since is not None:
        entries = entries.filter(transfer__created_at__gte=wanted.since)
    if wanted.until is not None:
        entries = entries.filter(transfer__created_at__lte=wanted.until)
    return entries


def movements(entries: QuerySet[Entry]) -> list[Movement]:
    """Convert entries of one account to lines, by two queries and those of `causes.reasons_of`."""
    found = list(entries.select_related("transfer__reverses", "transfer__reversal"))
    balances = _balances_after(found)
    reasons = causes.reasons_of(entry.transfer for entry in found)
    return [
        Movement(
            entry,
            *causes.describe(entry.transfer),
            balances[entry.id],
            reasons[entry.transfer_id],
        )
        for entry in found
    ]


def every_movement(account: Account | None, wanted: MovementFilter) -> Iterator[list[Movement]]:
    """Yield all wanted movements in chunks, newest first; later postings do not shift them."""
    entries = entries_of(account, wanted)
    chunk = movements(entries[:CHUNK])
    while chunk:
        yield chunk
        chunk = movements(entries.filter(id__lt=chunk[-1].entry.id)[:CHUNK])


def _balances_after(entries: list[Entry]) -> dict[int, int]:
    """Return the balance after each entry: the account's balance minus all later entries.

    One statement reads both, so that a concurrent transfer does no harm.
    """
    if not entries:
        return {}
    ids = [entry.id for entry in entries]
    since = Entry.objects.filter(account_id=entries[0].account_id, id__gte=min(ids))
    later = Window(Sum("amount_credits"), order_by="-id") - F("amount_credits")
    balance = F("account__balance_credits") - later
    # The second condition is always false. It names the balance, so that Django filters after the
    # window function: a filter by ids alone would be applied before the sum.
    only_these = Q(id__in=ids) | Q(balance__isnull=True)
    return dict(since.annotate(balance=balance).filter(only_these).values_list("id", "balance"))
