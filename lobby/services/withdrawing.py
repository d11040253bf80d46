"""Withdraw a member's announcement and search after a ban, a break or a tighter limit.

The caller's transaction calls `lock` while no wallet account is locked, then `withdraw` or
`withdraw_staked`. A search or announcement that began between these calls is left out if another
transaction has locked it. That transaction may wait for the account, so waiting for its rows could
deadlock.
"""

from datetime import datetime

from django.db.models import QuerySet

from accounts.people.locks import lock_people
from accounts.shared.transactions import write_transaction
from games.models.actor import Actor
from lobby.models import Search, Seek
from lobby.services import ending, requirements, stopping


def lock(user_id: int) -> None:
    """Lock the member's open searches, then their open announcements."""
    rows = _searches_of(user_id).select_for_update(no_key=True, of=("self",))
    list(rows.order_by("id"))
    ending.lock_open([user_id])


def withdraw(user_id: int, now: datetime) -> None:
    """Take the member's announcement back and end their search."""
    _take_back(user_id, now)
    _stop(_searches_of(user_id), now)


def withdraw_staked(user_id: int, now: datetime) -> None:
    """Withdraw as `withdraw` does, but let a search without a stake go on."""
    _take_back(user_id, now)
    _stop(_searches_of(user_id).filter(seek__isnull=False), now)


def withdraw_barred(user_id: int, now: datetime) -> None:
    """Take back the announcement of a member whose own limits have come to forbid its match.

    Runs in a transaction of its own: call it after the transaction of the refused join has ended.
    """
    with write_transaction():
        lock_people(user_id)
        lock(user_id)
        if any(requirements.is_barred(seek, now) for seek in ending.lock_open([user_id])):
            withdraw_staked(user_id, now)


def _searches_of(user_id: int) -> QuerySet[Search]:
    return stopping.open_of(Actor(user_id=user_id))


def _take_back(user_id: int, now: datetime) -> None:
    for seek in ending.lock_accounts_and_new_seeks([user_id], ()):
        ending.close(seek, Seek.State.CANCELED, now)


def _stop(searches: QuerySet[Search], now: datetime) -> None:
    """End the searches, except one whose announcement is still open: somebody is joining it."""
    over = searches.exclude(seek__state=Seek.State.OPEN)
    for search in over.select_for_update(no_key=True, skip_locked=True, of=("self",)):
        stopping.stop(search, Search.State.CANCELED, now)
