"""The checks before a member stakes, spends, buys or takes credits. Each raises OwnLimit.

Where two requests may race, the caller has locked the member's wallet account, so that the second
sees what the first reserved, or the limit that it lowered.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from accounts.models import User
from wallet.limits import spending
from wallet.limits.errors import OwnLimit
from wallet.limits.guards import Guard, guard_of, guards_of
from wallet.limits.rules import DEPOSITS, LOSSES, Kind
from wallet.services import accounts
from wallet.services.locking import lock


def need_stakes_allowed(user_ids: Collection[int], credits: int, now: datetime) -> list[Guard]:
    """Check a stake or fee, except for losses, which `need_losses_allowed` checks after reserving.

    Return the guards, in the order of the user ids.
    """
    found = guards_of(user_ids, now)
    guards = [found[user_id] for user_id in user_ids]
    for guard in guards:
        _need_stake(guard, credits)
    return guards


def need_losses_allowed(guard: Guard, now: datetime, more: int = 0) -> None:
    """Check the member's losses, including reserved credits, plus `more` credits."""
    _need_room(guard, "own_loss", LOSSES, spending.lost, more, now)


def need_gift_allowed(user_id: int, now: datetime) -> None:
    need_not_excluded(guard_of(user_id, now))


def need_purchase_allowed(user: User, credits: int, now: datetime) -> None:
    """Check a purchase for credits, just before it is paid. Locks the member's account."""
    lock_account(user)
    check_purchase(user.pk, credits, now)


def check_purchase(user_id: int, credits: int, now: datetime) -> None:
    """Check a purchase without locking, so that a page can show the refusal beforehand."""
    guard = guard_of(user_id, now)
    need_not_excluded(guard)
    need_losses_allowed(guard, now, credits)


def check_deposit(user_id: int, credits: int, now: datetime, pending_credits: int = 0) -> None:
    """Check a top-up before the member pays; `pending_credits` are those of other, unpaid top-ups.

    A payment that has arrived is credited without a check, because the money was taken.
    """
    guard = guard_of(user_id, now)
    _need_open(guard)

    def used(*asked: Any) -> dict[timedelta, int]:
        found = spending.deposited(*asked)
        return {window: total + pending_credits for window, total in found.items()}

    _need_room(guard, "own_deposit", DEPOSITS, used, credits, now)


def objection(check: Callable[..., object], *args: Any) -> OwnLimit | None:
    """Return the error of a check, for a page that shows it before the member presses anything."""
    try:
        check(*args)
    except OwnLimit as found:
        return found
    return None


def lock_account(user: User) -> None:
    """Lock the member's account, so that the second of two concurrent requests sees the first."""
    lock([accounts.of_user(user.pk).id])


def need_not_excluded(guard: Guard) -> None:
    """Raise OwnLimit during a break, which closes even what costs nothing, such as gifts."""
    if guard.excluded_until is not None:
        until = guard.excluded_until.isoformat()
        raise OwnLimit(guard.user_id, "excluded", until=until, kind=guard.exclusion)


def _need_open(guard: Guard) -> None:
    need_not_excluded(guard)
    if guard.is_country_closed:
        raise OwnLimit(guard.user_id, "country_closed")
    if guard.needs_age:
        raise OwnLimit(guard.user_id, "age_unconfirmed", age=settings.MINIMUM_AGE)


def _need_stake(guard: Guard, credits: int) -> None:
    _need_open(guard)
    limit = guard.amounts.get(Kind.STAKE)
    if limit is not None and credits > limit:
        raise OwnLimit(guard.user_id, "own_stake", limit=limit)


def _need_room(
    guard: Guard,
    code: str,
    windows: Mapping[Kind, timedelta],
    used_in: Callable[[int, Collection[timedelta], datetime], dict[timedelta, int]],
    more: int,
    now: datetime,
) -> None:
    kinds = [kind for kind in windows if kind in guard.amounts]
    if not kinds:
        return
    used = used_in(guard.user_id, [windows[kind] for kind in kinds], now)
    for kind in kinds:
        limit, in_window = guard.amounts[kind], used[windows[kind]]
        if in_window + more > limit:
            left = max(0, limit - in_window)
            raise OwnLimit(guard.user_id, code, limit=limit, left=left, kind=kind.value)
