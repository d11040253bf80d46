"""Refills: credits up to a minimum for a member who has less and nothing reserved, once a day.

They are keyed by the member's mailbox and accounts of other sites, as the welcome credits are.
Staff may switch them off. All must run in the caller's transaction.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from math import ceil

from django.db import IntegrityError, transaction

from accounts.members import identities
from wallet import causes
from wallet.errors import NoRefill
from wallet.models import GiftSwitch, Refill, Transfer
from wallet.money import House
from wallet.selectors import funds_in
from wallet.services import accounts, transfers
from wallet.services.locking import lock, need_transaction

EVERY = timedelta(days=1)


def give(user_id: int, minimum: int, now: datetime) -> Transfer:
    """Bring the member's credits up to the minimum. Raise NoRefill; then nothing has changed."""
    gifts, account = accounts.house(House.GIFTS), accounts.of_user(user_id)
    funds = funds_in(lock([account.id])[account.id])
    if not is_given():
        raise NoRefill("off")
    if funds.reserved:
        raise NoRefill("reserved")
    if funds.available >= minimum:
        raise NoRefill("enough")
    _claim(identities.digests_of_user(user_id), now)
    key = f"refill:{user_id}:{now.date()}"
    missing = minimum - funds.available
    amounts = {gifts.id: -missing, account.id: missing}
    return transfers.post(key, transfers.Cause(causes.REFILL), amounts, now)


def is_given() -> bool:
    return not GiftSwitch.objects.filter(cause=causes.REFILL, is_on=False).exists()


def wait_of(user_id: int, now: datetime) -> int:
    """Return the seconds until the member's person may have a refill again, 0 for now."""
    digests = identities.digests_of_user(user_id)
    return _wait(Refill.objects.filter(digest__in=digests), now)


def switch(gift: GiftSwitch, is_on: bool) -> bool:
    """Let a gift be given or not; return whether that is a change."""
    need_transaction()
    changed = GiftSwitch.objects.filter(pk=gift.pk).exclude(is_on=is_on).update(is_on=is_on)
    return bool(changed)


def _claim(digests: list[str], now: datetime) -> None:
    """Note the refill under every digest of the person."""
    if not digests:
        raise NoRefill("unproved")
    rows = Refill.objects.select_for_update().filter(digest__in=digests).order_by("digest")
    known = list(rows)
    wait_s = _wait(known, now)
    if wait_s:
        raise NoRefill("today", wait_s)
    new = sorted(set(digests) - {row.digest for row in known})
    try:
        with transaction.atomic():
            Refill.objects.bulk_create(Refill(digest=each, given_at=now) for each in new)
    except IntegrityError as error:  # claimed meanwhile by another account of this person
        raise NoRefill("today", ceil(EVERY.total_seconds())) from error
    rows.update(given_at=now)


def _wait(rows: Collection[Refill], now: datetime) -> int:
    until = max((row.given_at + EVERY for row in rows), default=now)
    return max(0, ceil((until - now).total_seconds()))
